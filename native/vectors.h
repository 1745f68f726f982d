/* Vectors of 16 floats, whatever the machine's width: a sum has the same 16 lanes on all
 * of them. To be included in a file that each_width.h compiles.
 */
#ifndef VECTORS_H
#define VECTORS_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* nothing here is called from elsewhere */

typedef float F16 __attribute__((vector_size(64)));
typedef int32_t I16 __attribute__((vector_size(64)));
#define INLINE static inline __attribute__((always_inline))

#define load16 OF_WIDTH(load16_)
#define store16 OF_WIDTH(store16_)
#define load_some OF_WIDTH(load_some_)
#define store_some OF_WIDTH(store_some_)
#define all16 OF_WIDTH(all16_)
#define choose16 OF_WIDTH(choose16_)
#define exp16 OF_WIDTH(exp16_)
#define log16 OF_WIDTH(log16_)
#define log1p16 OF_WIDTH(log1p16_)
#define abs16 OF_WIDTH(abs16_)
#define sum16 OF_WIDTH(sum16_)
#define max16 OF_WIDTH(max16_)
#define largest16 OF_WIDTH(largest16_)
#endif

INLINE F16 load16(const float *p)
{
    F16 v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store16(float *p, F16 v) { memcpy(p, &v, sizeof v); }

INLINE F16 all16(float x) { return x - (F16){0}; }

/* The first `count` < 16 floats, and `rest` in the other lanes: compilers make one load
 * with a mask of it, where a copy of so many bytes takes as long as 100 floats. */
INLINE F16 load_some(const float *p, int64_t count, float rest)
{
    float lanes[16];
#pragma GCC unroll 1
    for (int i = 0; i < 16; i++)
        lanes[i] = i < (int)count ? p[i] : rest;
    return load16(lanes);
}

INLINE void store_some(float *p, F16 v, int64_t count)
{
    float lanes[16];
    store16(lanes, v);
#pragma GCC unroll 1
    for (int i = 0; i < 16; i++)
        if (i < (int)count)
            p[i] = lanes[i];
}

INLINE F16 choose16(I16 where, F16 yes, F16 no)
{
    return (F16)(((I16)yes & where) | ((I16)no & ~where));
}

/* The larger ones; where one of them is NaN, NaN. */
INLINE F16 max16(F16 a, F16 b)
{
    return choose16((a > b) | (a != a), a, b);
}

/* The lanes' sum, always in the same order. */
INLINE float sum16(F16 v)
{
    for (int half = 8; half; half /= 2)
        for (int i = 0; i < half; i++)
            v[i] += v[i + half];
    return v[0];
}

INLINE float largest16(F16 v)
{
    float most = v[0];
    for (int i = 1; i < 16; i++)
        most = v[i] > most || v[i] != v[i] ? v[i] : most;
    return most;
}

/* exp(x) within 1 ulp (denormal results within 2): x = n ln 2 + r, and a polynomial in r
 * with the coefficients of Cephes' expf. */
INLINE F16 exp16(F16 x)
{
    x = choose16(x > 89.0f, all16(89.0f), x);
    x = choose16(x < -104.0f, all16(-104.0f), x);
    F16 shifted = x * 1.44269504088896341f + 12582912.0f; /* rounds to an integer */
    F16 n = shifted - 12582912.0f;
    F16 r = x - n * 0.693359375f + n * 2.12194440e-4f;
    F16 p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    I16 power = ((I16)shifted & 0x3FF) - ((I16)shifted & 0x200) * 2; /* n, from its bits */
    I16 half = power >> 1;
    F16 a = (F16)((half + 127) << 23), b = (F16)((power - half + 127) << 23);
    return p * a * b;
}

INLINE F16 abs16(F16 x) { return (F16)((I16)x & 0x7FFFFFFF); }

/* log(x) of normal x > 0 within 1 ulp, with the coefficients of Cephes' logf. */
INLINE F16 log16(F16 x)
{
    I16 power = ((I16)x >> 23) - 126;
    F16 m = (F16)(((I16)x & 0x007FFFFF) | 0x3F000000); /* x = m * 2 ** power */
    I16 low = m < 0.707106781186547524f;
    power += low; /* -1 where m is doubled */
    m = m + (F16)((I16)m & low) - 1.0f;
    F16 n = __builtin_convertvector(power, F16), z = m * m;
    F16 p = m * 7.0376836292e-2f - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    p = p * m * z - n * 2.12194440e-4f - z * 0.5f;
    return m + p + n * 0.693359375f;
}

/* log(1 + x) of x in [0, 1]. */
INLINE F16 log1p16(F16 x)
{
    F16 sum = x + 1.0f;
    return log16(sum) + (x - (sum - 1.0f)) / sum;
}
