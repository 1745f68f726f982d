/* Images read between their pixels: what ops/image/resampling.py and projective.py do on
 * arrays, with the same steps; and the parts of images that hang together (components.py).
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include "xla_calls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "uncontracted.h"

#define PLACES_A_PART 1024

/* data[n][h][w][c] at warp[n][m][2]: out[n][m][c]; slopes of both, given dy[n][m][c]. */
typedef struct {
    const float *data, *warp, *dy;
    float *out, *of_data, *of_warp;
    int64_t n, h, w, c, m;
} Sampling;

typedef struct {
    int64_t at; /* the pixel's row in an image, -1 outside */
    float a, b; /* its share of the rows, of the columns */
} Corner;

static Corner corner_of(const Sampling *s, const float *place, int down, int right)
{
    float x = place[0], y = place[1];
    if (!(x > -1 && y > -1 && x < (float)s->w && y < (float)s->h))
        return (Corner){-1, 0, 0};
    float left = floorf(x), top = floorf(y);
    int64_t i = (int64_t)top + down, j = (int64_t)left + right;
    Corner k = {i * s->w + j, down ? y - top : top + 1 - y, right ? x - left : left + 1 - x};
    if (i < 0 || j < 0 || i >= s->h || j >= s->w)
        k.at = -1;
    return k;
}

static void sample_part(void *work, int part, int slot)
{
    const Sampling *s = work;
    int64_t first = (int64_t)part * PLACES_A_PART, last = first + PLACES_A_PART;
    for (int64_t p = first; p < last && p < s->n * s->m; p++) {
        const float *image = s->data + p / s->m * s->h * s->w * s->c;
        float *out = s->out + p * s->c;
        memset(out, 0, s->c * sizeof(float));
        for (int q = 0; q < 4; q++) {
            Corner k = corner_of(s, s->warp + 2 * p, q >> 1, q & 1);
            if (k.at < 0)
                continue;
            float share = k.a * k.b;
            const float *pixel = image + k.at * s->c;
            for (int64_t c = 0; c < s->c; c++)
                out[c] += share * pixel[c];
        }
    }
}

/* One image; corner after corner, so that the sums are in the order of segment sums. */
static void slopes_part(void *work, int part, int slot)
{
    const Sampling *s = work;
    int64_t image = part * s->h * s->w * s->c;
    float *of_data = s->of_data + image;
    memset(of_data, 0, s->h * s->w * s->c * sizeof(float));
    memset(s->of_warp + part * s->m * 2, 0, s->m * 2 * sizeof(float));
    for (int q = 0; q < 4; q++)
        for (int64_t p = part * s->m; p < (part + 1) * s->m; p++) {
            Corner k = corner_of(s, s->warp + 2 * p, q >> 1, q & 1);
            if (k.at < 0)
                continue;
            const float *pixel = s->data + image + k.at * s->c, *dy = s->dy + p * s->c;
            float *to = of_data + k.at * s->c, share = k.a * k.b, seen = 0;
            for (int64_t c = 0; c < s->c; c++)
                to[c] += share * dy[c];
            for (int64_t c = 0; c < s->c; c++)
                seen += pixel[c] * dy[c];
            s->of_warp[2 * p] += (q & 1 ? k.a : -k.a) * seen;
            s->of_warp[2 * p + 1] += (q >> 1 ? k.b : -k.b) * seen;
        }
}

/* Whether `sizes`, n h w c m, are those of the arrays. */
static int sampling_fits(Sampling *s, const int64_t *sizes, int64_t data, int64_t warp,
                         int64_t out)
{
    s->n = sizes[0], s->h = sizes[1], s->w = sizes[2], s->c = sizes[3], s->m = sizes[4];
    int64_t places[] = {s->n, s->m, 2}, made[] = {s->n, s->m, s->c};
    return sizes_are(data, sizes, 4) && sizes_are(warp, places, 3) &&
           sizes_are(out, made, 3) && s->h < 1 << 24 && s->w < 1 << 24 &&
           s->n < 1 << 30 && s->n * s->m / PLACES_A_PART < 1 << 30;
}

static Part *sampling_parts(const Sampling *s, int *parts)
{
    *parts = s->dy ? (int)s->n : (int)((s->n * s->m + PLACES_A_PART - 1) / PLACES_A_PART);
    return s->dy ? slopes_part : sample_part;
}

