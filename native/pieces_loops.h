/* What ufuncs have no loop for, as loops of contiguous pieces: a choice between elements
 * of 4 and 8 bytes, conversions, sigmoid and softplus. `strides` are not looked at.
 */
#ifndef PIECES_LOOPS_H
#define PIECES_LOOPS_H
#include <stdint.h>

typedef struct {
    const char *name;
    Loop *loop;
} OwnLoop;

#define LOOP(name)                                                                      \
    static void OF_WIDTH(name)(char **arrays, const Py_ssize_t *count,                  \
                               const Py_ssize_t *strides, void *data)
#define CHOOSE(name, type)                                                              \
    LOOP(name)                                                                          \
    {                                                                                   \
        const uint8_t *where = (const uint8_t *)arrays[0];                              \
        const type *yes = (const type *)arrays[1], *no = (const type *)arrays[2];       \
        type *out = (type *)arrays[3];                                                  \
        Py_ssize_t n = *count;                                                          \
        for (Py_ssize_t i = 0; i < n; i++)                                              \
            out[i] = where[i] ? yes[i] : no[i];                                         \
    }
#define CAST(name, type, made)                                                          \
    LOOP(name)                                                                          \
    {                                                                                   \
        const type *x = (const type *)arrays[0];                                        \
        made *out = (made *)arrays[1];                                                  \
        Py_ssize_t n = *count;                                                          \
        for (Py_ssize_t i = 0; i < n; i++)                                              \
            out[i] = (made)x[i];                                                        \
    }
#define FUNCTION(name, formula)                                                         \
    LOOP(name)                                                                          \
    {                                                                                   \
        const float *from = (const float *)arrays[0];                                   \
        float *out = (float *)arrays[1];                                                \
        Py_ssize_t n = *count, i = 0;                                                   \
        for (; i + 16 <= n; i += 16) {                                                  \
            F16 x = load16(from + i);                                                   \
            store16(out + i, formula);                                                  \
        }                                                                               \
        if (i < n) {                                                                    \
            F16 x = load_some(from + i, n - i, 0);                                      \
            store_some(out + i, formula, n - i);                                        \
        }                                                                               \
    }
#endif

FUNCTION(sigmoid, sigmoid16(x))
FUNCTION(softplus, choose16(above16(all16(0), x), all16(0), x) +
                       log1p16(exp16(-abs16(x))))
CHOOSE(choose4, uint32_t)
CHOOSE(choose8, uint64_t)
CAST(bool_float, uint8_t, float)
CAST(bool_double, uint8_t, double)
CAST(bool_int, uint8_t, int32_t)
CAST(bool_long, uint8_t, int64_t)
CAST(int_float, int32_t, float)
CAST(int_double, int32_t, double)
CAST(int_long, int32_t, int64_t)
CAST(long_float, int64_t, float)
CAST(long_double, int64_t, double)
CAST(long_int, int64_t, int32_t)
CAST(float_double, float, double)
CAST(double_float, double, float)

#define OWN(name) {#name, OF_WIDTH(name)}
static const OwnLoop OF_WIDTH(own_loops)[] = {
    OWN(choose4),     OWN(choose8),      OWN(bool_float), OWN(bool_double),
    OWN(bool_int),    OWN(bool_long),    OWN(int_float),  OWN(int_double),
    OWN(int_long),    OWN(long_float),   OWN(long_double), OWN(long_int),
    OWN(float_double), OWN(double_float), OWN(sigmoid),   OWN(softplus),
    {NULL, NULL},
};
