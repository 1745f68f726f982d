/* Sums, maxima and minima along axes, and where these are in rows: base/reductions.py.
 *
 * Axes that lie beside each other and are both kept or both reduced are one, so that an
 * array is [outer, reduced, inner]. A unit is a block of the reduced axis in a tile of the
 * inner one; a part is as many units as are worth a call. What NumPy's own loop takes is
 * left to it: the functions take the arguments of `np.add.reduce`.
 */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"
#include "pool.h"
#include <stdlib.h>

#if !defined(_WIN32) && defined(__GNUC__)
#define LOOPS "reduce_loops.h"
#include "each_width.h"

#define FEW 16384       /* floats: NumPy takes 3 us */
#define SHARED (1 << 17) /* floats for which other threads are called */
#define SMALL 2048      /* elements of a small matrix */
#define SHORT 128       /* elements that NumPy adds up in eight sums */
#define PIECE 32768     /* floats of a part: they stay in the L2 cache */
#define TILE 2048       /* columns whose sums stay in the L1 cache */
#define MOST_BLOCKS 256

typedef struct {
    int kind;
    const float *x;
    float *out; /* [outer, blocks, inner] */
    int64_t outer, reduced, inner, block, blocks, tiles, units, each;
} Reduction;

static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void reduce_part(void *work, int part, int slot)
{
    const Reduction *j = work;
    int64_t end = (part + 1) * j->each;
    end = end < j->units ? end : j->units;
    for (int64_t unit = part * j->each; unit < end; unit++) {
        int64_t b = unit % j->blocks, t = unit / j->blocks % j->tiles;
        int64_t o = unit / j->blocks / j->tiles, first = b * j->block;
        int64_t rows = j->reduced - first < j->block ? j->reduced - first : j->block;
        int64_t wide = j->inner - t * TILE < TILE ? j->inner - t * TILE : TILE;
        FOR_WIDTH(reduce)
        (j->kind, j->x + (o * j->reduced + first) * j->inner + t * TILE, rows, j->inner,
         wide, j->out + (o * j->blocks + b) * j->inner + t * TILE);
    }
}

static void plan(Reduction *j)
{
    int64_t wide = j->inner < TILE ? j->inner : TILE;
    j->tiles = up(j->inner, TILE);
    j->block = PIECE / wide / 8 * 8;
    int64_t fewest = up(up(j->reduced, MOST_BLOCKS), 8) * 8;
    if (j->inner > 1 && j->block < fewest)
        j->block = fewest;
    if (j->block >= j->reduced / 2)
        j->block = j->reduced;
    j->blocks = up(j->reduced, j->block);
    j->units = j->outer * j->tiles * j->blocks;
    j->each = up(PIECE, wide * j->block);
    if (j->units / j->each > 1 << 20)
        j->each = up(j->units, 1 << 20);
}

/* The sums of blocks' sums; of rows in double, since there may be very many. */
static void finish(const Reduction *j, float *out)
{
    for (int64_t o = 0; o < j->outer; o++) {
        const float *of = j->out + o * j->blocks * j->inner;
        if (j->inner > 1 || j->kind != SUM) {
            for (int64_t t = 0; t < j->inner; t += TILE) {
                int64_t wide = j->inner - t < TILE ? j->inner - t : TILE;
                FOR_WIDTH(reduce)(j->kind, of + t, j->blocks, j->inner, wide,
                                  out + o * j->inner + t);
            }
            continue;
        }
        double total = -0.0;
        for (int64_t b = 0; b < j->blocks; b++)
            total += of[b];
        out[o] = (float)total;
    }
}

/* 0 where there is no memory. */
static int run_reduction(Reduction *j, float *out)
{
    plan(j);
    float *own = NULL;
    j->out = out;
    if (j->blocks > 1) {
        own = malloc(j->outer * j->blocks * j->inner * sizeof(float));
        if (!own)
            return 0;
        j->out = own;
    }
    int threads = j->outer * j->reduced * j->inner < SHARED ? 1 : threads_now();
    run_parts(reduce_part, j, (int)up(j->units, j->each), threads);
    if (own)
        finish(j, out);
    free(own);
    return 1;
}

/* ------------------------------------------------------------------ axes */
enum { MOST_AXES = 64 };