static int threads_for(int64_t parts)
{
    return parts > 1 ? threads_now() : 1;
}

/* resample(data, warp, out, sizes) */
static PyObject *resample(PyObject *module, PyObject *args)
{
    Py_buffer b[3];
    int64_t sizes[5];
    long long z[5];
    Sampling s = {0};
    if (!PyArg_ParseTuple(args, "y*y*w*(LLLLL)", &b[0], &b[1], &b[2], z, z + 1, z + 2, z + 3,
                          z + 4))
        return NULL;
    for (int i = 0; i < 5; i++)
        sizes[i] = z[i];
    s.data = b[0].buf, s.warp = b[1].buf, s.out = b[2].buf;
    int good = sampling_fits(&s, sizes, b[0].len / 4, b[1].len / 4, b[2].len / 4), parts;
    if (good) {
        Part *part = sampling_parts(&s, &parts);
        Py_BEGIN_ALLOW_THREADS
        run_parts(part, &s, parts, threads_for(parts));
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(&b[i]);
    return good ? Py_NewRef(Py_None) : wrong_sizes("resample");
}

/* resample_slopes(data, warp, dy, of data, of warp, sizes) */
static PyObject *resample_slopes(PyObject *module, PyObject *args)
{
    Py_buffer b[5];
    int64_t sizes[5];
    long long z[5];
    Sampling s = {0};
    if (!PyArg_ParseTuple(args, "y*y*y*w*w*(LLLLL)", &b[0], &b[1], &b[2], &b[3], &b[4], z,
                          z + 1, z + 2, z + 3, z + 4))
        return NULL;
    for (int i = 0; i < 5; i++)
        sizes[i] = z[i];
    s.data = b[0].buf, s.warp = b[1].buf, s.dy = b[2].buf;
    s.of_data = b[3].buf, s.of_warp = b[4].buf;
    int good = sampling_fits(&s, sizes, b[0].len / 4, b[1].len / 4, b[2].len / 4) &&
               b[3].len == b[0].len && b[4].len == b[1].len,
        parts;
    if (good) {
        Part *part = sampling_parts(&s, &parts);
        Py_BEGIN_ALLOW_THREADS
        run_parts(part, &s, parts, threads_for(parts));
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(&b[i]);
    return good ? Py_NewRef(Py_None) : wrong_sizes("resample_slopes");
}

/* The attribute: int64[5], the sizes. Two arrays in and one out; or three, and two. */
static void *resample_in_xla(XlaCall *call)
{
    XlaPair x;
    Sampling s = {0};
    void *error = NULL;
    int slopes = call->arguments.count == 3, good, parts;
    if (!xla_arrays(call, 2 + slopes, 1 + slopes, &x, &error))
        return error;
    good = x.facts->count == 5;
    for (int i = 0; i < 3 + 2 * slopes; i++)
        good = good && x.buffers[i]->dtype == XLA_FLOAT32;
    s.data = x.buffers[0]->data, s.warp = x.buffers[1]->data;
    if (slopes) {
        s.dy = x.buffers[2]->data;
        s.of_data = x.buffers[3]->data, s.of_warp = x.buffers[4]->data;
        good = good && x.counts[3] == x.counts[0] && x.counts[4] == x.counts[1];
    } else
        s.out = x.buffers[2]->data;
    if (!good || !sampling_fits(&s, x.facts->data, x.counts[0], x.counts[1], x.counts[2]))
        return xla_error(call, "the sizes of places in images do not fit");
    Part *part = sampling_parts(&s, &parts);
    share_in_xla(call, part, &s, parts, parts > 1 ? xla_threads(call) : 1);
    return NULL;
}

static PyObject *resample_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(resample_in_xla);
}

/* ------------------------------------------------------------------------ transforms */
typedef struct {
    const float *images, *transforms; /* [n][h][w][c], [1 or n][8] */
    float *out;                       /* [n][rows][columns][c] */
    int64_t n, h, w, c, rows, columns;
    int64_t several, nearest;
} Seen;

static const float *pixel_of(const Seen *s, int64_t n, float row, float column)
{
    if (!(row >= 0 && row < (float)s->h && column >= 0 && column < (float)s->w))
        return NULL;
    return s->images + ((n * s->h + (int64_t)row) * s->w + (int64_t)column) * s->c;
}

static float away(float x) { return truncf(x + (x < 0 ? -0.5f : 0.5f)); }

static float known(float x) { return x - x == 0 ? x : -(float)(1 << 20); }

static void between(const Seen *s, int64_t n, float x, float y, float *out)
{
    float left = floorf(x), top = floorf(y), right = x - left, down = y - top;
    const float *p[4];
    for (int q = 0; q < 4; q++)
        p[q] = pixel_of(s, n, q < 2 ? top : top + 1, q & 1 ? left + 1 : left);
    for (int64_t c = 0; c < s->c; c++) {
        float v[4];
        for (int q = 0; q < 4; q++)
            v[q] = p[q] ? p[q][c] : 0;
        float above = (1 - right) * v[0] + right * v[1];
        float below = (1 - right) * v[2] + right * v[3];
        out[c] = (1 - down) * above + down * below;
    }
}

/* A row of an image that is made. */
static void seen_part(void *work, int part, int slot)
{
    const Seen *s = work;
    int64_t n = part / s->rows, i = part % s->rows;
    const float *a = s->transforms + (s->several ? 8 * n : 0);
    float *out = s->out + part * s->columns * s->c, row = (float)i;
    for (int64_t j = 0; j < s->columns; j++, out += s->c) {
        float column = (float)j, scale = a[6] * column + a[7] * row + 1.0f;
        float x = known((a[0] * column + a[1] * row + a[2]) / scale);
        float y = known((a[3] * column + a[4] * row + a[5]) / scale);
        if (!s->nearest) {
            between(s, n, x, y, out);
            continue;
        }
        const float *pixel = pixel_of(s, n, away(y), away(x));
        if (pixel)
            memcpy(out, pixel, s->c * sizeof(float));
        else
            memset(out, 0, s->c * sizeof(float));
    }
}

/* Whether `sizes`, n h w c rows columns several nearest, are those of the arrays. */
static int seen_fits(Seen *s, const int64_t *sizes, int64_t images, int64_t transforms,
                     int64_t out)
{
    s->n = sizes[0], s->h = sizes[1], s->w = sizes[2], s->c = sizes[3];
    s->rows = sizes[4], s->columns = sizes[5], s->several = sizes[6], s->nearest = sizes[7];
    int64_t made[] = {s->n, s->rows, s->columns, s->c}, all[] = {s->several ? s->n : 1, 8};
    return sizes_are(images, sizes, 4) && sizes_are(transforms, all, 2) &&
           sizes_are(out, made, 4) && s->n < 1 << 30 && s->rows < 1 << 24 &&
           s->n * s->rows < 1 << 30 && s->h < 1 << 24 && s->w < 1 << 24;
}

/* transformed(images, transforms, out, sizes) */
static PyObject *transformed(PyObject *module, PyObject *args)
{
    Py_buffer b[3];
    int64_t sizes[8];
    long long z[8];
    Seen s;
    if (!PyArg_ParseTuple(args, "y*y*w*(LLLLLLLL)", &b[0], &b[1], &b[2], z, z + 1, z + 2,
                          z + 3, z + 4, z + 5, z + 6, z + 7))
        return NULL;
    for (int i = 0; i < 8; i++)
        sizes[i] = z[i];
    s.images = b[0].buf, s.transforms = b[1].buf, s.out = b[2].buf;
    int good = seen_fits(&s, sizes, b[0].len / 4, b[1].len / 4, b[2].len / 4);
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        run_parts(seen_part, &s, (int)(s.n * s.rows),
                  b[2].len > 1 << 14 ? threads_for(s.n * s.rows) : 1);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(&b[i]);
    return good ? Py_NewRef(Py_None) : wrong_sizes("transformed");
}

/* The attribute: int64[8], the sizes. */
static void *transform_in_xla(XlaCall *call)
{
    XlaPair x;
    Seen s;
    void *error = NULL;
    if (!xla_pair(call, &x, &error))
        return error;
    int good = x.facts->count == 8;
    for (int i = 0; i < 3; i++)
        good = good && x.buffers[i]->dtype == XLA_FLOAT32;
    s.images = x.buffers[0]->data, s.transforms = x.buffers[1]->data;
    s.out = x.buffers[2]->data;
    if (!good || !seen_fits(&s, x.facts->data, x.counts[0], x.counts[1], x.counts[2]))
        return xla_error(call, "the sizes of transformed images do not fit");
    share_in_xla(call, seen_part, &s, (int)(s.n * s.rows),
                 x.counts[2] > 1 << 12 ? xla_threads(call) : 1);
    return NULL;
}

static PyObject *transform_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(transform_in_xla);
}

