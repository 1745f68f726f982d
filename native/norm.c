/* Means and variances, and what is normalised with them, of float32: ops/nn/normal.py.
 *
 * A matrix is [rows, columns], and has a mean for each of either. Columns that do not
 * fill whole vectors are taken several rows at a time, as one wider row; the last rows,
 * which do not make one more, are done one by one. Mean and variance of a block are exact
 * to its own mean, and those of blocks are joined in double (Chan, Golub and LeVeque), so
 * that the array is read once.
 */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"
#include "pool.h"
#include <stdlib.h>

#if !defined(_WIN32) && defined(__GNUC__)
#define LOOPS "norm_loops.h"
#include "each_width.h"

#define SHARED 65536 /* floats for which other threads are called */
#define PIECE 32768  /* floats of a part: they stay in the L2 cache */
#define LINE 16      /* floats of a cache line */
#define MOST_PARTS 128
enum { MOST_READ = 6 };

static void norm_part(void *work, int part, int slot)
{
    const Norm *j = work;
    int64_t first = part * j->block;
    int64_t rows = j->rows - first < j->block ? j->rows - first : j->block;
    if (j->kind < ROW_MOMENTS) {
        FOR_WIDTH(norm_columns)(j, first, rows, part);
        return;
    }
    if (j->kind == ROW_BACK) {
        memset(j->s + part * j->apart, 0, j->wide * sizeof(float));
        memset(j->t + part * j->apart, 0, j->wide * sizeof(float));
    }
    for (int64_t r = first; r < first + rows; r++)
        FOR_WIDTH(norm_row)(j, r, part);
}

static int parts_of(Norm *j)
{
    int64_t most = (PIECE + j->wide - 1) / j->wide;
    int64_t fewest = (j->rows + MOST_PARTS - 1) / MOST_PARTS;
    j->block = most > fewest ? most : fewest;
    return (int)((j->rows + j->block - 1) / j->block);
}

static void run_norm(Norm *j)
{
    int threads = j->rows * j->wide < SHARED ? 1 : threads_now();
    run_parts(norm_part, j, parts_of(j), threads);
}

/* ------------------------------------------------------------------ columns */
/* How many rows of c columns fill whole vectors together. */
static int64_t fold_of(int64_t c)
{
    int64_t fold = 16;
    while (fold > 1 && c * fold % 32 == 0)
        fold /= 2;
    return fold;
}

/* A number for each column of a wider row, in `to`. */
static const float *folded(const float *of, int64_t c, int64_t fold, float *to)
{
    for (int64_t i = 0; i < fold; i++)
        memcpy(to + i * c, of, c * sizeof(float));
    return to;
}

/* Take `fold` rows for one: numbers per column go into `room`, 4 * wide floats. */
static void widen(Norm *j, int64_t c, int64_t fold, float *room)
{
    int64_t wide = c * fold;
    const float **of[] = {&j->mean, &j->factor, &j->offset, &j->bend};
    for (int i = 0; i < 4; i++)
        if (*of[i])
            *of[i] = folded(*of[i], c, fold, room + i * wide);
    j->rows /= fold;
    j->wide = wide;
}

/* The rows from `r` on, which the loops have left. */
static void last_rows(const Norm *j, int64_t r, int64_t n, int64_t c)
{
    for (int64_t at = r * c; at < n * c; at++) {
        int64_t v = at % c;
        float h = (j->x[at] - j->mean[v]), o = j->offset[v];
        if (j->kind == SCALE)
            j->out[at] = h * j->factor[v] + o + (j->onto ? j->out[at] : 0.0f);
        else
            j->out[at] = j->dy[at] * j->factor[v] + h * j->bend[v] + o;
    }
}

/* SCALE and BACK. 0 where there is no memory. */
static int scale_all(Norm *j, int64_t n, int64_t c)
{
    int64_t fold = fold_of(c), whole = n / fold;
    if (whole) {
        Norm wide = *j;
        float *room = malloc(4 * c * fold * sizeof(float));
        if (!room)
            return 0;
        wide.rows = n;
        widen(&wide, c, fold, room);
        run_norm(&wide);
        free(room);
    }
    last_rows(j, whole * fold, n, c);
    return 1;
}

