/* The limit that random play is measured against: connect-four 7x6 on two bitboards, by hand.

   Each column has seven bits, of which the highest stays empty (J. Tromp's layout), so that four in
   a row are found by two shifts in each direction. A column is chosen uniformly among those that
   are not full. Usage: connect_four SECONDS; prints playouts, moves, seconds. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static inline uint32_t random_below(uint32_t count) {
    /* splitmix64, and the multiplication instead of a division */
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (uint32_t)(((z >> 32) * count) >> 32);
}

static inline int has_four(uint64_t stones) {
    uint64_t pair = stones & (stones >> 1);
    if (pair & (pair >> 2)) return 1;
    pair = stones & (stones >> 6);
    if (pair & (pair >> 12)) return 1;
    pair = stones & (stones >> 7);
    if (pair & (pair >> 14)) return 1;
    pair = stones & (stones >> 8);
    return (pair & (pair >> 16)) != 0;
}

static int playout(uint64_t *moves) {
    uint64_t board[2] = {0, 0};
    uint8_t height[7] = {0}, open[7] = {0, 1, 2, 3, 4, 5, 6};
    uint32_t columns = 7;
    for (int ply = 0; ply < 42; ply++) {
        uint32_t choice = random_below(columns);
        uint8_t column = open[choice];
        uint64_t *own = &board[ply & 1];
        *own |= (uint64_t)1 << (7 * column + height[column]);
        if (++height[column] == 6) open[choice] = open[--columns];
        ++*moves;
        if (has_four(*own)) return 1 + (ply & 1);
    }
    return 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char **arguments) {
    double limit = count > 1 ? atof(arguments[1]) : 3.0, start = now();
    uint64_t playouts = 0, moves = 0, results[3] = {0, 0, 0};
    while (now() - start < limit)
        for (int i = 0; i < 1000; i++, playouts++) results[playout(&moves)]++;
    printf("%llu %llu %.6f %llu %llu %llu\n", (unsigned long long)playouts,
           (unsigned long long)moves, now() - start, (unsigned long long)results[0],
           (unsigned long long)results[1], (unsigned long long)results[2]);
    return 0;
}
