/* The limit that solving Nim rows is measured against: rows of 1, 3, 5, … counters by full backward
   induction, by hand.

   A position is a number in the mixed radix of the rows' sizes; whose turn it is does not matter
   and is left out, so that this has half of the positions that play of two roles comes to, and half
   of the moves. All moves of each position are looked at. Usage: nim_rows ROWS; prints positions,
   moves, winning moves, seconds. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    int rows = argc > 1 ? atoi(argv[1]) : 8;
    if (rows < 1 || rows > 9) return 2;
    uint64_t radix[10] = {1};
    for (int i = 0; i < rows; i++) radix[i + 1] = radix[i] * (uint64_t)(2 * i + 2);
    uint64_t count = radix[rows], moves = 0, winning = 0;
    uint8_t *won = calloc(count, 1);
    if (!won) return 1;
    clock_t start = clock();
    for (uint64_t position = 0; position < count; position++) {
        uint64_t lost_after = 0;
        for (int i = 0; i < rows; i++) {
            uint64_t size = position / radix[i] % (uint64_t)(2 * i + 2);
            moves += size;
            for (uint64_t left = 1; left <= size; left++)
                lost_after += !won[position - left * radix[i]];
        }
        won[position] = lost_after > 0;
        winning += lost_after;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%llu %llu %llu %.6f\n", (unsigned long long)count, (unsigned long long)moves,
           (unsigned long long)winning, seconds);
    free(won);
    return 0;
}