/* Mean and variance of each column from those of blocks; sums: 2 * c doubles. */
static void join_moments(const Norm *j, int parts, int64_t n, int64_t c, double *sums,
                         float *mean, float *variance)
{
    int64_t fold = j->wide / c, whole = j->rows * fold;
    double *squares = sums + c;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t b = 0; b < parts * fold; b++) {
            int64_t first = b / fold * j->block;
            double rows = j->rows - first < j->block ? j->rows - first : j->block;
            for (int64_t v = 0; v < c; v++) {
                double m = j->p[b * c + v], away = m - sums[v];
                if (pass)
                    squares[v] += j->q[b * c + v] + rows * away * away;
                else
                    sums[v] += rows * m;
            }
        }
        for (int64_t r = whole; r < n; r++)
            for (int64_t v = 0; v < c; v++) {
                double m = j->x[r * c + v], away = m - sums[v];
                if (pass)
                    squares[v] += away * away;
                else
                    sums[v] += m;
            }
        for (int64_t v = 0; !pass && v < c; v++)
            sums[v] /= (double)n;
    }
    for (int64_t v = 0; v < c; v++) {
        mean[v] = (float)sums[v];
        variance[v] = (float)(squares[v] / (double)n);
    }
}

static void join_slopes(const Norm *j, const float *mean, int parts, int64_t n, int64_t c,
                        double *sums, float *p, float *q)
{
    int64_t fold = j->wide / c;
    for (int64_t b = 0; b < parts * fold; b++)
        for (int64_t v = 0; v < c; v++) {
            sums[v] += j->p[b * c + v];
            sums[c + v] += j->q[b * c + v];
        }
    for (int64_t at = j->rows * j->wide; at < n * c; at++) {
        sums[at % c] += j->dy[at];
        sums[c + at % c] += j->dy[at] * (j->x[at] - mean[at % c]);
    }
    for (int64_t v = 0; v < c; v++) {
        p[v] = (float)sums[v];
        q[v] = (float)sums[c + v];
    }
}

/* MOMENTS and SLOPES: two numbers per column. 0 where there is no memory. */
static int sum_all(Norm *j, int64_t n, int64_t c, float *p, float *q)
{
    int64_t fold = fold_of(c);
    const float *mean = j->mean;
    j->rows = n / fold;
    j->wide = c * fold;
    int parts = j->rows ? parts_of(j) : 0;
    double *sums = calloc(2 * c, sizeof(double));
    float *room = malloc((4 + 2 * parts) * j->wide * sizeof(float));
    if (sums && room) {
        j->p = room + 4 * j->wide;
        j->q = j->p + parts * j->wide;
        j->rows = n;
        widen(j, c, fold, room);
        if (parts)
            run_norm(j);
        if (j->kind == MOMENTS)
            join_moments(j, parts, n, c, sums, p, q);
        else
            join_slopes(j, mean, parts, n, c, sums, p, q);
    }
    int done = sums && room;
    free(sums);
    free(room);
    return done;
}

/* ------------------------------------------------------------------ rows */
/* ROW_BACK: the sums of columns over blocks as well. 0 where there is no memory. */
static int back_rows(Norm *j, float *s, float *t)
{
    int64_t c = j->wide;
    int parts = parts_of(j);
    j->apart = (c + LINE - 1) / LINE * LINE; /* no two threads write one line */
    float *room = malloc((2 * parts * j->apart + LINE) * sizeof(float));
    if (!room)
        return 0;
    uintptr_t line = LINE * sizeof(float);
    j->s = (float *)(((uintptr_t)room + line - 1) / line * line);
    j->t = j->s + parts * j->apart;
    run_norm(j);
    for (int64_t v = 0; v < c; v++) {
        double p = 0.0, q = 0.0;
        for (int b = 0; b < parts; b++) {
            p += j->s[b * j->apart + v];
            q += j->t[b * j->apart + v];
        }
        s[v] = (float)p;
        t[v] = (float)q;
    }
    free(room);
    return 1;
}

/* ------------------------------------------------------------------ Python */
/* The floats of an array that lies row by row; NULL: it is for NumPy. */
static const float *floats(PyObject *x, int64_t *count)
{
    const Array *a = as_array(x);
    if (!a || !can_make_arrays() || number_of(a) != FLOAT_NUMBER ||
        !(a->flags & C_ORDER))
        return NULL;
    *count = 1;
    for (int i = 0; i < a->nd; i++)
        *count *= a->shape[i];
    return *count ? (const float *)a->data : NULL;
}

static PyObject *like(PyObject *x)
{
    return new_array(as_array(x)->nd, as_array(x)->shape, FLOAT_NUMBER, 0);
}

static float *vector(PyObject **made, int64_t n)
{
    Py_ssize_t shape = n;
    *made = new_array(1, &shape, FLOAT_NUMBER, 0);
    return *made ? (float *)((Array *)*made)->data : NULL;
}

/* The tuple of what was made, or None where it is for NumPy; takes over the parts. */
static PyObject *given(int done, int n, PyObject **made)
{
    PyObject *out = NULL;
    if (!PyErr_Occurred())
        out = done ? PyTuple_New(n) : Py_NewRef(Py_None);
    for (int i = 0; i < n; i++)
        if (out && done)
            PyTuple_SET_ITEM(out, i, made[i]);
        else
            Py_XDECREF(made[i]);
    return out;
}

