/* The loops of trials.c for one width of vectors. */
#include "philox_loops.h"

/* Lanes whose element has its number go on with the next one. */
static void OF_WIDTH(our_part)(void *work, int part, int slot)
{
    const Trials *w = work;
    int64_t next = (int64_t)part * EACH, stop = next + EACH < w->n ? next + EACH : w->n;
    int64_t element[LANES];
    uint64_t trial[LANES], blocks[LANES];
    uint32_t words[2][4][LANES];
    Known known = {0};
    for (int open = 0, still; open || next < stop; open = still) {
        for (; open < LANES && next < stop; next++) {
            element[open] = next;
            trial[open++] = w->kind == OUR_POISSON &&
                            !(w->parameters[next % w->m] < INVERTED);
        }
        for (int i = 0; i < LANES; i++)
            blocks[i] = element[i < open ? i : 0] + 2 * trial[i < open ? i : 0] * w->n;
        OF_WIDTH(philox)(&w->d, blocks, words[0]);
        for (int i = 0; i < LANES; i++)
            blocks[i] += w->n;
        OF_WIDTH(philox)(&w->d, blocks, words[1]);
        still = 0;
        for (int i = 0; i < open; i++) {
            if (our_trial(w, &known, element[i], words, i))
                continue;
            element[still] = element[i];
            trial[still++] = trial[i] + 1;
        }
    }
}

static void OF_WIDTH(their_part)(void *work, int part, int slot)
{
    const Trials *w = work;
    int64_t start = (int64_t)part * EACH, stop = start + EACH < w->n ? start + EACH : w->n;
    int64_t samples = w->n / w->m;
    uint64_t firsts[LANES], blocks[LANES];
    uint32_t ahead[AHEAD][4][LANES];
    Known known = {0};
    for (int64_t at = start; at < stop; at += LANES) {
        int count = stop - at < LANES ? (int)(stop - at) : LANES;
        for (int i = 0; i < LANES; i++) {
            uint64_t element = at + i, number = element % w->m * samples + element / w->m;
            firsts[i] = w->d.position + number * RESERVED;
        }
        for (int k = 0; k < AHEAD; k++) {
            for (int i = 0; i < LANES; i++)
                blocks[i] = firsts[i] + k;
            OF_WIDTH(philox)(&w->d, blocks, ahead[k]);
        }
        for (int i = 0; i < count; i++) {
            Numbers numbers = {&w->d, ahead, firsts[i], 0, i};
            double parameter = w->parameters[(at + i) % w->m];
            w->out[at + i] = w->kind == GAMMA ? their_gamma(&known, &numbers, parameter)
                                              : their_poisson(&known, &numbers, parameter);
        }
    }
}
