/* Decompositions and systems of float32 and float64 matrices by the LAPACK that comes
 * with NumPy, without the copies and transposes of numpy.linalg.
 *
 * Fortran reads our rows as columns: a matrix in memory is its transpose there, and each
 * problem is put so that it is solved for the transpose. A middling problem runs on one
 * thread of OpenBLAS, as its products do (decision 7): what is shared out are the
 * matrices of a batch or the columns of a right-hand side, by the pool.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"

#if !defined(_WIN32) && defined(__GNUC__)
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

#define ALONE 1e9       /* multiplications from which OpenBLAS's threads are faster */
#define IN_PARTS 2e6    /* of one right-hand side, from which it is shared out */
#define WORK_A_PART 1e5 /* multiplications */

enum { POTRF, GETRF, TRSM, GEQRF, ORGQR, GESDD, SYEVD, ROUTINES };
enum { CHOLESKY, SOLVE, TRIANGULAR, DETERMINANT, QR, SVD, EIGEN };

typedef const int64_t In;
typedef void PotrfCall(const char *, In *, void *, In *, int64_t *, size_t);
typedef void GetrfCall(In *, In *, void *, In *, int64_t *, int64_t *);
typedef void TrsmCall(const char *, const char *, const char *, const char *, In *, In *,
                      const void *, const void *, In *, void *, In *, size_t, size_t,
                      size_t, size_t);
typedef void GeqrfCall(In *, In *, void *, In *, void *, void *, In *, int64_t *);
typedef void OrgqrCall(In *, In *, In *, void *, In *, void *, void *, In *, int64_t *);
typedef void GesddCall(const char *, In *, In *, void *, In *, void *, void *, In *,
                       void *, In *, void *, In *, int64_t *, int64_t *, size_t);
typedef void SyevdCall(const char *, const char *, In *, void *, In *, void *, void *,
                       In *, int64_t *, In *, int64_t *, size_t, size_t);
static uintptr_t lapack[2][ROUTINES]; /* of float32 and of float64 */

/* A job: a[batch][m][n], what else is read and what is written; contiguous. */
typedef struct {
    int kind, wide, adjoint, lower, full;
    int64_t batch, m, n, k, each; /* columns of b; matrices in a part */
    const char *a, *b;
    char *out[3];
    int64_t bytes[5];   /* of one matrix of a, b and the outputs */
    int64_t chunks;     /* that the columns of b are shared out in */
    void *factor;       /* of the one matrix whose columns are shared out */
    int64_t *pivots;
    int failed, without_memory;
} Matrices;

#define CALL(name, type, ...) ((type##Call *)lapack[j->wide][name])(__VA_ARGS__)
#define ITEM (j->wide ? 8 : 4)

static double value(const Matrices *j, const void *a, int64_t at)
{
    return j->wide ? ((const double *)a)[at] : ((const float *)a)[at];
}

static void put_value(const Matrices *j, void *a, int64_t at, double x)
{
    if (j->wide)
        ((double *)a)[at] = x;
    else
        ((float *)a)[at] = (float)x;
}

/* to[columns][rows] = from[rows][columns], where the rows of `from` are `line` apart. */
static void transpose(const Matrices *j, const void *from, int64_t line, int64_t rows,
                      int64_t columns, void *to)
{
    for (int64_t r0 = 0; r0 < rows; r0 += 16)
        for (int64_t c0 = 0; c0 < columns; c0 += 16) {
            int64_t r1 = r0 + 16 < rows ? r0 + 16 : rows;
            int64_t c1 = c0 + 16 < columns ? c0 + 16 : columns;
            for (int64_t c = c0; c < c1; c++)
                for (int64_t r = r0; r < r1; r++)
                    if (j->wide)
                        ((double *)to)[c * rows + r] = ((const double *)from)[r * line + c];
                    else
                        ((float *)to)[c * rows + r] = ((const float *)from)[r * line + c];
        }
}

/* ------------------------------------------------------------------ each matrix */
static int64_t cholesky(const Matrices *j, const char *a, char *out)
{
    int64_t n = j->n, info = 0;
    for (int64_t row = 0; row < n; row++) {
        memcpy(out + row * n * ITEM, a + row * n * ITEM, (row + 1) * ITEM);
        memset(out + (row * n + row + 1) * ITEM, 0, (n - row - 1) * ITEM);
    }
    CALL(POTRF, Potrf, "U", &n, out, &n, &info, 1);
    return info;
}