/* moments(x, columns, by rows): (means, variances) */
static PyObject *moments(PyObject *module, PyObject *args)
{
    PyObject *x, *made[2] = {NULL, NULL};
    Py_ssize_t c;
    int by_rows, done = 1;
    int64_t count;
    if (!PyArg_ParseTuple(args, "Onp", &x, &c, &by_rows))
        return NULL;
    Norm j = {.kind = by_rows ? ROW_MOMENTS : MOMENTS, .x = floats(x, &count)};
    if (!j.x)
        Py_RETURN_NONE;
    if (c < 1 || count % c)
        return wrong_sizes("moments");
    int64_t n = count / c;
    float *p = vector(&made[0], by_rows ? n : c), *q = vector(&made[1], by_rows ? n : c);
    if (p && q) {
        Py_BEGIN_ALLOW_THREADS
        if (by_rows) {
            j.p = p, j.q = q, j.rows = n, j.wide = c;
            run_norm(&j);
        } else
            done = sum_all(&j, n, c, p, q);
        Py_END_ALLOW_THREADS
    }
    return given(done, 2, made);
}

/* The floats of n arrays; 0: for NumPy. */
static int all_floats(PyObject *const *args, Py_ssize_t n, const float **of,
                      int64_t *counts)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (!(of[i] = floats(args[i], &counts[i])))
            return 0;
    return 1;
}

/* The result of a kind with `n` arrays in all, x first; `numbers` of them are per column
 * or row, the last ones, of as many as the last. */
static int read_all(PyObject *args, Py_ssize_t n, int numbers, const float **of,
                    int64_t *counts)
{
    if (!PyTuple_CheckExact(args) || PyTuple_GET_SIZE(args) != n ||
        !all_floats(&PyTuple_GET_ITEM(args, 0), n, of, counts))
        return 0;
    for (Py_ssize_t i = 1; i < n; i++)
        if (counts[i] != (i < n - numbers ? counts[0] : counts[n - 1]))
            return 0;
    return counts[0] % counts[n - 1] == 0;
}

/* The floats to which a result is added; NULL: they are not as many as wanted. */
static float *others(PyObject *onto, int64_t wanted)
{
    int64_t count = 0;
    const float *found = floats(onto, &count);
    int fits = found && count == wanted && as_array(onto)->flags & WRITEABLE;
    return fits ? (float *)found : NULL;
}

/* scaled(x, mean, factor, offset[, array to add it to]), by columns; scaled_rows: by rows */
static PyObject *scaled_by(PyObject *args, int kind)
{
    const float *of[MOST_READ];
    int64_t counts[MOST_READ];
    PyObject *onto = PyTuple_GET_SIZE(args) == 5 ? PyTuple_GET_ITEM(args, 4) : Py_None;
    PyObject *read = PyTuple_GetSlice(args, 0, 4);
    int fits = read && read_all(read, 4, 3, of, counts);
    Py_XDECREF(read);
    if (!fits && PyErr_Occurred())
        return NULL;
    if (!fits || (onto != Py_None && !others(onto, counts[0])))
        Py_RETURN_NONE;
    PyObject *out = onto != Py_None ? Py_NewRef(onto) : like(PyTuple_GET_ITEM(args, 0));
    if (!out)
        return NULL;
    Norm j = {.kind = kind, .x = of[0], .mean = of[1], .factor = of[2], .offset = of[3],
              .onto = onto != Py_None, .out = (float *)((Array *)out)->data};
    int64_t k = counts[3], other = counts[0] / k;
    int done = 1;
    Py_BEGIN_ALLOW_THREADS
    if (kind == SCALE)
        done = scale_all(&j, other, k);
    else {
        j.rows = k, j.wide = other;
        run_norm(&j);
    }
    Py_END_ALLOW_THREADS
    if (!done)
        Py_SETREF(out, Py_NewRef(Py_None));
    return out;
}

static PyObject *scaled(PyObject *m, PyObject *args) { return scaled_by(args, SCALE); }

static PyObject *scaled_rows(PyObject *m, PyObject *args)
{
    return scaled_by(args, ROW_SCALE);
}

/* slopes(x, dy, mean): the sums of dy and of dy * (x - mean), by columns */
static PyObject *slopes(PyObject *module, PyObject *args)
{
    const float *of[MOST_READ];
    int64_t counts[MOST_READ];
    PyObject *made[2] = {NULL, NULL};
    int done = 1;
    if (!read_all(args, 3, 1, of, counts))
        Py_RETURN_NONE;
    Norm j = {.kind = SLOPES, .x = of[0], .dy = of[1], .mean = of[2]};
    int64_t c = counts[2];
    float *p = vector(&made[0], c), *q = vector(&made[1], c);
    if (p && q) {
        Py_BEGIN_ALLOW_THREADS
        done = sum_all(&j, counts[0] / c, c, p, q);
        Py_END_ALLOW_THREADS
    }
    return given(done, 2, made);
}

