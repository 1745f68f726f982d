/* The loops of rectify.c for one width of vectors. A number times 0 is NaN where it is not
 * finite, and has its sign.
 */
#define SLOPES(type)                                                                    \
    static void OF_WIDTH(slopes_##type)(void *work, int part, int slot)                 \
    {                                                                                   \
        const Rectified *w = work;                                                      \
        int64_t start = (int64_t)part * EACH;                                           \
        int64_t n = w->n - start < EACH ? w->n - start : EACH;                          \
        const type *slopes = (const type *)w->slopes + start;                           \
        const type *x = (const type *)w->x + start;                                     \
        type *restrict out = (type *)w->out + start;                                    \
        for (int64_t i = 0; i < n; i++)                                                 \
            out[i] = slopes[i] * (type)(x[i] > 0);                                      \
    }
SLOPES(float)
SLOPES(double)
#undef SLOPES