/* ------------------------------------------------------------------------- components */
typedef struct {
    const char *images;
    int64_t *out, rows, columns;
    int item, floats;
} Parts;

static int64_t root_of(int64_t *up, int64_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

/* Each pixel points up, to one before it; the first of a part to itself. */
#define LABEL(type)                                                                     \
    static void label_##type(const Parts *w, const type *x, int64_t *up)                \
    {                                                                                   \
        int64_t columns = w->columns;                                                   \
        for (int64_t i = 0; i < w->rows; i++)                                           \
            for (int64_t j = 0; j < columns; j++) {                                     \
                int64_t at = i * columns + j;                                           \
                int left = j && x[at] == x[at - 1];                                     \
                int above = i && x[at] == x[at - columns];                              \
                if (x[at] == 0)                                                         \
                    continue;                                                           \
                up[at] = at;                                                            \
                if (left)                                                               \
                    up[at] = up[at - 1];                                                \
                if (above && (!left || x[at] != x[at - columns - 1])) {                 \
                    int64_t a = root_of(up, at - columns), b = root_of(up, up[at]);     \
                    up[a < b ? b : a] = a < b ? a : b;                                  \
                    up[at] = a < b ? a : b;                                             \
                }                                                                       \
            }                                                                           \
        for (int64_t at = 0; at < w->rows * columns; at++)                              \
            up[at] = x[at] == x[at] && x[at] != 0 ? up[up[at]] : -1;                    \
    }
LABEL(int8_t)
LABEL(int16_t)
LABEL(int32_t)
LABEL(int64_t)
LABEL(float)
LABEL(double)

static void label_part(void *work, int part, int slot)
{
    const Parts *w = work;
    int64_t size = w->rows * w->columns, *out = w->out + part * size;
    const void *x = w->images + part * size * w->item;
    if (w->floats)
        w->item == 4 ? label_float(w, x, out) : label_double(w, x, out);
    else if (w->item < 4)
        w->item == 1 ? label_int8_t(w, x, out) : label_int16_t(w, x, out);
    else
        w->item == 4 ? label_int32_t(w, x, out) : label_int64_t(w, x, out);
    for (int64_t i = 0; i < size; i++)
        out[i] = out[i] < 0 ? 0 : out[i] + 1 + part * size;
}

/* components(images, out, rows, columns, bytes of a pixel, floats): int64, the first pixel
 * of each one's part, from 1; 0 where it is 0 or NaN. */
static PyObject *components(PyObject *module, PyObject *args)
{
    Py_buffer images, out;
    long long rows, columns;
    Parts w;
    if (!PyArg_ParseTuple(args, "y*w*LLip", &images, &out, &rows, &columns, &w.item,
                          &w.floats))
        return NULL;
    w.images = images.buf, w.out = out.buf, w.rows = rows, w.columns = columns;
    int64_t size = rows > 0 && columns > 0 && rows < 1 << 24 && columns < 1 << 24
                       ? (int64_t)rows * columns
                       : 0;
    int64_t count = size ? out.len / 8 / size : 0;
    int64_t made[] = {count, size, 8}, given[] = {count, size, w.item};
    int good = size && count < 1 << 30 && sizes_are(out.len, made, 3) &&
               sizes_are(images.len, given, 3) && (w.item & (w.item - 1)) == 0 &&
               w.item >= (w.floats ? 4 : 1) && w.item <= 8;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        run_parts(label_part, &w, (int)count, count * size > 8192 ? threads_now() : 1);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&images);
    PyBuffer_Release(&out);
    return good ? Py_NewRef(Py_None) : wrong_sizes("components");
}
#endif

PyMethodDef sampling_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"resample", resample, METH_VARARGS, "Pixels at places."},
    {"resample_slopes", resample_slopes, METH_VARARGS, "The way back."},
    {"resample_for_xla", resample_for_xla, METH_NOARGS, "Both as XLA calls them."},
    {"transformed", transformed, METH_VARARGS, "Images through transforms."},
    {"transform_for_xla", transform_for_xla, METH_NOARGS, "It as XLA calls it."},
    {"components", components, METH_VARARGS, "Parts that hang together."},
#endif
    {NULL, NULL, 0, NULL},
};