static int64_t factor(const Matrices *j, const char *a, void *lu, int64_t *pivots)
{
    int64_t n = j->n, info = 0;
    memcpy(lu, a, n * n * ITEM);
    CALL(GETRF, Getrf, &n, &n, lu, &n, pivots, &info);
    return info;
}

static void swap_rows(const Matrices *j, char *x, int64_t line, int64_t width,
                      const int64_t *pivots, int forward)
{
    for (int64_t step = 0; step < j->n; step++) {
        int64_t i = forward ? step : j->n - 1 - step, other = pivots[i] - 1;
        char *a = x + i * line * ITEM, *b = x + other * line * ITEM;
        char kept[512];
        for (int64_t at = 0; other != i && at < width * ITEM; at += sizeof kept) {
            int64_t size = width * ITEM - at;
            size = size < (int64_t)sizeof kept ? size : (int64_t)sizeof kept;
            memcpy(kept, a + at, size);
            memcpy(a + at, b + at, size);
            memcpy(b + at, kept, size);
        }
    }
}

static void divide(const Matrices *j, const char *uplo, const char *trans,
                   const char *diagonal, const void *a, char *x, int64_t width)
{
    double one_wide = 1;
    float one = 1;
    const void *alpha = j->wide ? (const void *)&one_wide : (const void *)&one;
    CALL(TRSM, Trsm, "R", uplo, trans, diagonal, &width, &j->n, alpha, a, &j->n, x, &j->k,
         1, 1, 1, 1);
}

/* Columns of x, which is b at first, from the decomposition of a. */
static void substitute(const Matrices *j, const void *lu, const int64_t *pivots, char *x,
                       int64_t width)
{
    if (j->kind == TRIANGULAR) {
        divide(j, j->lower ? "U" : "L", j->adjoint ? "T" : "N", "N", lu, x, width);
    } else if (j->adjoint) {
        swap_rows(j, x, j->k, width, pivots, 1);
        divide(j, "L", "T", "U", lu, x, width);
        divide(j, "U", "T", "N", lu, x, width);
    } else {
        divide(j, "U", "N", "N", lu, x, width);
        divide(j, "L", "N", "U", lu, x, width);
        swap_rows(j, x, j->k, width, pivots, 0);
    }
}

/* The sign and the logarithm of the size, and the determinant itself. */
static void determinant(const Matrices *j, const void *lu, const int64_t *pivots,
                        int64_t at)
{
    double product = 1, logarithm = 0;
    int64_t power = 0;
    for (int64_t i = 0; i < j->n; i++) {
        double x = value(j, lu, i * (j->n + 1));
        int some = 0;
        product = frexp(pivots[i] == i + 1 ? product * x : -product * x, &some);
        power += some;
        logarithm += log(fabs(x));
    }
    double sign = product > 0 ? 1 : product < 0 ? -1 : product; /* 0, or NaN */
    power = power > 100000 ? 100000 : power < -100000 ? -100000 : power;
    put_value(j, j->out[0], at, sign == 0 ? 0 : ldexp(product, (int)power));
    put_value(j, j->out[1], at, sign);
    put_value(j, j->out[2], at, logarithm);
}

/* q and r of one matrix; 0 without memory. */
static int orthogonal(const Matrices *j, const char *a, char *q, char *r)
{
    int64_t m = j->m, n = j->n, p = m < n ? m : n, info = 0, size = -1;
    int64_t columns = j->full ? m : p, wide = columns > n ? columns : n;
    double most[2] = {0, 0};
    char *work = NULL, *t = malloc((m * wide + p) * ITEM), *tau = t + m * wide * ITEM;
    int64_t sizes[2];
    CALL(GEQRF, Geqrf, &m, &n, t, &m, tau, &most[0], &size, &info);
    CALL(ORGQR, Orgqr, &m, &columns, &p, t, &m, tau, &most[1], &size, &info);
    for (int i = 0; i < 2; i++)
        sizes[i] = (int64_t)value(j, &most[i], 0);
    size = sizes[0] > sizes[1] ? sizes[0] : sizes[1];
    if (t)
        work = malloc(size * ITEM);
    if (work) {
        transpose(j, a, n, m, n, t);
        CALL(GEQRF, Geqrf, &m, &n, t, &m, tau, work, &size, &info);
        int64_t rows = j->full ? m : p;
        transpose(j, t, m, n, rows, r);
        for (int64_t row = 1; row < rows; row++)
            memset(r + row * n * ITEM, 0, (row < n ? row : n) * ITEM);
        CALL(ORGQR, Orgqr, &m, &columns, &p, t, &m, tau, work, &size, &info);
        transpose(j, t, m, columns, m, q);
    }
    free(work);
    free(t);
    return work != NULL;
}

