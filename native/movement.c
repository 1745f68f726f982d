/* Data on the move: arrays joined, rows taken and summed by number, running sums.
 *
 * What is summed is summed in the order of the entries, whatever the threads: those share
 * out columns, or blocks that follow from the shape.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <stdlib.h>
#include <string.h>

#define SHARED_BYTES (1 << 20) /* from here on threads share the work */
#define MOST_SHARES 16
#define RUN 65536 /* bytes */

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

static int shares_of(int64_t bytes, int64_t most)
{
    int64_t shares = bytes < SHARED_BYTES ? 1 : bytes / (SHARED_BYTES / 8);
    shares = shares < MOST_SHARES ? shares : MOST_SHARES;
    return (int)(shares < most ? shares : most < 1 ? 1 : most);
}

/* ------------------------------------------------------------------ joining */
typedef struct {
    const char *from;
    int64_t row, at; /* bytes in a row; where they begin in a row of the result */
} Joined;

typedef struct {
    char *out;
    Joined *parts;
    int64_t count, outer, row; /* arrays; rows; bytes in a row of the result */
    int shares;
} Join;

/* Not in one: the C library writes long runs around the caches. */
static void copy_run(char *to, const char *from, int64_t bytes)
{
    for (; bytes > RUN; bytes -= RUN, to += RUN, from += RUN)
        memcpy(to, from, RUN);
    memcpy(to, from, bytes);
}

/* A share of the result's bytes, whatever rows and arrays they come from. */
static void join_part(void *work, int part, int slot)
{
    const Join *j = work;
    int64_t whole = j->outer * j->row;
    int64_t first = whole / j->shares * part;
    int64_t last = part == j->shares - 1 ? whole : first + whole / j->shares;
    for (int64_t r = first / j->row; r * j->row < last; r++) {
        for (int64_t i = 0; i < j->count; i++) {
            const Joined *a = &j->parts[i];
            int64_t begin = r * j->row + a->at, end = begin + a->row;
            int64_t from = begin > first ? begin : first, to = end < last ? end : last;
            if (from < to)
                copy_run(j->out + from, a->from + r * a->row + from - begin, to - from);
        }
    }
}

/* join(out, arrays, outer): rows of the arrays side by side in rows of `out`. */
static PyObject *join(PyObject *module, PyObject *args)
{
    Py_buffer out;
    PyObject *arrays;
    long long outer;
    if (!PyArg_ParseTuple(args, "w*O!L", &out, &PyList_Type, &arrays, &outer))
        return NULL;
    Py_ssize_t n = PyList_GET_SIZE(arrays), taken = 0;
    Py_buffer *from = calloc(n ? n : 1, sizeof *from);
    Joined *parts = calloc(n ? n : 1, sizeof *parts);
    Join j = {.out = out.buf, .parts = parts, .count = n, .outer = outer};
    PyObject *done = from && parts ? Py_None : PyErr_NoMemory();
    for (; done && taken < n; taken++) {
        PyObject *array = PyList_GET_ITEM(arrays, taken);
        if (PyObject_GetBuffer(array, &from[taken], PyBUF_C_CONTIGUOUS) < 0) {
            done = NULL;
            break;
        }
        int64_t row = outer > 0 ? from[taken].len / outer : 0;
        parts[taken] = (Joined){from[taken].buf, row, j.row};
        j.row += row;
        if (outer < 1 || row * outer != from[taken].len)
            done = wrong_sizes("join");
    }
    if (done && j.row * outer != out.len)
        done = wrong_sizes("join");
    if (done && j.row) {
        j.shares = shares_of(2 * out.len, out.len);
        Py_BEGIN_ALLOW_THREADS
        run_parts(join_part, &j, j.shares, j.shares > 1 ? threads_now() : 1);
        Py_END_ALLOW_THREADS
    }
    for (Py_ssize_t i = 0; i < taken; i++)
        PyBuffer_Release(&from[i]);
    PyBuffer_Release(&out);
    free(from);
    free(parts);
    return Py_XNewRef(done);
}

/* ------------------------------------------------------------------ rows by number */
#define AHEAD 1         /* rows that are fetched before they are copied */
#define MOST_AHEAD 2048 /* bytes of a row; what follows is found by the processor */

