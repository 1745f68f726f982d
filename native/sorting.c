/* The largest entries of rows, whole orders, in_top_k, and distinct values.
 *
 * A value becomes an unsigned key, a key and a place one pair: these are all different,
 * so that any way of sorting them gives the one result that NumPy's stable sort gives.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#include "sorting.h"

#if !defined(_WIN32) && defined(__GNUC__) && defined(__SIZEOF_INT128__)
#define LOOPS "sorting_loops.h"
#include "each_width.h"

/* top(kind, item, x, values, places, rows, n, k): the k largest of each row and where
 * they are, int32; `item`: the bytes of a value, 4 or 8. */
static PyObject *top(PyObject *module, PyObject *args)
{
    Py_buffer x, values, places;
    int kind, item, good = 1;
    long long rows, n, k;
    if (!PyArg_ParseTuple(args, "iiy*w*w*LLL", &kind, &item, &x, &values, &places, &rows,
                          &n, &k))
        return NULL;
    int64_t all[] = {rows, n, item}, found[] = {rows, k, item}, where[] = {rows, k, 4};
    PyObject *done = NULL;
    if ((item != 4 && item != 8) || kind < INTEGERS || kind > FLOATS_WITHOUT_NAN ||
        rows < 1 || k < 1 || k > n || n > INT32_MAX || rows * ((n >> 14) + 1) > INT32_MAX ||
        !sizes_are(x.len, all, 3) || !sizes_are(values.len, found, 3) ||
        !sizes_are(places.len, where, 3)) {
        wrong_sizes("top");
        goto out;
    }
    Top t = {kind, rows, n, k, x.buf, values.buf, places.buf};
    int threads = rows * n < 32768 ? 1 : threads_now();
    Py_BEGIN_ALLOW_THREADS
    good = (item == 4 ? FOR_WIDTH(top_of_32) : FOR_WIDTH(top_of_64))(&t, threads);
    Py_END_ALLOW_THREADS
    done = good ? Py_NewRef(Py_None) : PyErr_NoMemory();
out:
    PyBuffer_Release(&x);
    PyBuffer_Release(&values);
    PyBuffer_Release(&places);
    return done;
}

/* in_top(x, targets, out, n, k): float32[rows][n], int64[rows] and bool[rows]; -1 or the
 * first row whose target is no class. */
static PyObject *in_top(PyObject *module, PyObject *args)
{
    Py_buffer x, targets, out;
    long long n, k, wrong = -1;
    if (!PyArg_ParseTuple(args, "y*y*w*LL", &x, &targets, &out, &n, &k))
        return NULL;
    int64_t all[] = {out.len, n, 4}, own[] = {out.len, 8};
    PyObject *done = NULL;
    if (n < 1 || !sizes_are(x.len, all, 3) || !sizes_are(targets.len, own, 2)) {
        wrong_sizes("in_top");
        goto done;
    }
    InTop t = {out.len, n, k, 0, x.buf, targets.buf, out.buf};
    for (int64_t i = 0; i < t.rows && wrong < 0; i++)
        if (t.targets[i] < 0 || t.targets[i] >= n)
            wrong = i;
    t.length = n < 16384 ? 16384 / n : 1;
    int64_t parts = (t.rows + t.length - 1) / t.length;
    if (wrong < 0 && parts <= INT32_MAX) {
        int threads = parts < 3 ? 1 : threads_now();
        Py_BEGIN_ALLOW_THREADS
        run_parts(FOR_WIDTH(in_top_part), &t, (int)parts, threads);
        Py_END_ALLOW_THREADS
    }
    done = PyLong_FromLongLong(wrong);
done:
    PyBuffer_Release(&x);
    PyBuffer_Release(&targets);
    PyBuffer_Release(&out);
    return done;
}

/* ------------------------------------------------------------------ distinct values */
typedef struct {
    int64_t *first, *inverse, *counts; /* each of n */
    int32_t *table;                    /* numbers of values + 1; 0 = free */
    uint64_t *keys;                    /* of the values found */
    int64_t n, size, found;
} Groups;

