"""The machine that runs what `lowering` writes: one loop over instructions, compiled once for all
rules.

Questions are answered from the goal backwards and their answers remembered for as long as the state
is asked about. A question that comes back to itself is answered by what is known so far, and asked
again until nothing is new (linear tabling: Zhou, Shen, Yuan and You, "Implementation of a linear
tabling mechanism", J. Functional and Logic Programming 2001; completion by strongly connected
components: Tarjan 1972).
"""

# Arrays of numba have no types.
# mypy: disable-error-code="no-any-return,return-value"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.deduce.lowered.codes import (
    AGREE,
    BUILD,
    CALL,
    CHOSEN,
    COUNT,
    DENY,
    DIFFER,
    DRAW,
    EACH,
    END,
    FIND,
    FLUENTS,
    FOUND,
    HOLDS,
    IF,
    KNOWN,
    LACKS,
    NEXT,
    ORDER,
    ROLES,
    ROW,
    RULE,
    RULES,
    SET,
    SHAPE,
    STATE,
    UNLESS,
    YES,
)
from ggp.deduce.lowered.memory import (
    ANSWER,
    BACK,
    BASE,
    BELOW,
    COLUMNS,
    FRAME,
    HANGS,
    HEAD,
    HELD,
    IS_NEW,
    LEFT,
    LOWEST,
    MIXED,
    NONE,
    OPEN,
    OPENED,
    OUTER,
    PARTLY,
    PC,
    PROCEDURE,
    SPAN,
    STALE,
    STATUS,
    WANTED,
    WHOLE,
    Memory,
    add_row,
    add_term,
    fill,
    find_entry,
    find_term,
    has_room,
)
from ggp.kernel import kernel

DONE, PAUSED, FULL = 0, 1, 2
"""The question is answered; so many steps are made; some array has come to its end."""

ENDED, STUCK, LONG = 3, 4, 5
"""A play is over; a role has no legal move; it lasts longer than was asked."""

UNSETTLED = 6
"""What is to be denied rests on what is still being answered."""


