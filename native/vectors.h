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
#define above16 OF_WIDTH(above16_)
#define equal16 OF_WIDTH(equal16_)
#define exp16 OF_WIDTH(exp16_)
#define tanh16 OF_WIDTH(tanh16_)
#define sigmoid16 OF_WIDTH(sigmoid16_)
#define log16 OF_WIDTH(log16_)
#define log1p16 OF_WIDTH(log1p16_)
#define abs16 OF_WIDTH(abs16_)
#define sum16 OF_WIDTH(sum16_)
#define most16 OF_WIDTH(most16_)
#define least16 OF_WIDTH(least16_)

/* x = n ln 2 + r: `p` is exp(r), a polynomial with the coefficients of Cephes' expf, and
 * n is in the low bits of `shifted`. */
#define EXP_PARTS(V, x)                                                                 \
    V shifted = (x) * 1.44269504088896341f + 12582912.0f; /* rounds to an integer */    \
    V n = shifted - 12582912.0f;                                                        \
    V r = (x) - n * 0.693359375f + n * 2.12194440e-4f;                                  \
    V p = r * 1.9875691500e-4f + 1.3981999507e-3f;                                      \
    p = p * r + 8.3334519073e-3f;                                                       \
    p = p * r + 4.1665795894e-2f;                                                       \
    p = p * r + 1.6666665459e-1f;                                                       \
    p = p * r + 5.0000001201e-1f;                                                       \
    p = p * (r * r) + r + 1.0f;
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

/* a > b, a == b: -1 or 0 in each lane. Written for the machine's own vectors, because GCC
 * compares wider ones number by number. */
typedef float OF_WIDTH(Own) __attribute__((vector_size(WIDTH * 4)));
typedef int32_t OF_WIDTH(OwnMask) __attribute__((vector_size(WIDTH * 4)));
typedef union {
    F16 whole;
    OF_WIDTH(Own) parts[16 / WIDTH];
} OF_WIDTH(Split);
#define COMPARISON(name, operator)                                                      \
    INLINE I16 name(F16 a, F16 b)                                                       \
    {                                                                                   \
        OF_WIDTH(Split) x = {a}, y = {b}, found;                                        \
        for (int i = 0; i < 16 / WIDTH; i++)                                            \
            found.parts[i] = (OF_WIDTH(Own))(x.parts[i] operator y.parts[i]);           \
        return (I16)found.whole;                                                        \
    }
COMPARISON(above16, >)
COMPARISON(equal16, ==)
#undef COMPARISON

/* Where x > a (x < a) x, else a: `a` where one of them is NaN. */
#define EXTREME(name, operator)                                                         \
    INLINE F16 name(F16 a, F16 x)                                                       \
    {                                                                                   \
        typedef OF_WIDTH(OwnMask) Mask;                                                 \
        OF_WIDTH(Split) old = {a}, new = {x};                                           \
        for (int i = 0; i < 16 / WIDTH; i++) {                                          \
            Mask where = new.parts[i] operator old.parts[i];                            \
            Mask bits = ((Mask)new.parts[i] & where) | ((Mask)old.parts[i] & ~where);   \
            old.parts[i] = (OF_WIDTH(Own))bits;                                         \
        }                                                                               \
        return old.whole;                                                               \
    }
EXTREME(most16, >)
EXTREME(least16, <)
#undef EXTREME

/* The lanes' sum, always in the same order. */
INLINE float sum16(F16 v)
{
    for (int half = 8; half; half /= 2)
        for (int i = 0; i < half; i++)
            v[i] += v[i + half];
    return v[0];
}

/* A function of the machine's own vectors as one of 16 lanes. */
#define LANEWISE(name, own)                                                             \
    INLINE F16 name(F16 x)                                                              \
    {                                                                                   \
        OF_WIDTH(Split) v = {x};                                                        \
        for (int i = 0; i < 16 / WIDTH; i++)                                            \
            v.parts[i] = own(v.parts[i]);                                               \
        return v.whole;                                                                 \
    }

INLINE OF_WIDTH(Own) OF_WIDTH(pick)(OF_WIDTH(OwnMask) where, OF_WIDTH(Own) yes,
                                    OF_WIDTH(Own) no)
{
    typedef OF_WIDTH(OwnMask) Mask;
    return (OF_WIDTH(Own))(((Mask)yes & where) | ((Mask)no & ~where));
}

/* exp(x) within 1 ulp (denormal results within 2). */
INLINE OF_WIDTH(Own) OF_WIDTH(exp_own)(OF_WIDTH(Own) x)
{
    typedef OF_WIDTH(Own) V;
    typedef OF_WIDTH(OwnMask) Mask;
    x = OF_WIDTH(pick)(x > 89.0f, 89.0f - (V){0}, x);
    x = OF_WIDTH(pick)(x < -104.0f, -104.0f - (V){0}, x);
    EXP_PARTS(V, x)
    Mask power = (Mask)shifted - 0x4B400000; /* n, from its bits */
    Mask half = power >> 1;
    V a = (V)((half + 127) << 23), b = (V)((power - half + 127) << 23);
    return p * a * b;
}
LANEWISE(exp16, OF_WIDTH(exp_own))

INLINE F16 abs16(F16 x) { return (F16)((I16)x & 0x7FFFFFFF); }

/* 1 / (1 + exp(-x)) within 2 ulps. */
INLINE F16 sigmoid16(F16 x)
{
    F16 e = exp16(-abs16(x));
    return choose16(above16(all16(0), x), e, all16(1)) / (e + 1.0f);
}

/* tanh(x) within 2 ulps; near 0 the polynomial of Cephes' tanhf. */
INLINE OF_WIDTH(Own) OF_WIDTH(tanh_own)(OF_WIDTH(Own) x)
{
    typedef OF_WIDTH(Own) V;
    typedef OF_WIDTH(OwnMask) Mask;
    Mask sign = (Mask)x & (int32_t)0x80000000;
    V size = (V)((Mask)x ^ sign), z = x * x;
    V p = z * -5.70498872745e-3f + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    p = p * z * size + size;
    V far = 1.0f - 2.0f / (OF_WIDTH(exp_own)(size + size) + 1.0f);
    return (V)((Mask)OF_WIDTH(pick)(size < 0.625f, p, far) | sign);
}
LANEWISE(tanh16, OF_WIDTH(tanh_own))

/* log(x) of normal x > 0 within 1 ulp, with the coefficients of Cephes' logf. */
INLINE OF_WIDTH(Own) OF_WIDTH(log_own)(OF_WIDTH(Own) x)
{
    typedef OF_WIDTH(Own) V;
    typedef OF_WIDTH(OwnMask) Mask;
    Mask power = ((Mask)x >> 23) - 126;
    V m = (V)(((Mask)x & 0x007FFFFF) | 0x3F000000); /* x = m * 2 ** power */
    Mask low = m < 0.707106781186547524f;
    power += low; /* -1 where m is doubled */
    m = m + (V)((Mask)m & low) - 1.0f;
    V n = __builtin_convertvector(power, V), z = m * m;
    V p = m * 7.0376836292e-2f - 1.1514610310e-1f;
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
INLINE OF_WIDTH(Own) OF_WIDTH(log1p_own)(OF_WIDTH(Own) x)
{
    OF_WIDTH(Own) sum = x + 1.0f;
    return OF_WIDTH(log_own)(sum) + (x - (sum - 1.0f)) / sum;
}
LANEWISE(log1p16, OF_WIDTH(log1p_own))
#undef LANEWISE
