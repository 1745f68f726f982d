/* The loop of clusters.c. */
#include "vectors.h"

/* Half the squares of distances from candidates to a block of points, or what is nearer:
 * `columns` has a block's first coordinates, then its second ones, and so on. */
static void OF_WIDTH(far_part)(void *work, int part, int slot)
{
    const Centers *w = work;
    int64_t end = w->room * (part + 1) / w->parts / BLOCK * BLOCK;
    for (int64_t i = w->room * part / w->parts / BLOCK * BLOCK; i < end; i += BLOCK)
        for (int r = 0; r < w->tried; r++) {
            const float *center = w->points + w->tries[r] * w->wide;
            const float *from = w->columns + i * w->wide;
            F16 a = {0}, b = {0}, c = {0}, d = {0};
            for (int64_t k = 0; k < w->wide; k++, from += BLOCK) {
                F16 by = all16(center[k]);
                a += load16(from) * by, b += load16(from + 16) * by;
                c += load16(from + 32) * by, d += load16(from + 48) * by;
            }
            F16 sums[4] = {a, b, c, d}, norm = all16(w->norms[w->tries[r]]);
            for (int64_t at = i, l = 0; l < 4; l++, at += 16) {
                F16 half = load16(w->norms + at) - sums[l] + norm;
                half = choose16(above16((F16){0}, half), (F16){0}, half);
                store16(w->after[r] + at, least16(half, load16(w->nearest + at)));
            }
        }
}

/* The sum of n numbers in 16 lanes. */
static float OF_WIDTH(lanes_sum)(const float *x, int64_t n)
{
    F16 sum = {0};
    int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        sum += load16(x + i);
    return sum16(i < n ? sum + load_some(x + i, n - i, 0) : sum);
}