typedef struct {
    char *out;
    const char *from, *ids;
    int64_t n, count, width; /* rows; ids; bytes of a row, or its elements */
    int64_t outer;           /* tables of which all give rows */
    int wide, is_double, shares;
} Rows;

static int64_t id_at(const Rows *j, int64_t i)
{
    if (j->wide)
        return ((const int64_t *)j->ids)[i];
    return ((const int32_t *)j->ids)[i];
}

static int64_t row_at(const Rows *j, int64_t i)
{
    int64_t id = id_at(j, i);
    return id < 0 ? 0 : id < j->n ? id : j->n - 1;
}

/* Rows of as many bytes as a number has. */
#define TAKE(row, number)                                                               \
    static void take_##row##_##number(row *restrict out, const row *restrict from,      \
                                      const number *restrict ids, int64_t count,        \
                                      int64_t n)                                        \
    {                                                                                   \
        for (int64_t i = 0; i < count; i++) {                                           \
            int64_t id = ids[i] < 0 ? 0 : ids[i];                                       \
            out[i] = from[id < n ? id : n - 1];                                         \
        }                                                                               \
    }
TAKE(int32_t, int32_t)
TAKE(int32_t, int64_t)
TAKE(int64_t, int32_t)
TAKE(int64_t, int64_t)
#define TAKE_BY(row, number)                                                            \
    take_##row##_##number((row *)out + first, (const row *)from,                        \
                          (const number *)j->ids + first, last - first, j->n)

static void take_some(const Rows *j, char *out, const char *from, int64_t first,
                      int64_t last)
{
    if (j->width == 4)
        j->wide ? TAKE_BY(int32_t, int64_t) : TAKE_BY(int32_t, int32_t);
    else if (j->width == 8)
        j->wide ? TAKE_BY(int64_t, int64_t) : TAKE_BY(int64_t, int32_t);
    else
        for (int64_t i = first; i < last; i++) {
            if (i + AHEAD < last) /* rows lie anywhere: no other guess finds the next */
                for (int64_t at = 0; at < j->width && at < MOST_AHEAD; at += 64)
                    __builtin_prefetch(from + row_at(j, i + AHEAD) * j->width + at);
            memcpy(out + i * j->width, from + row_at(j, i) * j->width, j->width);
        }
}

static void take_part(void *work, int part, int slot)
{
    const Rows *j = work;
    int64_t all = j->count * j->outer;
    int64_t at = all * part / j->shares, end = all * (part + 1) / j->shares;
    while (at < end) {
        int64_t table = at / j->count, first = at % j->count;
        int64_t last = first + end - at < j->count ? first + end - at : j->count;
        take_some(j, j->out + table * j->count * j->width,
                  j->from + table * j->n * j->width, first, last);
        at += last - first;
    }
}

#define ADD_COLUMNS(type)                                                               \
    for (int64_t i = 0; i < j->count; i++) {                                            \
        int64_t id = id_at(j, i);                                                       \
        if (id < 0 || id >= j->n)                                                       \
            continue;                                                                   \
        type *to = (type *)j->out + id * j->width;                                      \
        const type *row = (const type *)j->from + i * j->width;                         \
        for (int64_t k = first; k < last; k++)                                          \
            to[k] += row[k];                                                            \
    }

static void add_part(void *work, int part, int slot)
{
    const Rows *j = work;
    int64_t first = j->width * part / j->shares, last = j->width * (part + 1) / j->shares;
    if (j->is_double)
        ADD_COLUMNS(double)
    else
        ADD_COLUMNS(float)
}