/* s, u and v^T; -1 without memory, else LAPACK's word. */
static int64_t singular(const Matrices *j, const char *a, char *s, char *u, char *vt)
{
    int64_t m = j->m, n = j->n, p = m < n ? m : n, info = 0, size = -1;
    int64_t ldv = j->full ? m : p;
    const char *what = !j->k ? "N" : j->full ? "A" : "S";
    double most = 0;
    CALL(GESDD, Gesdd, what, &n, &m, (void *)a, &n, s, vt, &n, u, &ldv, &most, &size,
         NULL, &info, 1);
    size = (int64_t)value(j, &most, 0) + 64;
    char *t = malloc(m * n * ITEM), *work = malloc(size * ITEM);
    int64_t *integers = malloc(8 * p * sizeof *integers);
    info = -1;
    if (t && work && integers) {
        memcpy(t, a, m * n * ITEM);
        CALL(GESDD, Gesdd, what, &n, &m, t, &n, s, vt, &n, u, &ldv, work, &size,
             integers, &info, 1);
    }
    free(t);
    free(work);
    free(integers);
    return info;
}

/* The eigenvalues, and the eigenvectors as rows; as above. */
static int64_t eigen(const Matrices *j, const char *a, char *e, char *v)
{
    int64_t n = j->n, info = 0, size = -1, count = -1;
    const char *what = j->k ? "V" : "N";
    double most = 0;
    CALL(SYEVD, Syevd, what, "U", &n, v, &n, e, &most, &size, &count, &count, &info, 1, 1);
    size = (int64_t)value(j, &most, 0) + 64;
    count = 8 + 5 * n;
    char *work = malloc(size * ITEM);
    int64_t *integers = malloc(count * sizeof *integers);
    info = -1;
    if (work && integers) {
        memcpy(v, a, n * n * ITEM);
        CALL(SYEVD, Syevd, what, "U", &n, v, &n, e, work, &size, integers, &count,
             &info, 1, 1);
    }
    free(work);
    free(integers);
    return info;
}

/* ------------------------------------------------------------------ all of them */
static int64_t one(Matrices *j, int64_t i, void *lu, int64_t *pivots)
{
    const char *a = j->a + i * j->bytes[0];
    char *out[3];
    for (int o = 0; o < 3; o++)
        out[o] = j->out[o] ? j->out[o] + i * j->bytes[2 + o] : NULL;
    int64_t info = 0;
    switch (j->kind) {
    case CHOLESKY:
        return cholesky(j, a, out[0]);
    case SOLVE:
        info = factor(j, a, lu, pivots);
        /* fall through */
    case TRIANGULAR:
        memcpy(out[0], j->b + i * j->bytes[1], j->bytes[1]);
        if (!info)
            substitute(j, j->kind == SOLVE ? lu : a, pivots, out[0], j->k);
        return info;
    case DETERMINANT:
        factor(j, a, lu, pivots);
        determinant(j, lu, pivots, i);
        return 0;
    case QR:
        return orthogonal(j, a, out[0], out[1]) ? 0 : -1;
    case SVD:
        return singular(j, a, out[0], out[1], out[2]);
    default:
        return eigen(j, a, out[0], out[1]);
    }
}

