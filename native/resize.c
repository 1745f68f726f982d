/* Images of another size, linearly: along the columns, then along the rows.
 *
 * Each row of the source that is asked for is resized once, in float32, with the sums in
 * the order of the NumPy twin: the last bit is the same. No sum is contracted.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <stdlib.h>

#define SHARED_FLOATS (1 << 18) /* from here on threads share the work */
#define MOST_SHARES 16
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#define EXACTLY
#else
#define EXACTLY __attribute__((optimize("fp-contract=off")))
#endif

typedef struct {
    float *out, *rows; /* `rows`: two of the result's width, for each share */
    const char *image;
    int is_float, shares, failed;
    int64_t count, height, width, channels, tall, wide;
    const int64_t *above, *below, *left, *right; /* `left`, `right`: of each float */
    const float *down, *across;
} Resize;

#define RESIZE_ROW(type)                                                                \
    EXACTLY static void row_of_##type(float *restrict to, const type *restrict from,    \
                                      const int64_t *restrict left,                     \
                                      const int64_t *restrict right,                    \
                                      const float *restrict part, int64_t n)            \
    {                                                                                   \
        for (int64_t i = 0; i < n; i++) {                                               \
            float low = (float)from[left[i]], high = (float)from[right[i]] - low;       \
            high *= part[i];                                                            \
            to[i] = high + low;                                                         \
        }                                                                               \
    }
RESIZE_ROW(uint8_t)
RESIZE_ROW(float)

EXACTLY static void between(float *restrict to, const float *restrict low,
                            const float *restrict high, float part, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        float more = high[i] - low[i];
        more *= part;
        to[i] = more + low[i];
    }
}

/* Row `y` of an image, resized into one of two places, if it is in neither. */
static const float *row_at(const Resize *r, int64_t picture, int64_t y, float *rows,
                           int64_t held[2], int64_t keep)
{
    int64_t n = r->wide * r->channels, at = picture * r->height + y;
    if (held[0] == at || held[1] == at)
        return rows + (held[0] == at ? 0 : n);
    int place = held[0] == keep;
    int64_t first = at * r->width * r->channels;
    if (r->is_float)
        row_of_float(rows + place * n, (const float *)r->image + first, r->left, r->right,
                     r->across, n);
    else
        row_of_uint8_t(rows + place * n, (const uint8_t *)r->image + first, r->left,
                       r->right, r->across, n);
    held[place] = at;
    return rows + place * n;
}

static void resize_part(void *work, int part, int slot)
{
    const Resize *r = work;
    int64_t n = r->wide * r->channels, all = r->count * r->tall, held[2] = {-1, -1};
    float *rows = r->rows + part * 2 * n;
    for (int64_t i = all * part / r->shares; i < all * (part + 1) / r->shares; i++) {
        int64_t picture = i / r->tall, y = i % r->tall;
        int64_t first = picture * r->height + r->above[y];
        const float *low = row_at(r, picture, r->above[y], rows, held,
                                  picture * r->height + r->below[y]);
        const float *high = row_at(r, picture, r->below[y], rows, held, first);
        between(r->out + i * n, low, high, r->down[y], n);
    }
}

static int inside(const int64_t *places, int64_t n, int64_t size)
{
    for (int64_t i = 0; i < n; i++)
        if (places[i] < 0 || places[i] >= size)
            return 0;
    return 1;
}

static int fits(const Resize *r, const Py_buffer *b)
{
    int64_t made[] = {r->count, r->tall, r->wide, r->channels, sizeof(float)};
    int64_t had[] = {r->count, r->height, r->width, r->channels, r->is_float ? 4 : 1};
    int64_t n = r->wide * r->channels;
    return sizes_are(b[0].len, made, 5) && sizes_are(b[1].len, had, 5) &&
           b[2].len == 8 * r->tall && b[3].len == 8 * r->tall && b[4].len == 4 * r->tall &&
           b[5].len == 8 * n && b[6].len == 8 * n && b[7].len == 4 * n &&
           inside(r->above, r->tall, r->height) && inside(r->below, r->tall, r->height) &&
           inside(r->left, n, r->width * r->channels) &&
           inside(r->right, n, r->width * r->channels);
}

/* resize_linear(out, image, above, below, down, left, right, across, is_float, count,
 * height, width, channels, tall, wide): see base/pictures.py. */
static PyObject *resize_linear(PyObject *module, PyObject *args)
{
    Py_buffer b[8];
    long long n[6];
    int is_float;
    if (!PyArg_ParseTuple(args, "w*y*y*y*y*y*y*y*iLLLLLL", &b[0], &b[1], &b[2], &b[3],
                          &b[4], &b[5], &b[6], &b[7], &is_float, &n[0], &n[1], &n[2],
                          &n[3], &n[4], &n[5]))
        return NULL;
    Resize r = {
        .out = b[0].buf, .image = b[1].buf, .above = b[2].buf, .below = b[3].buf,
        .down = b[4].buf, .left = b[5].buf, .right = b[6].buf, .across = b[7].buf,
        .is_float = is_float, .count = n[0], .height = n[1], .width = n[2],
        .channels = n[3], .tall = n[4], .wide = n[5],
    };
    PyObject *done = fits(&r, b) ? Py_None : wrong_sizes("resize_linear");
    int64_t floats = b[0].len / sizeof(float), row = r.wide * r.channels;
    int64_t shares = floats < SHARED_FLOATS ? 1 : floats / (SHARED_FLOATS / 4);
    r.shares = (int)(shares < MOST_SHARES ? shares : MOST_SHARES);
    r.rows = done ? malloc(sizeof(float) * 2 * (row ? row : 1) * r.shares) : NULL;
    if (done && !r.rows)
        done = PyErr_NoMemory();
    if (done) {
        Py_BEGIN_ALLOW_THREADS
        run_parts(resize_part, &r, r.shares, r.shares > 1 ? threads_now() : 1);
        Py_END_ALLOW_THREADS
    }
    free(r.rows);
    for (int i = 0; i < 8; i++)
        PyBuffer_Release(&b[i]);
    return Py_XNewRef(done);
}

PyMethodDef resize_methods[] = {
    {"resize_linear", resize_linear, METH_VARARGS, "Images of another size."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef resize_methods[] = {{NULL, NULL, 0, NULL}};
#endif
