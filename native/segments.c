/* Sums of the rows that share a number. Each sum runs over its rows in their order and
 * is written once; threads share out the sums.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <stdlib.h>
#include <string.h>

#define SHARED_BYTES (1 << 19) /* of rows: from here on threads share the work */
#define MOST_PARTS 64
#define NARROW 8 /* elements of a row: below, rows are added as they come */

typedef struct {
    char *out;
    const char *rows;
    const void *ids, *picks; /* picks: which row each is; NULL: one after the other */
    int64_t n, m, count, width; /* sums; rows; ids; elements of a row */
    int wide_ids, wide_picks, item;
    int64_t *starts, *order; /* those with number i: order[starts[i]] to [starts[i + 1]] */
    int parts;
} Sums;

static inline int64_t number_at(const void *numbers, int wide, int64_t i)
{
    return wide ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

static inline int64_t row_of(const Sums *s, int64_t i)
{
    return s->picks ? number_at(s->picks, s->wide_picks, i) : i;
}

/* Up to four rows at a time: each is a page of its own, which the machine only fetches
 * ahead once it has begun. Added one after the other, to 0 at first. */
#define SUMS(type)                                                                      \
    static inline void add_rows_##type(type *restrict to, const type *const *r, int n,  \
                                       int64_t width, int first)                        \
    {                                                                                   \
        const type *a = r[0], *b = r[1], *c = r[2], *d = r[3];                          \
        for (int64_t i = 0; i < width; i++) {                                           \
            type sum = (first ? (type)0 : to[i]) + a[i];                                \
            sum = n > 1 ? sum + b[i] : sum;                                             \
            sum = n > 2 ? sum + c[i] : sum;                                             \
            to[i] = n > 3 ? sum + d[i] : sum;                                           \
        }                                                                               \
    }                                                                                   \
    static void sum_one_##type(const Sums *s, int64_t i)                                \
    {                                                                                   \
        type *to = (type *)s->out + i * s->width;                                       \
        int64_t k = s->starts[i], end = s->starts[i + 1], width = s->width;             \
        if (k == end)                                                                   \
            memset(to, 0, width * sizeof(type));                                        \
        for (int64_t first = k; k < end; k += 4) {                                      \
            const type *rows[4] = {NULL};                                               \
            int n = end - k < 4 ? (int)(end - k) : 4, new = k == first;                 \
            for (int r = 0; r < n; r++)                                                 \
                rows[r] = (const type *)s->rows + s->order[k + r] * width;              \
            if (n == 4 && new)                                                          \
                add_rows_##type(to, rows, 4, width, 1);                                 \
            else if (n == 4)                                                            \
                add_rows_##type(to, rows, 4, width, 0);                                 \
            else if (n == 3)                                                            \
                add_rows_##type(to, rows, 3, width, new);                               \
            else if (n == 2)                                                            \
                add_rows_##type(to, rows, 2, width, new);                               \
            else                                                                        \
                add_rows_##type(to, rows, 1, width, new);                               \
        }                                                                               \
    }                                                                                   \
    static void sum_narrow_##type(const Sums *s)                                        \
    {                                                                                   \
        memset(s->out, 0, s->n * s->width * sizeof(type));                              \
        for (int64_t i = 0; i < s->count; i++) {                                        \
            int64_t id = number_at(s->ids, s->wide_ids, i);                             \
            if (id < 0 || id >= s->n)                                                   \
                continue;                                                               \
            type *to = (type *)s->out + id * s->width;                                  \
            const type *from = (const type *)s->rows + row_of(s, i) * s->width;         \
            for (int64_t c = 0; c < s->width; c++)                                      \
                to[c] += from[c];                                                       \
        }                                                                               \
    }                                                                                   \
    static void sum_single_##type(const Sums *s)                                        \
    {                                                                                   \
        type *to = (type *)s->out;                                                      \
        const type *from = (const type *)s->rows;                                       \
        memset(to, 0, s->n * sizeof(type));                                             \
        if (s->wide_ids) {                                                              \
            const int64_t *ids = s->ids;                                                \
            for (int64_t i = 0; i < s->count; i++)                                      \
                if (ids[i] >= 0 && ids[i] < s->n)                                       \
                    to[ids[i]] += from[i];                                              \
        } else {                                                                        \
            const int32_t *ids = s->ids;                                                \
            for (int64_t i = 0; i < s->count; i++)                                      \
                if (ids[i] >= 0 && ids[i] < s->n)                                       \
                    to[ids[i]] += from[i];                                              \
        }                                                                               \
    }