static void batch_part(void *work, int part, int slot)
{
    Matrices *j = work;
    int factors = j->kind == SOLVE || j->kind == DETERMINANT;
    int64_t start = part * j->each, stop = start + j->each;
    void *lu = factors ? malloc(j->bytes[0] + (j->n + 1) * sizeof(int64_t)) : NULL;
    int64_t *pivots = lu ? (int64_t *)((char *)lu + (j->bytes[0] + 7) / 8 * 8) : NULL;
    if (factors && !lu)
        __atomic_store_n(&j->without_memory, 1, __ATOMIC_RELAXED);
    for (int64_t i = start; i < (stop < j->batch ? stop : j->batch); i++) {
        int64_t info = factors && !lu ? 0 : one(j, i, lu, pivots);
        if (info > 0)
            __atomic_store_n(&j->failed, 1, __ATOMIC_RELAXED);
        if (info < 0)
            __atomic_store_n(&j->without_memory, 1, __ATOMIC_RELAXED);
    }
    free(lu);
}

static void columns_part(void *work, int part, int slot)
{
    Matrices *j = work;
    int64_t first = j->k * part / j->chunks, last = j->k * (part + 1) / j->chunks;
    substitute(j, j->factor, j->pivots, j->out[0] + first * ITEM, last - first);
}

/* Systems with one matrix and many columns. */
static void by_columns(Matrices *j, int threads)
{
    void *lu = j->kind == SOLVE ? malloc(j->bytes[0] + (j->n + 1) * sizeof(int64_t)) : NULL;
    j->pivots = lu ? (int64_t *)((char *)lu + (j->bytes[0] + 7) / 8 * 8) : NULL;
    j->factor = lu ? lu : (void *)j->a;
    j->without_memory = j->kind == SOLVE && !lu;
    if (lu && factor(j, j->a, lu, j->pivots))
        j->failed = 1;
    if (!j->failed && !j->without_memory) {
        memcpy(j->out[0], j->b, j->bytes[1]);
        run_parts(columns_part, j, (int)j->chunks, threads);
    }
    free(lu);
}

static void run_matrices(Matrices *j, int threads)
{
    double work = (double)j->m * j->n * (j->m < j->n ? j->m : j->n) + 1;
    if (j->kind == SOLVE || j->kind == TRIANGULAR) {
        double columns = (double)j->n * j->n * j->k;
        work = (j->kind == SOLVE ? work : 0) + columns + 1;
        j->chunks = j->k / 64 < 16 ? j->k / 64 : 16;
        if (j->batch == 1 && columns >= IN_PARTS && j->chunks > 1) {
            by_columns(j, threads);
            return;
        }
    }
    j->each = work < WORK_A_PART ? (int64_t)(WORK_A_PART / work) : 1;
    int64_t parts = (j->batch + j->each - 1) / j->each;
    run_parts(batch_part, j, (int)parts, parts > 1 ? threads : 1);
}

/* matrices(kind, wide, a, b, out, out, out, batch, m, n, k, flags): what `kind` says;
 * None where there is no such output. k: the columns of b, or whether vectors are wanted.
 * flags: 1 adjoint, 2 lower, 4 full. True, or False where LAPACK refused a matrix. */