static PyObject *with_rows(PyObject *args, const char *name, Part *part, int adding)
{
    Py_buffer out, from, ids;
    long long n, count, width, outer = 1;
    int item, wide;
    if (!PyArg_ParseTuple(args, "w*y*y*LLLip|L", &out, &from, &ids, &n, &count, &width,
                          &item, &wide, &outer))
        return NULL;
    Rows j = {.out = out.buf, .from = from.buf, .ids = ids.buf, .n = n, .count = count,
              .width = adding ? width : width * item, .wide = wide, .is_double = item == 8,
              .outer = outer};
    int64_t many[4] = {n, width, item, outer}, few[4] = {count, width, item, outer};
    int64_t numbers[2] = {count, wide ? 8 : 4};
    Py_buffer *of_n = adding ? &out : &from, *of_count = adding ? &from : &out;
    PyObject *done = Py_None;
    if (item < 1 || !sizes_are(of_n->len, many, 4) || !sizes_are(of_count->len, few, 4) ||
        !sizes_are(ids.len, numbers, 2) || (adding && item != 4 && item != 8) ||
        (n < 1 && count > 0) || (adding && outer != 1))
        done = wrong_sizes(name);
    else if (count && width && outer) {
        int threads = threads_now(); /* a column's sums are the same in any share */
        int64_t most = adding ? least_of(width / 16, 2 * threads) : count * outer;
        j.shares = shares_of(2 * of_count->len, most);
        Py_BEGIN_ALLOW_THREADS
        run_parts(part, &j, j.shares, j.shares > 1 ? threads : 1);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&out);
    PyBuffer_Release(&from);
    PyBuffer_Release(&ids);
    return Py_XNewRef(done);
}

/* take_rows(out, rows, ids, n, count, width, bytes of an element, wide ids, tables):
 * out[i] is the row ids[i] of n, in each table; a number outside is that of the nearest
 * end. */
static PyObject *take_rows(PyObject *module, PyObject *args)
{
    return with_rows(args, "take_rows", take_part, 0);
}

/* add_rows(out, rows, ids, n, count, width, bytes of a float, wide ids): row i is added to
 * the row ids[i] of `out`, in order; those whose number is outside are left out. */
static PyObject *add_rows(PyObject *module, PyObject *args)
{
    return with_rows(args, "add_rows", add_part, 1);
}

/* ------------------------------------------------------------------ running sums */
#define BLOCK 16384 /* elements of a long row that have one sum */
#define CHAINS 4    /* sums that run side by side: one waits for itself */
#define LONG_ROW (4 * BLOCK)

typedef struct {
    char *out;
    const char *x;
    char *totals; /* of the quarters of blocks, then what comes before each */
    int64_t outer, n, inner, blocks;
    int exclusive, reverse, is_double, shares;
} Scan;