@kernel
def drawn(random: NDArray[np.uint64], most: int) -> int:
    """A number below `most` by chance (Steele, Lea and Flood, "Fast splittable pseudorandom number
    generators", OOPSLA 2014)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    value = random[0]
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(31)
    return np.int64((value >> np.uint64(32)) * np.uint64(most) >> np.uint64(32))


@kernel
def run(m: Memory) -> int:
    """Go on until the question is answered: `DONE`, `PAUSED` or `FULL`."""
    code, registers, at, bounds, frames = m.code, m.registers, m.at, m.bounds, m.frames
    entries, slots, keys, cells, places = m.entries, m.slots, m.keys, m.cells, m.places
    terms, starts, parts, procedures, waiting = m.terms, m.starts, m.parts, m.procedures, m.waiting
    holds, state, roles, chosen, order = m.holds, m.state, m.roles, m.chosen, m.order
    spots, layout, maps, heads = m.spots, m.layout, m.maps, m.heads
    filled, tables = m.filled, m.tables
    budget, known_terms = at[LEFT], m.maps[0]
    frame, base, pc = at[FRAME], at[BASE], at[PC]
    key = m.scratch
    status = PAUSED
    while budget > 0:
        op = code[pc]
        if op in (DIFFER, AGREE):
            a, b = code[pc + 1], code[pc + 2]
            a = registers[base + a] if a >= 0 else -a
            b = registers[base + b] if b >= 0 else -b
            if (a == b) == (op == AGREE):
                pc += 4
            else:
                pc = code[pc + 3]
        elif op == EACH:
            cell = registers[base + code[pc + 1]]
            budget -= 1
            if cell == 0:
                pc = code[pc + 2]
            else:
                size = code[pc + 3]
                for i in range(size):
                    registers[base + code[pc + 4 + i]] = cells[cell + COLUMNS + i]
                pc += 4 + size
        elif op == NEXT:
            place = base + code[pc + 1]
            registers[place] = cells[registers[place]]
            pc = code[pc + 2]
        elif op == IF:
            pc = pc + 3 if registers[base + code[pc + 1]] != 0 else code[pc + 2]
        elif op == UNLESS:
            pc = pc + 3 if registers[base + code[pc + 1]] == 0 else code[pc + 2]
        elif op == FIND and spots[code[pc + 2]] >= 0:
            spot, size = spots[code[pc + 2]], code[pc + 3]
            budget -= 1
            place = layout[spot]
            for i in range(size):
                a = code[pc + 4 + i]
                a = registers[base + a] if a >= 0 else -a
                digit = maps[layout[spot + 1 + 2 * i] + a] if a < known_terms else -1
                if digit < 0:
                    place = 0
                    break
                place += digit * layout[spot + 2 + 2 * i]
            registers[base + code[pc + 1]] = heads[place]
            pc += 4 + size
        elif op in (FIND, FLUENTS):
            tag, size = code[pc + 2], code[pc + 3]
            budget -= 1
            if op == FLUENTS:
                if filled[tag] == 0:
                    if not has_room(at, bounds, at[HELD]):
                        status = FULL
                        break
                    fill(m, tag)
                tag = tables[tag, 1]
            for i in range(size):
                a = code[pc + 4 + i]
                key[i] = registers[base + a] if a >= 0 else -a
            entry = find_entry(slots, entries, keys, at, tag, key, size, False)
            registers[base + code[pc + 1]] = entries[entry, HEAD] if entry != 0 else 0
            pc += 4 + size
        elif op in (CALL, DENY):
            if not has_room(at, bounds, 1):
                status = FULL
                break
            budget -= 1
            procedure, size = code[pc + 2], code[pc + 3]
            for i in range(size):
                a = code[pc + 4 + i]
                key[i] = registers[base + a] if a >= 0 else -a
            entry = find_entry(slots, entries, keys, at, procedures[procedure, 2], key, size, True)
            is_known = False
            known = entries[entry, STATUS]
            if known == WHOLE:
                is_known = True
            elif known in (OPENED, PARTLY):
                if op == DENY:
                    status = UNSETTLED
                    break
                is_known = True
                frames[frame, LOWEST] = min(frames[frame, LOWEST], entries[entry, HANGS])
            if is_known:
                registers[base + code[pc + 1]] = entries[entry, HEAD]
                pc += 4 + size
                continue
            inner = base + frames[frame, SPAN]
            frame += 1
            frames[frame, BACK] = pc
            frames[frame, ANSWER] = entry
            frames[frame, PROCEDURE] = procedure
            frames[frame, OUTER] = base
            frames[frame, LOWEST] = NONE
            frames[frame, BELOW] = at[OPEN]
            frames[frame, IS_NEW] = 0
            frames[frame, SPAN] = procedures[procedure, 1]
            entries[entry, STATUS] = OPENED
            entries[entry, HANGS] = frame
            base = inner
            at[FRAME], at[BASE] = frame, base
            for i in range(size):
                registers[base + i] = key[i]
            pc = procedures[procedure, 0]
        elif op in (ROW, FOUND):
            if not has_room(at, bounds, 1):
                status = FULL
                break
            size = code[pc + 1]
            for i in range(size):
                a = code[pc + 2 + i]
                key[i] = registers[base + a] if a >= 0 else -a
            if add_row(places, cells, entries, at, frames[frame, ANSWER], key, size):
                frames[frame, IS_NEW] = 1
            pc += 2 + size
            if op == FOUND:
                entry = frames[frame, ANSWER]
                entries[entry, STATUS] = WHOLE
                pc = frames[frame, BACK]
                base = frames[frame, OUTER]
                frame -= 1
                at[FRAME], at[BASE] = frame, base
                registers[base + code[pc + 1]] = entries[entry, HEAD]
                pc += 4 + code[pc + 3]
        elif op in (YES, END):
            if frame == 0:
                status = DONE
                break
            if at[OPEN] >= bounds[OPEN]:
                status = FULL
                break
            entry = frames[frame, ANSWER]
            lowest = frames[frame, LOWEST]
            floor = frames[frame, BELOW]
            if op == YES:
                # What was found on the way rested on this answer as it was before.
                if add_row(places, cells, entries, at, entry, key, 0):
                    frames[frame, IS_NEW] = 1
                for i in range(floor, at[OPEN]):
                    entries[waiting[i], STATUS] = STALE
                at[OPEN] = floor
                entries[entry, STATUS] = WHOLE
                frames[frame - 1, IS_NEW] |= frames[frame, IS_NEW]
            elif lowest >= frame:
                if lowest == frame and frames[frame, IS_NEW] != 0:
                    # Once more, until nothing is new.
                    for i in range(floor, at[OPEN]):
                        entries[waiting[i], STATUS] = STALE
                    at[OPEN] = floor
                    frames[frame, LOWEST] = NONE
                    frames[frame, IS_NEW] = 0
                    pc = procedures[frames[frame, PROCEDURE], 0]
                    # (No instruction writes the registers of the known columns.)
                    continue
                for i in range(floor, at[OPEN]):
                    entries[waiting[i], STATUS] = WHOLE
                at[OPEN] = floor
                entries[entry, STATUS] = WHOLE
            elif code[frames[frame, BACK]] == DENY:
                status = UNSETTLED
                break
            else:
                entries[entry, STATUS] = PARTLY
                entries[entry, HANGS] = lowest
                waiting[at[OPEN]] = entry
                at[OPEN] += 1
                # What hung on this frame hangs on what it hangs on: another may take its place.
                for i in range(floor, at[OPEN]):
                    entries[waiting[i], HANGS] = min(entries[waiting[i], HANGS], lowest)
                frames[frame - 1, LOWEST] = min(frames[frame - 1, LOWEST], lowest)
                frames[frame - 1, IS_NEW] |= frames[frame, IS_NEW]
            pc = frames[frame, BACK]
            base = frames[frame, OUTER]
            frame -= 1
            at[FRAME], at[BASE] = frame, base
            registers[base + code[pc + 1]] = entries[entry, HEAD]
            pc += 4 + code[pc + 3]
        elif op in (HOLDS, LACKS):
            a = code[pc + 1]
            a = registers[base + a] if a >= 0 else -a
            pc = pc + 3 if (holds[a] != 0) == (op == HOLDS) else code[pc + 2]
        elif op in (KNOWN, BUILD):
            if op == BUILD and not has_room(at, bounds, 1):
                status = FULL
                break
            size = code[pc + 3]
            key[0] = code[pc + 2]
            for i in range(size):
                a = code[pc + 4 + i]
                key[1 + i] = registers[base + a] if a >= 0 else -a
            if op == BUILD:
                number = add_term(terms, starts, parts, at, key, size + 1)
            else:
                number = terms[find_term(terms, starts, parts, key, size + 1)]
            registers[base + code[pc + 1]] = number
            pc += 4 + size
        elif op == SHAPE:
            a = registers[base + code[pc + 1]]
            start = starts[a]
            size = code[pc + 3]
            if parts[start] == code[pc + 2]:
                for i in range(size):
                    registers[base + code[pc + 5 + i]] = parts[start + 1 + i]
                pc += 5 + size
            else:
                pc = code[pc + 4]
        elif op == CHOSEN:
            a = code[pc + 1]
            a = registers[base + a] if a >= 0 else -a
            made = 0
            for i in range(len(roles)):
                if roles[i] == a:
                    made = chosen[i]
            registers[base + code[pc + 2]] = made
            pc = pc + 4 if made != 0 else code[pc + 3]
        elif op == ROLES:
            place = registers[base + code[pc + 1]]
            if place < len(roles):
                registers[base + code[pc + 3]] = roles[place]
                registers[base + code[pc + 4]] = chosen[place]
                pc += 5
            else:
                pc = code[pc + 2]
        elif op == STATE:
            place = registers[base + code[pc + 1]]
            budget -= 1
            if place < at[HELD]:
                registers[base + code[pc + 3]] = state[place]
                pc += 4
            else:
                pc = code[pc + 2]
        elif op == COUNT:
            registers[base + code[pc + 1]] += 1
            pc = code[pc + 2]
        elif op == SET:
            registers[base + code[pc + 1]] = code[pc + 2]
            pc += 3
        elif op == ORDER:
            cell, count = registers[base + code[pc + 1]], 0
            while cell != 0 and at[MIXED] + count < len(order):
                order[at[MIXED] + count] = cell
                count += 1
                cell = cells[cell]
            if cell != 0:
                at[WANTED], status = len(order), FULL
                break
            registers[base + code[pc + 1]] = at[MIXED]
            registers[base + code[pc + 2]] = count
            at[MIXED] += count
            pc += 3
        elif op == RULES:
            count = code[pc + 3]
            if at[MIXED] + count > len(order):
                at[WANTED], status = len(order), FULL
                break
            for i in range(count):
                order[at[MIXED] + i] = i
            registers[base + code[pc + 1]] = at[MIXED]
            registers[base + code[pc + 2]] = count
            at[MIXED] += count
            pc += 4
        elif op in (DRAW, RULE):
            place, left = registers[base + code[pc + 1]], registers[base + code[pc + 2]]
            size = code[pc + 4]
            budget -= 1
            if left == 0:
                at[MIXED] = place
                pc = code[pc + 3]
            else:
                chance = place + drawn(m.random, left)
                left -= 1
                registers[base + code[pc + 2]] = left
                cell = order[chance]
                order[chance] = order[place + left]
                if op == RULE:
                    pc = code[pc + 5 + cell]
                else:
                    for i in range(size):
                        registers[base + code[pc + 5 + i]] = cells[cell + COLUMNS + i]
                    pc += 5 + size
        else:  # GO
            pc = code[pc + 1]
    at[PC], at[LEFT] = pc, budget
    return status