static PyObject *matrices(PyObject *module, PyObject *args)
{
    PyObject *objects[5], *done = NULL;
    Py_buffer views[5];
    Matrices j = {0};
    int flags, open = 0;
    long long batch, m, n, k;
    if (!PyArg_ParseTuple(args, "ipOOOOOLLLLi", &j.kind, &j.wide, &objects[0], &objects[1],
                          &objects[2], &objects[3], &objects[4], &batch, &m, &n, &k,
                          &flags))
        return NULL;
    for (; open < 5; open++) {
        int how = PyBUF_C_CONTIGUOUS | (open > 1 ? PyBUF_WRITABLE : 0);
        memset(&views[open], 0, sizeof views[open]);
        if (objects[open] != Py_None &&
            PyObject_GetBuffer(objects[open], &views[open], how) < 0)
            goto out;
    }
    j.batch = batch, j.m = m, j.n = n, j.k = k;
    j.adjoint = flags & 1, j.lower = flags >> 1 & 1, j.full = flags >> 2 & 1;
    int64_t p = m < n ? m : n, one_k = j.kind == SOLVE || j.kind == TRIANGULAR ? k : 0;
    int64_t wanted[7][5] = {
        {m * n, 0, m * n, 0, 0},
        {m * n, n * one_k, n * one_k, 0, 0},
        {m * n, n * one_k, n * one_k, 0, 0},
        {m * n, 0, 1, 1, 1},
        {m * n, 0, j.full ? m * m : m * p, j.full ? m * n : p * n, 0},
        {m * n, 0, p, k ? m * (j.full ? m : p) : 0, k ? n * (j.full ? n : p) : 0},
        {m * n, 0, n, n * n, 0},
    };
    int good = j.kind >= CHOLESKY && j.kind <= EIGEN && lapack[j.wide][0] && batch > 0 &&
               batch < INT32_MAX && m > 0 && n > 0 && m < 65536 && n < 65536 && k >= 0 &&
               k < INT32_MAX && (m == n || j.kind == QR || j.kind == SVD);
    for (int i = 0; good && i < 5; i++) {
        j.bytes[i] = wanted[j.kind][i] * (j.wide ? 8 : 4);
        int64_t all[] = {batch, j.bytes[i]};
        good = sizes_are(views[i].len, all, 2);
    }
    if (!good) {
        wrong_sizes("matrices");
        goto out;
    }
    j.a = views[0].buf, j.b = views[1].buf;
    for (int i = 0; i < 3; i++)
        j.out[i] = views[2 + i].buf;
    int alone = batch > 1 || (double)m * n * (p > one_k ? p : one_k) < ALONE;
    int threads = alone ? begin_alone() : 1;
    Py_BEGIN_ALLOW_THREADS
    run_matrices(&j, threads);
    Py_END_ALLOW_THREADS
    if (alone)
        end_alone();
    done = j.without_memory ? PyErr_NoMemory() : PyBool_FromLong(!j.failed);
out:
    while (open--)
        if (views[open].obj)
            PyBuffer_Release(&views[open]);
    return done;
}

/* band(x, out, item, m, n, lower, upper): matrices of entries of `item` bytes with zeros
 * outside of a band; a negative bound keeps all on its side. */
static PyObject *band(PyObject *module, PyObject *args)
{
    Py_buffer x, out;
    long long item, m, n, lower, upper;
    if (!PyArg_ParseTuple(args, "y*w*LLLLL", &x, &out, &item, &m, &n, &lower, &upper))
        return NULL;
    int good = m > 0 && n > 0 && item > 0 && item <= 16 && x.len > 0;
    int64_t rows = good ? x.len / item / n : 0, all[] = {rows, n, item};
    PyObject *done = NULL;
    if (!good || out.len != x.len || !sizes_are(x.len, all, 3) || rows % m)
        wrong_sizes("band");
    else {
        lower = lower < 0 || lower > m ? m : lower;
        upper = upper < 0 || upper > n ? n : upper;
        Py_BEGIN_ALLOW_THREADS
        for (int64_t row = 0; row < rows; row++) {
            int64_t i = row % m, first = i - lower, last = i + upper + 1;
            first = first < 0 ? 0 : first < n ? first : n;
            last = last < n ? last : n;
            last = last < first ? first : last;
            const char *from = (const char *)x.buf + row * n * item;
            char *to = (char *)out.buf + row * n * item;
            memset(to, 0, first * item);
            memcpy(to + first * item, from + first * item, (last - first) * item);
            memset(to + last * item, 0, (n - last) * item);
        }
        Py_END_ALLOW_THREADS
        done = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&x);
    PyBuffer_Release(&out);
    return done;
}

/* setup_lapack(addresses): of the routines for float32, then for float64. */
static PyObject *setup_lapack(PyObject *module, PyObject *addresses)
{
    if (!PyTuple_Check(addresses) || PyTuple_GET_SIZE(addresses) != 2 * ROUTINES) {
        PyErr_SetString(PyExc_ValueError, "the addresses of LAPACK's routines are wanted");
        return NULL;
    }
    uintptr_t found[2 * ROUTINES];
    for (int i = 0; i < 2 * ROUTINES; i++)
        found[i] = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(addresses, i));
    if (PyErr_Occurred())
        return NULL;
    memcpy(lapack, found, sizeof found);
    Py_RETURN_NONE;
}

PyMethodDef matrix_methods[] = {
    {"setup_lapack", setup_lapack, METH_O, "Hand over LAPACK."},
    {"band", band, METH_VARARGS, "Matrices with zeros outside of a band."},
    {"matrices", matrices, METH_VARARGS, "A decomposition or the solution of systems."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef matrix_methods[] = {{NULL, NULL, 0, NULL}};
#endif
