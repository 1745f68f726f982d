/* The nearest of some points, and buckets across the nearest hyperplanes: what
 * ops/math/nearest.py and ops/math/hyperplanes.py do on arrays. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "xla_calls.h"
#include "uncontracted.h"

#define SHARED 32768 /* scores: from here on threads share the rows */
#define MOST_PARTS 16
#define MOST_PLANES 62
#define LANES 16
#define FEW 64 /* numbers that are sorted by counting those before each */

typedef struct {
    double score;
    int64_t at;
} Entry;

/* NaN is worse than any number; of equal ones the first is better. */
static inline int worse(Entry a, Entry b)
{
    if (a.score != a.score || b.score != b.score)
        return (a.score != a.score) != (b.score != b.score) ? a.score != a.score
                                                            : a.at > b.at;
    return a.score > b.score || (a.score == b.score && a.at > b.at);
}

/* heap[at] may be better than those below it, which the worst leads. */
static void sift(Entry *heap, int64_t count, int64_t at)
{
    Entry moved = heap[at];
    for (int64_t below; (below = 2 * at + 1) < count; at = below) {
        if (below + 1 < count && worse(heap[below + 1], heap[below]))
            below++;
        if (!worse(heap[below], moved))
            break;
        heap[at] = heap[below];
    }
    heap[at] = moved;
}

static void keep(Entry *heap, int64_t most, int64_t *count, Entry new)
{
    if (*count == most) {
        if (!worse(heap[0], new))
            return;
        heap[0] = new;
        sift(heap, most, 0);
        return;
    }
    heap[(*count)++] = new;
    if (*count == most)
        for (int64_t i = most / 2; i-- > 0;)
            sift(heap, most, i);
}

/* From the best to the worst. */
static void sort_heap(Entry *heap, int64_t count)
{
    while (count > 1) {
        Entry last = heap[--count];
        heap[count] = heap[0], heap[0] = last;
        sift(heap, count, 0);
    }
}

typedef struct {
    const float *products, *norms, *others; /* [n][m], [n], [m] */
    int64_t *places;
    float *squares;
    int64_t n, m, k;
    int parts;
    char *space; /* of each slot: k entries, m floats in whole vectors */
} Nearest;

/* Bytes that a row needs, a multiple of 16. */
static int64_t row_space(const Nearest *w)
{
    int64_t each = (w->m + LANES) * sizeof(float) + w->k * sizeof(Entry) + 16;
    return each - each % 16;
}

#define LOOPS "nearest_loops.h"
#include "each_width.h"

static int parts_of(int64_t rows, int64_t scores)
{
    return rows * scores < SHARED ? 1 : rows < MOST_PARTS ? (int)rows : MOST_PARTS;
}

/* Run the parts with `each` bytes, a multiple of 16, for a thread; 0 without memory. */
static int run_with(Part *part, void *work, char **space, int64_t each, int parts)
{
    int threads = parts > 1 ? threads_now() : 1;
    *space = malloc((size_t)each * (threads > 0 ? threads : 1));
    if (!*space)
        return 0;
    run_parts(part, work, parts, threads);
    free(*space);
    return 1;
}

static int nearest_fits(const Nearest *w, int64_t products, int64_t places, int64_t squares)
{
    int64_t whole[] = {w->n, w->m}, found[] = {w->n, w->k};
    return sizes_are(products, whole, 2) && w->k <= w->m && sizes_are(places, found, 2) &&
           sizes_are(squares, found, 2);
}

/* nearest(products, norms, others, k, places, squares): of float32[n, m] products of
 * points the k least norms - 2 products + others, int64[n, k] and float32[n, k]. */