static uint64_t scattered(uint64_t x)
{
    x *= 0x9E3779B97F4A7C15u;
    return x ^ (x >> 32);
}

/* A table of twice the size, with what was found so far. */
static int grow(Groups *g)
{
    int64_t size = g->size ? 4 * g->size : 2048;
    int32_t *table = calloc(size, sizeof *table);
    uint64_t *keys = realloc(g->keys, size / 2 * sizeof *keys);
    if (keys)
        g->keys = keys;
    if (!table || !keys) {
        free(table);
        return 0;
    }
    for (int64_t i = 0; i < g->found; i++) {
        uint64_t at = scattered(keys[i]) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = (int32_t)i + 1;
    }
    free(g->table);
    g->table = table;
    g->size = size;
    return 1;
}

/* Number the values as they come; 0 without memory. NaN is never the same. */
static int find_groups(Groups *g, int kind, int item, const void *x)
{
    const uint64_t top = (uint64_t)1 << (8 * item - 1);
    const uint64_t infinity = item == 4 ? 0x7F800000u : 0x7FF0000000000000u;
    for (int64_t i = 0; i < g->n; i++) {
        uint64_t key = item == 4 ? ((const uint32_t *)x)[i] : ((const uint64_t *)x)[i];
        if (2 * g->found >= g->size && !grow(g))
            return 0;
        int nan = 0;
        if (kind != INTEGERS) {
            nan = (key & ~top) > infinity;
            key = key == top ? 0 : key; /* -0 */
        }
        uint64_t at = scattered(key) & (g->size - 1);
        while (g->table[at] && (nan || g->keys[g->table[at] - 1] != key))
            at = (at + 1) & (g->size - 1);
        int64_t number = (int64_t)g->table[at] - 1;
        if (number < 0) {
            number = g->found++;
            g->table[at] = (int32_t)number + 1;
            g->keys[number] = key;
            g->first[number] = i;
            g->counts[number] = 0;
        }
        g->inverse[i] = number;
        g->counts[number]++;
    }
    return 1;
}

/* groups(kind, item, x, first, inverse, counts): the number of distinct values of x;
 * where each is first, which of them each element is, how often each comes (int64). */
static PyObject *groups(PyObject *module, PyObject *args)
{
    Py_buffer x, views[3];
    int kind, item, good = 0;
    if (!PyArg_ParseTuple(args, "iiy*w*w*w*", &kind, &item, &x, &views[0], &views[1],
                          &views[2]))
        return NULL;
    Groups g = {views[0].buf, views[1].buf, views[2].buf, .n = item > 0 ? x.len / item : 0};
    int64_t all[] = {g.n, item}, each[] = {g.n, 8};
    PyObject *done = NULL;
    if ((item != 4 && item != 8) || !sizes_are(x.len, all, 2) || g.n > INT32_MAX / 4 ||
        !sizes_are(views[0].len, each, 2) || !sizes_are(views[1].len, each, 2) ||
        !sizes_are(views[2].len, each, 2))
        wrong_sizes("groups");
    else {
        Py_BEGIN_ALLOW_THREADS
        good = find_groups(&g, kind, item, x.buf);
        Py_END_ALLOW_THREADS
        done = good ? PyLong_FromLongLong(g.found) : PyErr_NoMemory();
    }
    free(g.table);
    free(g.keys);
    PyBuffer_Release(&x);
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(&views[i]);
    return done;
}

PyMethodDef sorting_methods[] = {
    {"top", top, METH_VARARGS, "The k largest of each row, in order."},
    {"in_top", in_top, METH_VARARGS, "Whether targets are among the k largest."},
    {"groups", groups, METH_VARARGS, "The distinct values of an array."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef sorting_methods[] = {{NULL, NULL, 0, NULL}};
#endif