/* Whether float32 lies there row by row, and enough of it. */
static const Array *large(PyObject *x)
{
    const Array *a = as_array(x);
    if (!a || a->nd > MOST_AXES || !can_make_arrays())
        return NULL;
    Py_ssize_t size = 1;
    for (int i = 0; i < a->nd; i++)
        size *= a->shape[i];
    if (size < FEW || number_of(a) != FLOAT_NUMBER || !(a->flags & C_ORDER))
        return NULL;
    return a;
}

static int mark(const Array *a, PyObject *axis, char *gone)
{
    if (!PyLong_CheckExact(axis))
        return 0;
    long at = PyLong_AsLong(axis);
    at = at < 0 ? at + a->nd : at;
    if (at < 0 || at >= a->nd || gone[at]) {
        PyErr_Clear();
        return 0;
    }
    return gone[at] = 1;
}

/* Which axes are reduced. 0: NumPy has to look at them. */
static int marked(const Array *a, PyObject *axes, char *gone)
{
    memset(gone, axes == Py_None, MOST_AXES);
    if (axes == Py_None)
        return 1;
    if (!PyTuple_CheckExact(axes))
        return mark(a, axes, gone);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axes); i++)
        if (!mark(a, PyTuple_GET_ITEM(axes, i), gone))
            return 0;
    return 1;
}

/* Sizes of the axes as one, kept and reduced in turn, the first kept; how many, or 0. */
static int turns(const Array *a, const char *gone, int64_t sizes[6])
{
    int n = 1;
    sizes[0] = 1;
    for (int i = 0; i < a->nd; i++) {
        if (a->shape[i] == 1)
            continue;
        if (gone[i] != !(n & 1)) {
            if (n == 6)
                return 0;
            sizes[n++] = 1;
        }
        sizes[n - 1] *= a->shape[i];
    }
    return n;
}

static PyObject *result_of(const Array *a, const char *gone, int keep, int number)
{
    Py_ssize_t shape[MOST_AXES];
    int n = 0;
    for (int i = 0; i < a->nd; i++)
        if (!gone[i] || keep)
            shape[n++] = gone[i] ? 1 : a->shape[i];
    return new_array(n, shape, number, 0);
}

/* [outer, reduced, inner], or [reduced, kept, reduced] in two steps. */
static int reduced_to(int kind, const float *x, int n, const int64_t *sizes, float *out)
{
    Reduction j = {.kind = kind, .x = x, .outer = sizes[0], .reduced = sizes[1],
                   .inner = n > 2 ? sizes[2] : 1};
    if (n < 4)
        return run_reduction(&j, out);
    float *half = malloc(sizes[1] * sizes[2] * sizeof(float));
    Reduction last = {.kind = kind, .x = x, .outer = sizes[1] * sizes[2],
                      .reduced = sizes[3], .inner = 1};
    j.x = half;
    int done = half && run_reduction(&last, half) && run_reduction(&j, out);
    free(half);
    return done;
}

/* The result, or NULL without an error: it is for NumPy. */
static PyObject *reduced(int kind, PyObject *const *args, Py_ssize_t n)
{
    char gone[MOST_AXES];
    int64_t sizes[6];
    const Array *a = n > 1 ? large(args[0]) : NULL;
    if (kind != SUM && vector_width == 8)
        return NULL; /* NumPy's extremes are faster with AVX2 */
    if (!a || !marked(a, args[1], gone) || (n > 3 && args[3] != Py_None))
        return NULL;
    if (n > 2 && args[2] != Py_None && args[2] != (PyObject *)a->descr)
        return NULL;
    if (n > 4 && !PyBool_Check(args[4]))
        return NULL;
    int count = turns(a, gone, sizes);
    if (count < 2 || count > 4 || (count == 4 && sizes[0] != 1))
        return NULL;
    PyObject *out = result_of(a, gone, n > 4 && args[4] == Py_True, FLOAT_NUMBER);
    if (!out)
        return NULL;
    int done;
    float *to = (float *)((Array *)out)->data;
    Py_BEGIN_ALLOW_THREADS
    done = reduced_to(kind, (const float *)a->data, count, sizes, to);
    Py_END_ALLOW_THREADS
    if (!done)
        Py_CLEAR(out);
    return out;
}