static PyObject *nearest(PyObject *module, PyObject *args)
{
    Py_buffer b[5];
    Nearest w;
    if (!PyArg_ParseTuple(args, "y*y*y*Lw*w*", &b[0], &b[1], &b[2], &w.k, &b[3], &b[4]))
        return NULL;
    w.products = b[0].buf, w.norms = b[1].buf, w.others = b[2].buf;
    w.places = b[3].buf, w.squares = b[4].buf;
    w.n = b[1].len / 4, w.m = b[2].len / 4;
    int good = nearest_fits(&w, b[0].len / 4, b[3].len / 8, b[4].len / 4), enough = 1;
    if (good && w.k && w.n) {
        w.parts = parts_of(w.n, w.m);
        Py_BEGIN_ALLOW_THREADS
        enough = run_with(FOR_WIDTH(nearest_part), &w, &w.space, row_space(&w), w.parts);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(&b[i]);
    if (!good)
        return wrong_sizes("nearest");
    return enough ? Py_NewRef(Py_None) : PyErr_NoMemory();
}

/* The attribute: int64[1], k. Places and squares come out. */
static void *nearest_in_xla(XlaCall *call)
{
    XlaPair x;
    void *error = NULL;
    if (!xla_arrays(call, 3, 2, &x, &error))
        return error;
    Nearest w = {x.buffers[0]->data, x.buffers[1]->data, x.buffers[2]->data,
                 x.buffers[3]->data, x.buffers[4]->data, x.counts[1], x.counts[2], -1};
    int good = x.facts->count == 1;
    for (int i = 0; i < 5; i++)
        good = good && (i == 3 || x.buffers[i]->dtype == XLA_FLOAT32);
    if (good)
        w.k = *(const int64_t *)x.facts->data;
    if (!good || !nearest_fits(&w, x.counts[0], x.counts[3], x.counts[4]))
        return xla_error(call, "the sizes of points and centers do not fit");
    if (!w.k || !w.n)
        return NULL;
    w.parts = parts_of(w.n, w.m);
    int threads = w.parts > 1 ? xla_threads(call) : 1;
    if (!(w.space = malloc((size_t)row_space(&w) * threads)))
        return xla_error(call, "no memory for points");
    share_in_xla(call, FOR_WIDTH(nearest_part), &w, w.parts, threads);
    free(w.space);
    return NULL;
}

static PyObject *nearest_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(nearest_in_xla);
}

typedef struct {
    const void *products; /* [points][tables][planes] floats, doubles if `wide` */
    int32_t *probes, *tables;
    int64_t points, table_count, planes, count;
    int wide, parts;
    char *space; /* of each slot: `tables` Tables, and as many Sets and `count` more */
} Buckets;

typedef struct {
    uint64_t own;               /* the bucket */
    double squares[MOST_PLANES]; /* of planes, the nearest first so far as `sorted` */
    int8_t planes[MOST_PLANES];
    int sorted;
} Table;

/* A set of planes to cross: 1 << the place of each among the nearest. */
typedef struct {
    double score, without; /* the sum of squares, and that without the last */
    uint64_t places;
    int32_t table, last;
} Set;

static inline int set_is_worse(const Set *a, const Set *b)
{
    int odd = a->score != a->score, other = b->score != b->score;
    if (odd != other)
        return odd;
    if (!odd && a->score != b->score)
        return a->score > b->score;
    return a->table != b->table ? a->table > b->table : a->places > b->places;
}

/* The best comes first in a heap of sets. */
static void add_set(Set *heap, int64_t *count, Set new)
{
    int64_t at = (*count)++;
    for (int64_t above; at && set_is_worse(heap + (above = (at - 1) / 2), &new); at = above)
        heap[at] = heap[above];
    heap[at] = new;
}

/* In the first one's stead. */
static void sift_set(Set *heap, int64_t count, Set moved)
{
    int64_t at = 0;
    for (int64_t below; (below = 2 * at + 1) < count; at = below) {
        if (below + 1 < count && set_is_worse(heap + below, heap + below + 1))
            below++;
        if (!set_is_worse(&moved, heap + below))
            break;
        heap[at] = heap[below];
    }
    heap[at] = moved;
}

static void take_set(Set *heap, int64_t *count)
{
    --*count;
    sift_set(heap, *count, heap[*count]);
}

static inline uint64_t bit_of(const Buckets *w, const Table *t, int place)
{
    return (uint64_t)1 << (w->planes - 1 - t->planes[place]);
}

static void own_bucket(const Buckets *w, int64_t first, Table *t)
{
    t->own = 0;
    for (int64_t p = 0; p < w->planes; p++)
        t->own = t->own << 1 | (w->wide ? ((const double *)w->products)[first + p] >= 0
                                        : ((const float *)w->products)[first + p] >= 0);
}

static void read_squares(const Buckets *w, int64_t first, Table *t)
{
    t->sorted = 0;
    for (int64_t p = 0; p < w->planes; p++) {
        if (w->wide) {
            double x = ((const double *)w->products)[first + p];
            t->squares[p] = x * x;
        } else {
            float x = ((const float *)w->products)[first + p];
            t->squares[p] = x * x;
        }
        t->planes[p] = (int8_t)p;
    }
}

/* The square of a place; of planes that are as near the last one comes first. */
static double square_of(const Buckets *w, Table *t, int place)
{
    for (; t->sorted <= place; t->sorted++) {
        int best = t->sorted;
        for (int p = best + 1; p < w->planes; p++) {
            double x = t->squares[p], least = t->squares[best];
            if (x < least || (least != least && x == x) ||
                (!(x > least) && (x == x) == (least == least) &&
                 t->planes[p] > t->planes[best]))
                best = p;
        }
        double square = t->squares[best];
        int8_t plane = t->planes[best];
        t->squares[best] = t->squares[t->sorted], t->planes[best] = t->planes[t->sorted];
        t->squares[t->sorted] = square, t->planes[t->sorted] = plane;
    }
    return t->squares[place];
}