#define SCANS(type)                                                                     \
    /* Up to four chains of `n` entries, from `start` on, `step` apart. */              \
    static void scan_chains_##type(type *const out[], const type *const x[],            \
                                   type start[], int chains, int64_t n, int64_t step,   \
                                   int exclusive)                                       \
    {                                                                                   \
        type a = start[0], b = start[1], c = start[2], d = start[3];                    \
        int64_t k = 0;                                                                  \
        if (chains == CHAINS && exclusive)                                              \
            for (int64_t i = 0; i < n; i++, k += step) {                                \
                type p = x[0][k], q = x[1][k], r = x[2][k], s = x[3][k];                \
                out[0][k] = a, out[1][k] = b, out[2][k] = c, out[3][k] = d;             \
                a += p, b += q, c += r, d += s;                                         \
            }                                                                           \
        else if (chains == CHAINS)                                                      \
            for (int64_t i = 0; i < n; i++, k += step) {                                \
                a += x[0][k], b += x[1][k], c += x[2][k], d += x[3][k];                 \
                out[0][k] = a, out[1][k] = b, out[2][k] = c, out[3][k] = d;             \
            }                                                                           \
        else                                                                            \
            for (int j = 0; j < chains; j++) {                                          \
                a = start[j];                                                           \
                k = 0;                                                                  \
                for (int64_t i = 0; i < n; i++, k += step) {                            \
                    type p = x[j][k];                                                   \
                    out[j][k] = exclusive ? a : a + p;                                  \
                    a += p;                                                             \
                }                                                                       \
            }                                                                           \
    }                                                                                   \
                                                                                        \
    /* Rows of which each is one chain. */                                              \
    static void scan_rows_##type(const Scan *j, int64_t first, int64_t last)            \
    {                                                                                   \
        int64_t from = j->reverse ? j->n - 1 : 0, step = j->reverse ? -1 : 1;           \
        for (int64_t r = first; r < last; r += CHAINS) {                                \
            type *out[CHAINS], start[CHAINS] = {0};                                     \
            const type *x[CHAINS];                                                      \
            int chains = (int)(last - r < CHAINS ? last - r : CHAINS);                  \
            for (int i = 0; i < chains; i++) {                                          \
                out[i] = (type *)j->out + (r + i) * j->n + from;                        \
                x[i] = (const type *)j->x + (r + i) * j->n + from;                      \
            }                                                                           \
            scan_chains_##type(out, x, start, chains, j->n, step, j->exclusive);        \
        }                                                                               \
    }                                                                                   \
                                                                                        \
    /* Columns [first, last) of a matrix [n, inner]. */                                 \
    static void scan_columns_##type(const Scan *j, int64_t o, int64_t first,            \
                                    int64_t last)                                       \
    {                                                                                   \
        int64_t step = j->reverse ? -j->inner : j->inner;                               \
        int64_t at = (o * j->n + (j->reverse ? j->n - 1 : 0)) * j->inner;               \
        type *out = (type *)j->out + at;                                                \
        const type *x = (const type *)j->x + at;                                        \
        for (int64_t k = first; k < last; k++)                                          \
            out[k] = j->exclusive ? 0 : x[k];                                           \
        for (int64_t i = 1; i < j->n; i++, out += step, x += step) {                    \
            const type *next = j->exclusive ? x : x + step;                             \
            for (int64_t k = first; k < last; k++)                                      \
                out[step + k] = out[k] + next[k];                                       \
        }                                                                               \
    }                                                                                   \
                                                                                        \
    /* The sum of a quarter of a block: eight lanes, and what is left. */               \
    static type total_##type(const type *x, int64_t n)                                  \
    {                                                                                   \
        type lanes[16] = {0}, rest = 0;                                                 \
        int64_t i = 0;                                                                  \
        for (; i + 16 <= n; i += 16)                                                    \
            for (int k = 0; k < 16; k++)                                                \
                lanes[k] += x[i + k];                                                   \
        for (; i < n; i++)                                                              \
            rest += x[i];                                                               \
        for (int half = 8; half; half /= 2)                                             \
            for (int k = 0; k < half; k++)                                              \
                lanes[k] += lanes[k + half];                                            \
        return lanes[0] + rest;                                                         \
    }                                                                                   \
                                                                                        \
    static void total_block_##type(const Scan *j, int64_t block)                        \
    {                                                                                   \
        int64_t r = block / j->blocks, b = block % j->blocks;                           \
        for (int q = 0; q < CHAINS; q++) {                                              \
            int64_t from = b * BLOCK + q * (BLOCK / CHAINS);                            \
            int64_t n = j->n - from < BLOCK / CHAINS ? j->n - from : BLOCK / CHAINS;    \
            int64_t at = j->reverse ? j->n - from - n : from;                           \
            ((type *)j->totals)[block * CHAINS + q] =                                   \
                n > 0 ? total_##type((const type *)j->x + r * j->n + at, n) : 0;        \
        }                                                                               \
    }                                                                                   \
                                                                                        \
    static void scan_block_##type(const Scan *j, int64_t block)                         \
    {                                                                                   \
        int64_t r = block / j->blocks, b = block % j->blocks, quarter = BLOCK / CHAINS; \
        type *out[CHAINS], *start = (type *)j->totals + block * CHAINS;                 \
        const type *x[CHAINS];                                                          \
        int64_t step = j->reverse ? -1 : 1, n = j->n - b * BLOCK;                       \
        for (int q = 0; q < CHAINS; q++) {                                              \
            int64_t from = b * BLOCK + q * quarter;                                     \
            from = from < j->n ? from : j->n - 1;                                       \
            int64_t at = r * j->n + (j->reverse ? j->n - 1 - from : from);              \
            out[q] = (type *)j->out + at;                                               \
            x[q] = (const type *)j->x + at;                                             \
        }                                                                               \
        if (n >= BLOCK) {                                                               \
            scan_chains_##type(out, x, start, CHAINS, quarter, step, j->exclusive);     \
            return;                                                                     \
        }                                                                               \
        for (int q = 0; q < CHAINS && n > 0; q++, n -= quarter)                         \
            scan_chains_##type(out + q, x + q, start + q, 1, n < quarter ? n : quarter, \
                               step, j->exclusive);                                     \
    }                                                                                   \
                                                                                        \
    /* What comes before each quarter, in place of its total. */                        \
    static void add_totals_##type(Scan *j)                                              \
    {                                                                                   \
        type *totals = (type *)j->totals;                                               \
        for (int64_t r = 0; r < j->outer; r++) {                                        \
            double before = 0;                                                          \
            for (int64_t i = 0; i < j->blocks * CHAINS; i++, totals++) {                \
                double next = before + *totals;                                         \
                *totals = (type)before;                                                 \
                before = next;                                                          \
            }                                                                           \
        }                                                                               \
    }