static PyObject *by_numpy[3]; /* np.add.reduce, np.fmax.reduce, np.fmin.reduce */

#define SUM_ROWS(type)                                                                  \
    for (int64_t k = 0; k < n; k++)                                                     \
        ((type *)to)[k] = 0 + ((const type *)from)[k]; /* no -0 */                      \
    for (int64_t r = 1; r < rows; r++)                                                  \
        for (int64_t k = 0; k < n; k++)                                                 \
            ((type *)to)[k] += ((const type *)from)[r * n + k]

/* The sum of the rows of a small matrix, one after the other as NumPy adds them, without
 * the way to it; or NULL. */
static PyObject *small_sum(PyObject *const *args, Py_ssize_t n_args)
{
    const Array *a = n_args > 1 ? as_array(args[0]) : NULL;
    PyObject *axis = n_args > 1 ? args[1] : NULL;
    if (!a || a->nd != 2 || !(a->flags & C_ORDER) || !can_make_arrays() || n_args > 3 ||
        (n_args > 2 && args[2] != Py_None && args[2] != (PyObject *)a->descr))
        return NULL;
    if (PyTuple_CheckExact(axis) && PyTuple_GET_SIZE(axis) == 1)
        axis = PyTuple_GET_ITEM(axis, 0);
    int64_t rows = a->shape[0], n = a->shape[1];
    int number = number_of(a), overflow;
    if (!PyLong_CheckExact(axis) || PyLong_AsLongAndOverflow(axis, &overflow) || overflow ||
        rows < 1 || n < 2 || rows * n > SMALL ||
        (number != FLOAT_NUMBER && number != DOUBLE_NUMBER))
        return NULL;
    PyObject *out = new_array(1, &a->shape[1], number, 0);
    if (!out)
        return NULL;
    const char *from = a->data;
    char *to = ((Array *)out)->data;
    if (number == FLOAT_NUMBER) {
        SUM_ROWS(float);
    } else {
        SUM_ROWS(double);
    }
    return out;
}

/* The sum of n numbers in the order that NumPy takes: eight sums side by side. */
#define SUM_VECTOR(type)                                                                \
    static type sum_of_##type(const type *x, int64_t n)                                 \
    {                                                                                   \
        type all = 0, r[8];                                                             \
        int64_t i = 0;                                                                  \
        if (n >= 8) {                                                                   \
            memcpy(r, x, sizeof r);                                                     \
            for (i = 8; i + 8 <= n; i += 8)                                             \
                for (int k = 0; k < 8; k++)                                             \
                    r[k] += x[i + k];                                                   \
            all = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));    \
        }                                                                               \
        for (; i < n; i++)                                                              \
            all += x[i];                                                                \
        return 0 + all; /* no -0 */                                                     \
    }
SUM_VECTOR(float)
SUM_VECTOR(double)

/* Whether `axis` names the one axis of a vector, or all. */
static int names_all(PyObject *axis, int axes)
{
    if (axis == Py_None)
        return 1;
    if (PyTuple_CheckExact(axis) && PyTuple_GET_SIZE(axis) == 1)
        axis = PyTuple_GET_ITEM(axis, 0);
    if (axes != 1 || !PyLong_CheckExact(axis))
        return 0;
    int overflow;
    long at = PyLong_AsLongAndOverflow(axis, &overflow);
    return !overflow && (at == 0 || at == -1);
}

/* The sum of all of a short array, as NumPy's scalar; or NULL. */
static PyObject *short_sum(PyObject *const *args, Py_ssize_t n_args)
{
    const Array *a = n_args > 1 ? as_array(args[0]) : NULL;
    if (!a || a->nd < 1 || !(a->flags & C_ORDER) || !can_make_arrays() ||
        !names_all(args[1], a->nd) || n_args > 5 ||
        (n_args > 2 && args[2] != Py_None && args[2] != (PyObject *)a->descr) ||
        (n_args > 3 && args[3] != Py_None) || (n_args > 4 && args[4] != Py_False))
        return NULL;
    int number = number_of(a);
    int64_t n = elements_of(a);
    if (n < 1 || n > SHORT || (number != FLOAT_NUMBER && number != DOUBLE_NUMBER))
        return NULL;
    PyObject *out = new_array(0, NULL, number, 0);
    if (!out)
        return NULL;
    char *to = ((Array *)out)->data;
    if (number == FLOAT_NUMBER)
        *(float *)to = sum_of_float((const float *)a->data, n);
    else
        *(double *)to = sum_of_double((const double *)a->data, n);
    PyObject *none = PyTuple_New(0);
    PyObject *scalar = none ? PyObject_GetItem(out, none) : NULL;
    Py_XDECREF(none);
    Py_DECREF(out);
    return scalar;
}