static inline double sum_of(const Buckets *w, double a, double b)
{
    return w->wide ? a + b : (float)((float)a + (float)b);
}

/* Put in the place of heap[0] what is worse by a step: its next place in the last one's
 * stead; and add that with both. */
static void go_on(const Buckets *w, Table *tables, Set *heap, int64_t *count)
{
    Set of = heap[0];
    int next = of.last + 1;
    if (next == w->planes) {
        take_set(heap, count);
        return;
    }
    double square = square_of(w, tables + of.table, next);
    uint64_t bit = (uint64_t)1 << next;
    Set moved = {sum_of(w, of.without, square), of.without, (of.places & ~(bit >> 1)) | bit,
                 of.table, next};
    sift_set(heap, *count, moved);
    add_set(heap, count,
            (Set){sum_of(w, of.score, square), of.score, of.places | bit, of.table, next});
}

static void one_point(const Buckets *w, int64_t point, Set *heap, Table *tables)
{
    int64_t count = 0, done = 0, row = point * w->table_count, more = w->table_count;
    int32_t *probes = w->probes + point * w->count, *ids = w->tables + point * w->count;
    for (; done < more && done < w->count; done++) {
        own_bucket(w, (row + done) * w->planes, tables + done);
        probes[done] = (int32_t)tables[done].own, ids[done] = (int32_t)done;
    }
    for (int64_t t = 0; t < more && more < w->count; t++) {
        read_squares(w, (row + t) * w->planes, tables + t);
        double square = square_of(w, tables + t, 0);
        add_set(heap, &count, (Set){square, 0, 1, (int32_t)t, 0});
    }
    for (; done < w->count && count; done++) {
        Set best = heap[0];
        const Table *t = tables + best.table;
        uint64_t bucket = t->own;
        for (uint64_t places = best.places; places; places &= places - 1)
            bucket ^= bit_of(w, t, __builtin_ctzll(places));
        probes[done] = (int32_t)bucket, ids[done] = best.table;
        go_on(w, tables, heap, &count);
    }
}

static int64_t space_of(const Buckets *w)
{
    int64_t sets = w->table_count + w->count + 1;
    return w->table_count * (int64_t)sizeof(Table) + sets * (int64_t)sizeof(Set);
}

static void bucket_part(void *work, int part, int slot)
{
    const Buckets *w = work;
    Table *tables = (Table *)(w->space + slot * space_of(w));
    for (int64_t i = w->points * part / w->parts; i < w->points * (part + 1) / w->parts;
         i++)
        one_point(w, i, (Set *)(tables + w->table_count), tables);
}

/* buckets(products, tables, planes, wide, probes, table_ids): for each point of products
 * [points, tables * planes], float32 or float64, its best buckets, int32[points, count],
 * and the tables of these. */
static PyObject *buckets(PyObject *module, PyObject *args)
{
    Py_buffer b[3];
    Buckets w;
    if (!PyArg_ParseTuple(args, "y*LLpw*w*", &b[0], &w.table_count, &w.planes, &w.wide,
                          &b[1], &b[2]))
        return NULL;
    w.products = b[0].buf, w.probes = b[1].buf, w.tables = b[2].buf;
    int64_t item = w.wide ? 8 : 4, row = w.table_count * w.planes;
    int good = w.table_count > 0 && w.planes > 0 && w.planes <= MOST_PLANES &&
               w.table_count < 1 << 24 && b[2].len == b[1].len;
    w.points = good ? b[0].len / item / row : 0;
    w.count = w.points ? b[1].len / 4 / w.points : 0;
    int64_t all[] = {w.points, row}, made[] = {w.points, w.count};
    good = good && sizes_are(b[0].len / item, all, 2) && sizes_are(b[1].len / 4, made, 2) &&
           (w.planes > 30 || w.count <= w.table_count << w.planes);
    int enough = 1;
    if (good && w.count) {
        w.parts = parts_of(w.points, row + w.count);
        Py_BEGIN_ALLOW_THREADS
        enough = run_with(bucket_part, &w, &w.space, space_of(&w), w.parts);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(&b[i]);
    if (!good)
        return wrong_sizes("buckets");
    return enough ? Py_NewRef(Py_None) : PyErr_NoMemory();
}
#endif

PyMethodDef nearest_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"nearest", nearest, METH_VARARGS, "The nearest of some points."},
    {"nearest_for_xla", nearest_for_xla, METH_NOARGS, "It as XLA calls it."},
    {"buckets", buckets, METH_VARARGS, "The buckets across the nearest hyperplanes."},
#endif
    {NULL, NULL, 0, NULL},
};
