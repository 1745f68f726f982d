/* The ends of rows that vectors do not fill, and sums over lanes. */
#include "vectors.h"

#ifndef ROW_ENDS_H
#define ROW_ENDS_H
#define lanes_sum OF_WIDTH(lanes_sum_)
#define load_last OF_WIDTH(load_last_)
#define store_last OF_WIDTH(store_last_)
#define only_last OF_WIDTH(only_last_)
#define LANES ((I16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
#endif

INLINE float lanes_sum(F16 v)
{
    float x[16];
    store16(x, v);
    for (int half = 8; half; half /= 2)
        for (int i = 0; i < half; i++)
            x[i] += x[i + half];
    return x[0];
}

/* The last 16 of n floats, where vectors do not fill a row: those that a loop has done
 * already are done again. Of fewer than 16, all and `rest`. */
INLINE F16 load_last(const float *x, int64_t n, float rest)
{
    return n < 16 ? load_some(x, n, rest) : load16(x + n - 16);
}

INLINE void store_last(float *x, F16 v, int64_t n)
{
    if (n < 16)
        store_some(x, v, n);
    else
        store16(x + n - 16, v);
}

/* v where no loop that ended at i has been, else 0. */
INLINE F16 only_last(F16 v, int64_t i, int64_t n)
{
    I16 new = n < 16 ? LANES < (int)n : LANES >= (int)(16 - (n - i));
    return choose16(new, v, all16(0.0f));
}