/* back(x, dy, mean, factor, bend, offset): dy * factor + (x - mean) * bend + offset */
static PyObject *back(PyObject *module, PyObject *args)
{
    const float *of[MOST_READ];
    int64_t counts[MOST_READ];
    int done;
    if (!read_all(args, 6, 4, of, counts))
        Py_RETURN_NONE;
    PyObject *out = like(PyTuple_GET_ITEM(args, 0));
    if (!out)
        return NULL;
    Norm j = {.kind = BACK, .x = of[0], .dy = of[1], .mean = of[2], .factor = of[3],
              .bend = of[4], .offset = of[5], .out = (float *)((Array *)out)->data};
    Py_BEGIN_ALLOW_THREADS
    done = scale_all(&j, counts[0] / counts[5], counts[5]);
    Py_END_ALLOW_THREADS
    if (!done)
        Py_SETREF(out, Py_NewRef(Py_None));
    return out;
}

/* The arrays of a normalisation of rows: x [and dy], mean, rate, factor [, offset]. */
static int read_rows(PyObject *args, Norm *j)
{
    const float *of[5];
    int64_t counts[5];
    if (!PyTuple_CheckExact(args) || PyTuple_GET_SIZE(args) != 5 ||
        !all_floats(&PyTuple_GET_ITEM(args, 0), 5, of, counts))
        return 0;
    int backward = j->kind == ROW_BACK, at = 1 + backward;
    j->x = of[0];
    j->dy = backward ? of[1] : NULL;
    j->mean = of[at];
    j->bend = of[at + 1];
    j->factor = of[at + 2];
    j->offset = backward ? NULL : of[4];
    j->rows = counts[at];
    j->wide = counts[at + 2];
    int same = backward ? counts[1] == counts[0] : counts[4] == j->wide;
    int64_t sizes[] = {j->rows, j->wide};
    return same && counts[at + 1] == j->rows && sizes_are(counts[0], sizes, 2);
}

/* normal_rows(x, mean, rate, factor, offset): (x - mean) * rate * factor + offset */
static PyObject *normal_rows(PyObject *module, PyObject *args)
{
    Norm j = {.kind = ROW_NORMAL};
    if (!read_rows(args, &j))
        Py_RETURN_NONE;
    PyObject *out = like(PyTuple_GET_ITEM(args, 0));
    if (!out)
        return NULL;
    j.out = (float *)((Array *)out)->data;
    Py_BEGIN_ALLOW_THREADS
    run_norm(&j);
    Py_END_ALLOW_THREADS
    return out;
}

/* normal_rows_back(x, dy, mean, rate, factor): the gradient of x, where mean and rate are
 * those of its rows; of each row the sums of dy * factor, and of that times h; of each
 * column those of dy, and of dy * h */
static PyObject *normal_rows_back(PyObject *module, PyObject *args)
{
    Norm j = {.kind = ROW_BACK};
    PyObject *made[5] = {NULL};
    int done = 1;
    if (!read_rows(args, &j))
        Py_RETURN_NONE;
    made[0] = like(PyTuple_GET_ITEM(args, 0));
    j.p = vector(&made[1], j.rows);
    j.q = vector(&made[2], j.rows);
    float *s = vector(&made[3], j.wide), *t = vector(&made[4], j.wide);
    if (made[0] && j.p && j.q && s && t) {
        j.out = (float *)((Array *)made[0])->data;
        Py_BEGIN_ALLOW_THREADS
        done = back_rows(&j, s, t);
        Py_END_ALLOW_THREADS
    }
    return given(done, 5, made);
}

PyMethodDef norm_methods[] = {
    {"moments", moments, METH_VARARGS, "Means and variances of columns or rows."},
    {"scaled", scaled, METH_VARARGS, "(x - mean) * factor + offset, by columns."},
    {"scaled_rows", scaled_rows, METH_VARARGS, "The same by rows."},
    {"slopes", slopes, METH_VARARGS, "The sums of dy and dy * (x - mean), by columns."},
    {"back", back, METH_VARARGS, "dy * factor + (x - mean) * bend + offset."},
    {"normal_rows", normal_rows, METH_VARARGS, "Normalised rows, scaled by columns."},
    {"normal_rows_back", normal_rows_back, METH_VARARGS, "Their gradient."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef norm_methods[] = {{NULL, NULL, 0, NULL}};
#endif
