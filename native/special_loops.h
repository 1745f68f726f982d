/* The loops of special.c for one width of vectors. */

#define INLINE static inline __attribute__((always_inline))

/* log x of a positive normal double, but for 2e-16: 2 atanh((m - 1) / (m + 1)) + k log 2
 * with m in [sqrt(1/2), sqrt(2)). */
INLINE double OF_WIDTH(log_of)(double x)
{
    uint64_t bits, from;
    memcpy(&bits, &x, 8);
    from = bits + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD);
    int32_t k = (int32_t)(from >> 52) - 1023;
    bits -= (from & 0xFFF0000000000000) - 0x3FF0000000000000;
    memcpy(&x, &bits, 8);
    double s = (x - 1) / (x + 1), z = s * s, sum = 1.0 / 21;
    sum = ((sum * z + 1.0 / 19) * z + 1.0 / 17) * z + 1.0 / 15;
    sum = ((sum * z + 1.0 / 13) * z + 1.0 / 11) * z + 1.0 / 9;
    sum = (((sum * z + 1.0 / 7) * z + 1.0 / 5) * z + 1.0 / 3) * z + 1;
    return 2 * s * sum + (double)k * 0.6931471805599453;
}

/* Stirling's series at x + 8, less the logarithm of the factors between, for 0 < x. */
INLINE double OF_WIDTH(lgamma_of)(double x)
{
    double small = x <= 8, y = x + 8 * small; /* no branch: vectors have none */
    double factors = (x * (x + 1)) * ((x + 2) * (x + 3));
    factors *= ((x + 4) * (x + 5)) * ((x + 6) * (x + 7));
    factors = factors * small + (1 - small);
    double r = 1 / y, r2 = r * r;
    double rest = r * (1.0 / 12 + r2 * (-1.0 / 360 + r2 * (1.0 / 1260 + r2 * (-1.0 / 1680 +
                  r2 * (1.0 / 1188 - r2 * (691.0 / 360360))))));
    return (y - 0.5) * OF_WIDTH(log_of)(y) - y + 0.9189385332046727 + rest -
           OF_WIDTH(log_of)(factors);
}

static void OF_WIDTH(lgamma_part)(void *work, int part, int slot)
{
    const Special *w = work;
    int64_t start = (int64_t)part * EACH, stop = start + EACH < w->n ? start + EACH : w->n;
    for (int64_t at = start; at < stop; at += LANES) {
        int count = stop - at < LANES ? (int)(stop - at) : LANES, odd = 0;
        float x[LANES] = {0}, out[LANES];
        memcpy(x, w->x + at, count * sizeof(float));
        for (int i = 0; i < LANES; i++)
            odd |= !(x[i] > 0) | !(x[i] < 1e30f) | (x[i] == 1) | (x[i] == 2);
        for (int i = 0; i < LANES; i++)
            out[i] = (float)OF_WIDTH(lgamma_of)(x[i]);
        if (odd)
            for (int i = 0; i < count; i++)
                out[i] = odd_lgamma(x[i], out[i]);
        memcpy(w->out + at, out, count * sizeof(float));
    }
}
#undef INLINE