SUMS(float)
SUMS(double)
#define EITHER(name, ...)                                                               \
    (s->item == 8 ? name##_double(__VA_ARGS__) : name##_float(__VA_ARGS__))

/* The sums to which this part of the rows goes. */
static void sum_part(void *work, int part, int slot)
{
    const Sums *s = work;
    for (int64_t i = s->n * part / s->parts; i < s->n * (part + 1) / s->parts; i++)
        EITHER(sum_one, s, i);
}

/* The rows sorted by their numbers, in their order where these are the same. */
static void sort_rows(Sums *s)
{
    memset(s->starts, 0, (s->n + 2) * sizeof *s->starts);
    int64_t *starts = s->starts + 1; /* in the end each is where the next begins */
    for (int64_t i = 0; i < s->count; i++) {
        int64_t id = number_at(s->ids, s->wide_ids, i);
        if (id >= 0 && id < s->n)
            starts[id + 1]++;
    }
    for (int64_t i = 0; i < s->n; i++)
        starts[i + 1] += starts[i];
    for (int64_t i = 0; i < s->count; i++) {
        int64_t id = number_at(s->ids, s->wide_ids, i);
        if (id >= 0 && id < s->n)
            s->order[starts[id]++] = row_of(s, i);
    }
}

static int run_sums(Sums *s)
{
    if (s->width < NARROW) {
        s->width == 1 && !s->picks ? EITHER(sum_single, s) : EITHER(sum_narrow, s);
        return 1;
    }
    s->starts = malloc((s->n + 2 + s->count) * sizeof *s->starts);
    if (!s->starts)
        return 0;
    s->order = s->starts + s->n + 2;
    sort_rows(s);
    s->parts = (int)(s->n < MOST_PARTS ? s->n : MOST_PARTS);
    int64_t bytes = s->count * s->width * s->item;
    run_parts(sum_part, s, s->parts, bytes < SHARED_BYTES ? 1 : threads_now());
    free(s->starts);
    return 1;
}

/* Whether all picks are rows. */
static int picks_are_rows(const Sums *s)
{
    for (int64_t i = 0; s->picks && i < s->count; i++) {
        int64_t row = number_at(s->picks, s->wide_picks, i);
        if (row < 0 || row >= s->m)
            return 0;
    }
    return 1;
}

/* Whether the sizes are those of the arrays: n sums, m rows and a number for each row, or
 * for each pick. */
static int sums_fit(const Sums *s, int64_t out, int64_t rows, int64_t ids, int64_t picks)
{
    int64_t all[3] = {s->n, s->width, s->item}, given[3] = {s->m, s->width, s->item};
    int64_t numbers[2] = {s->count, s->wide_ids ? 8 : 4};
    int64_t chosen[2] = {s->count, s->wide_picks ? 8 : 4};
    if ((s->item != 4 && s->item != 8) || !sizes_are(out, all, 3) ||
        !sizes_are(rows, given, 3) || !sizes_are(ids, numbers, 2))
        return 0;
    return s->picks ? sizes_are(picks, chosen, 2) && picks_are_rows(s) : s->m == s->count;
}

/* sum_rows(out, rows, ids, picks, n, m, width, bytes of a float, wide ids, wide picks):
 * out[i] is the sum of the rows, or of the picked rows, whose number is i; those whose
 * number is outside are left out. Without picks that is an empty array. */
static PyObject *sum_rows(PyObject *module, PyObject *args)
{
    Py_buffer out, rows, ids, picks;
    long long n, m, width;
    Sums s = {0};
    if (!PyArg_ParseTuple(args, "w*y*y*y*LLLipp", &out, &rows, &ids, &picks, &n, &m, &width,
                          &s.item, &s.wide_ids, &s.wide_picks))
        return NULL;
    s.n = n, s.m = m, s.width = width;
    s.count = ids.len / (s.wide_ids ? 8 : 4);
    s.out = out.buf, s.rows = rows.buf, s.ids = ids.buf;
    s.picks = picks.len ? picks.buf : NULL;
    PyObject *done = Py_None;
    if (!sums_fit(&s, out.len, rows.len, ids.len, picks.len))
        done = wrong_sizes("sum_rows");
    else if (out.len) {
        int ran;
        Py_BEGIN_ALLOW_THREADS
        ran = run_sums(&s);
        Py_END_ALLOW_THREADS
        done = ran ? Py_None : PyErr_NoMemory();
    }
    PyBuffer_Release(&out);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&picks);
    return Py_XNewRef(done);
}
#endif

PyMethodDef segment_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"sum_rows", sum_rows, METH_VARARGS, "Sums of rows by number."},
#endif
    {NULL, NULL, 0, NULL},
};
