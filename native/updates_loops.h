/* The rules of ops/variables/training.py on a run of elements, in their order of
 * operations: what is rounded there is rounded here. Part of updates.c.
 */
#ifndef UPDATES_LOOPS_H
#define UPDATES_LOOPS_H
#include <math.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK = 256 };

enum { DESCEND, ROLL, LOOK_AHEAD, ADAPT, RULES };

/* A variable: its value, slots and gradient, and their new values. */
typedef struct {
    const void *old[3], *grad;
    void *made[3];
    int64_t count;
    int first; /* of its parts */
} Target;

/* Square roots in vectors: compilers leave sqrtf to a loop, because it may set errno. */
static inline void roots_float(float *x, int64_t n)
{
    int64_t i = 0;
#ifdef __SSE2__
    for (; i + 4 <= n; i += 4)
        _mm_storeu_ps(x + i, _mm_sqrt_ps(_mm_loadu_ps(x + i)));
#endif
    for (; i < n; i++)
        x[i] = sqrtf(x[i]);
}

static inline void roots_double(double *x, int64_t n)
{
    int64_t i = 0;
#ifdef __SSE2__
    for (; i + 2 <= n; i += 2)
        _mm_storeu_pd(x + i, _mm_sqrt_pd(_mm_loadu_pd(x + i)));
#endif
    for (; i < n; i++)
        x[i] = sqrt(x[i]);
}
#endif


/* A loop whose rounds do not need each other: a value may be replaced where it lies. */
#ifdef __clang__
#define EACH(i, from, to)                                                               \
    _Pragma("clang loop vectorize(assume_safety)") for (int64_t i = from; i < to; i++)
#else
#define EACH(i, from, to) _Pragma("GCC ivdep") for (int64_t i = from; i < to; i++)
#endif
#define RULE(name, type) static inline void OF_WIDTH(name##_##type)

#define UPDATE(type)                                                                    \
    RULE(descend, type)(const type *x, const type *g, type a,                           \
                        type *made, int64_t n)                                          \
    {                                                                                   \
        EACH(i, 0, n)                                                                   \
            made[i] = x[i] - g[i] * a;                                                  \
    }                                                                                   \
    RULE(roll, type)(const type *x, const type *m,                                      \
                     const type *g, type a, type b, type *made,                         \
                     type *slot, int64_t n)                                             \
    {                                                                                   \
        EACH(i, 0, n) {                                                                 \
            type rolled = m[i] * b + g[i];                                              \
            slot[i] = rolled;                                                           \
            made[i] = x[i] - rolled * a;                                                \
        }                                                                               \
    }                                                                                   \
    RULE(look_ahead, type)(const type *x, const type *m,                                \
                           const type *g, type a, type b, type *made,                   \
                           type *slot, int64_t n)                                       \
    {                                                                                   \
        EACH(i, 0, n) {                                                                 \
            type rolled = m[i] * b + g[i];                                              \
            slot[i] = rolled;                                                           \
            made[i] = x[i] - (g[i] * a + rolled * b * a);                               \
        }                                                                               \
    }                                                                                   \
    RULE(adapt, type)(const type *x, const type *m,                                     \
                      const type *v, const type *g,                                     \
                      const double *numbers, type *made,                                \
                      type *means, type *squares, int64_t n)                            \
    {                                                                                   \
        type a = (type)numbers[0], b = (type)numbers[1];                                \
        type c = (type)numbers[2], d = (type)numbers[3];                                \
        for (int64_t at = 0; at < n; at += BLOCK) {                                     \
            type size[BLOCK];                                                           \
            int64_t end = n - at < BLOCK ? n : at + BLOCK;                              \
            EACH(i, at, end) {                                                          \
                squares[i] = (g[i] * g[i] - v[i]) * c + v[i];                           \
                means[i] = (g[i] - m[i]) * b + m[i];                                    \
                size[i - at] = squares[i];                                              \
            }                                                                           \
            roots_##type(size, end - at);                                               \
            EACH(i, at, end)                                                            \
                made[i] = x[i] - means[i] * a / (size[i - at] + d);                     \
        }                                                                               \
    }                                                                                   \
    RULE(update, type)(int rule, const double *numbers, const Target *t, int64_t at,    \
                       int64_t n)                                                       \
    {                                                                                   \
        const type *g = (const type *)t->grad + at, *old[3] = {NULL, NULL, NULL};       \
        type *made[3] = {NULL, NULL, NULL}, a = (type)numbers[0], b = (type)numbers[1]; \
        for (int k = 0; k < 3 && t->old[k]; k++) {                                      \
            old[k] = (const type *)t->old[k] + at;                                      \
            made[k] = (type *)t->made[k] + at;                                          \
        }                                                                               \
        if (rule == DESCEND)                                                            \
            OF_WIDTH(descend_##type)(old[0], g, a, made[0], n);                         \
        else if (rule == ROLL)                                                          \
            OF_WIDTH(roll_##type)(old[0], old[1], g, a, b, made[0], made[1], n);        \
        else if (rule == LOOK_AHEAD)                                                    \
            OF_WIDTH(look_ahead_##type)(old[0], old[1], g, a, b, made[0], made[1], n);  \
        else                                                                            \
            OF_WIDTH(adapt_##type)(old[0], old[1], old[2], g, numbers, made[0],         \
                                   made[1], made[2], n);                                \
    }

UPDATE(float)
UPDATE(double)
#undef UPDATE
#undef RULE
#undef EACH