static PyObject *reduced_or(int kind, PyObject *const *args, Py_ssize_t n,
                            PyObject *kwnames)
{
    PyObject *out = kwnames ? NULL : reduced(kind, args, n);
    if (!out && !PyErr_Occurred() && !kwnames && kind == SUM)
        out = small_sum(args, n);
    if (!out && !PyErr_Occurred() && !kwnames && kind == SUM)
        out = short_sum(args, n);
    if (out || PyErr_Occurred())
        return out;
    return PyObject_Vectorcall(by_numpy[kind], args, n, kwnames);
}

#define REDUCER(name, kind)                                                             \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t n,        \
                          PyObject *kwnames)                                            \
    {                                                                                   \
        return reduced_or(kind, args, n, kwnames);                                      \
    }
REDUCER(add_reduce, SUM)
REDUCER(fmax_reduce, MOST)
REDUCER(fmin_reduce, LEAST)

static PyObject *setup_reductions(PyObject *module, PyObject *args)
{
    PyObject *of[3];
    if (!PyArg_ParseTuple(args, "OOO", &of[0], &of[1], &of[2]))
        return NULL;
    for (int i = 0; i < 3; i++)
        Py_XSETREF(by_numpy[i], Py_NewRef(of[i]));
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ places */
typedef struct {
    int kind;
    const float *x;
    int64_t *out, rows, row, each;
} Places;

static void places_part(void *work, int part, int slot)
{
    const Places *j = work;
    int64_t end = (part + 1) * j->each;
    end = end < j->rows ? end : j->rows;
    for (int64_t r = part * j->each; r < end; r++)
        FOR_WIDTH(place)(j->kind, j->x + r * j->row, j->row, j->out + r);
}

/* places(x, whether of the largest): int64 of the rows; None: it is for NumPy. */
static PyObject *places(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    const Array *a = n == 2 ? large(args[0]) : NULL;
    if (!a || !a->nd)
        Py_RETURN_NONE;
    PyObject *out = new_array(a->nd - 1, a->shape, INT64_NUMBER, 0);
    if (!out)
        return NULL;
    Places j = {.kind = args[1] == Py_True ? MOST : LEAST, .x = (const float *)a->data,
                .out = (int64_t *)((Array *)out)->data, .row = a->shape[a->nd - 1]};
    j.rows = 1;
    for (int i = 0; i < a->nd - 1; i++)
        j.rows *= a->shape[i];
    j.each = up(PIECE, j.row);
    j.each = j.rows / j.each > 1 << 20 ? up(j.rows, 1 << 20) : j.each;
    int threads = j.rows * j.row < SHARED ? 1 : threads_now();
    Py_BEGIN_ALLOW_THREADS
    run_parts(places_part, &j, (int)up(j.rows, j.each), threads);
    Py_END_ALLOW_THREADS
    return out;
}

#define REDUCE(name) (PyCFunction)(void (*)(void))name
PyMethodDef reduce_methods[] = {
    {"setup_reductions", setup_reductions, METH_VARARGS, "Hand over NumPy's."},
    {"add_reduce", REDUCE(add_reduce), METH_FASTCALL | METH_KEYWORDS, "np.add.reduce"},
    {"fmax_reduce", REDUCE(fmax_reduce), METH_FASTCALL | METH_KEYWORDS,
     "np.fmax.reduce, with -inf as `initial`."},
    {"fmin_reduce", REDUCE(fmin_reduce), METH_FASTCALL | METH_KEYWORDS,
     "np.fmin.reduce, with inf as `initial`."},
    {"places", REDUCE(places), METH_FASTCALL, "Where the extremes of rows are."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef reduce_methods[] = {{NULL, NULL, 0, NULL}};
#endif