SCANS(float)
SCANS(double)
#define EITHER(name, ...)                                                               \
    (j->is_double ? name##_double(__VA_ARGS__) : name##_float(__VA_ARGS__))

static void total_part(void *work, int part, int slot)
{
    const Scan *j = work;
    EITHER(total_block, j, part);
}

static void block_part(void *work, int part, int slot)
{
    const Scan *j = work;
    EITHER(scan_block, j, part);
}

static void scan_part(void *work, int part, int slot)
{
    const Scan *j = work;
    if (j->inner == 1) {
        int64_t first = j->outer * part / j->shares;
        EITHER(scan_rows, j, first, j->outer * (part + 1) / j->shares);
        return;
    }
    int64_t first = j->inner * part / j->shares, last = j->inner * (part + 1) / j->shares;
    for (int64_t o = 0; o < j->outer; o++)
        EITHER(scan_columns, j, o, first, last);
}

static int run_scan(Scan *j)
{
    int64_t bytes = j->outer * j->n * j->inner * (j->is_double ? 8 : 4);
    int threads = bytes < SHARED_BYTES ? 1 : threads_now();
    if (j->inner > 1 || j->n < LONG_ROW) {
        j->shares = shares_of(bytes, j->inner > 1 ? j->inner / 16 : j->outer / CHAINS);
        run_parts(scan_part, j, j->shares, threads);
        return 1;
    }
    j->blocks = (j->n + BLOCK - 1) / BLOCK;
    int64_t parts = j->blocks * j->outer;
    j->totals = parts < INT32_MAX ? malloc(parts * CHAINS * sizeof(double)) : NULL;
    if (!j->totals)
        return 0;
    run_parts(total_part, j, (int)parts, threads);
    j->is_double ? add_totals_double(j) : add_totals_float(j);
    run_parts(block_part, j, (int)parts, threads);
    free(j->totals);
    return 1;
}

/* running_sum(out, x, outer, n, inner, exclusive, reverse, bytes of a float): along the
 * middle axis of [outer, n, inner]. */
static PyObject *running_sum(PyObject *module, PyObject *args)
{
    Py_buffer out, x;
    long long outer, n, inner;
    int item;
    Scan j = {0};
    if (!PyArg_ParseTuple(args, "w*y*LLLppi", &out, &x, &outer, &n, &inner, &j.exclusive,
                          &j.reverse, &item))
        return NULL;
    j.out = out.buf;
    j.x = x.buf;
    j.outer = outer, j.n = n, j.inner = inner;
    j.is_double = item == 8;
    int64_t sizes[4] = {outer, n, inner, item};
    PyObject *done = Py_None;
    if ((item != 4 && item != 8) || !sizes_are(out.len, sizes, 4) || x.len != out.len)
        done = wrong_sizes("running_sum");
    else if (out.len) {
        int ran;
        Py_BEGIN_ALLOW_THREADS
        ran = run_scan(&j);
        Py_END_ALLOW_THREADS
        done = ran ? Py_None : PyErr_NoMemory();
    }
    PyBuffer_Release(&out);
    PyBuffer_Release(&x);
    return Py_XNewRef(done);
}
#endif

PyMethodDef movement_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"join", join, METH_VARARGS, "Rows of arrays side by side."},
    {"take_rows", take_rows, METH_VARARGS, "Rows by number."},
    {"add_rows", add_rows, METH_VARARGS, "Rows added to rows by number."},
    {"running_sum", running_sum, METH_VARARGS, "Running sums along an axis."},
#endif
    {NULL, NULL, 0, NULL},
};
