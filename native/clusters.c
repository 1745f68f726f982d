/* k-means++: what ops/random/first_centers.py does on arrays. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <stdlib.h>
#include <string.h>
#include "uncontracted.h"

#define BLOCK 64       /* points */
#define SHARED (1 << 17) /* products: from here on threads share the points */
#define MOST_PARTS 16
#define TOGETHER 4 /* candidates */
#define TRIES 1000 /* draws that find nothing but what was chosen before */

typedef struct {
    const float *points; /* [n][wide] */
    int64_t n, wide, room, count, retries; /* room: n in whole blocks */
    float *columns, *norms, *nearest, *sums, *best, *after[TOGETHER];
    char *chosen;
    int64_t tries[TOGETHER];
    int tried, parts;
    uint32_t key[2], words[4];
    uint64_t block;
    int used; /* words of the block */
} Centers;

#define LOOPS "clusters_loops.h"
#include "each_width.h"

static uint32_t next_word(Centers *w)
{
    if (w->used == 4) {
        uint32_t x[4] = {(uint32_t)w->block, (uint32_t)(w->block >> 32), 0, 0};
        uint32_t k0 = w->key[0], k1 = w->key[1];
        for (int i = 0; i < 10; i++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
            uint64_t a = (uint64_t)0xD2511F53 * x[0], b = (uint64_t)0xCD9E8D57 * x[2];
            uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k0, (uint32_t)b,
                             (uint32_t)(a >> 32) ^ x[3] ^ k1, (uint32_t)a};
            memcpy(x, y, sizeof x);
        }
        memcpy(w->words, x, sizeof x);
        w->block++, w->used = 0;
    }
    return w->words[w->used++];
}

static int64_t any_point(Centers *w)
{
    uint64_t n = (uint64_t)w->n, left_out = n & (n - 1) ? UINT64_MAX % n + 1 : 0;
    for (;;) {
        uint64_t low = next_word(w), word = low | (uint64_t)next_word(w) << 32;
        if (word >= left_out)
            return (int64_t)(word % n);
    }
}

static int64_t candidate(Centers *w)
{
    int64_t low = 0;
    for (int i = 0; i < TRIES; i++) {
        float wanted = (float)(next_word(w) & 0x7FFFFF) * 0x1p-23f * w->sums[w->n - 1];
        int64_t high = w->n;
        for (low = 0; low < high;) {
            int64_t middle = low + (high - low) / 2;
            if (wanted < w->sums[middle])
                high = middle;
            else
                low = middle + 1;
        }
        if (low == w->n || !w->chosen[low])
            break;
    }
    return low < w->n ? low : w->n - 1;
}

static void exchange(float **a, float **b)
{
    float *old = *a;
    *a = *b, *b = old;
}

static int64_t one_center(Centers *w, int first)
{
    int64_t found = -1;
    float least = 0, sum = 0;
    for (int64_t left = 1 + w->retries; left > 0; left -= w->tried) {
        w->tried = left < TOGETHER ? (int)left : TOGETHER;
        for (int r = 0; r < w->tried; r++)
            w->tries[r] = first ? any_point(w) : candidate(w);
        run_parts(FOR_WIDTH(far_part), w, w->parts, w->parts > 1 ? threads_now() : 1);
        for (int r = 0; r < w->tried; r++) {
            float cost = FOR_WIDTH(lanes_sum)(w->after[r], w->n);
            if (found >= 0 && !(cost < least))
                continue;
            least = cost, found = w->tries[r];
            exchange(&w->best, &w->after[r]);
        }
    }
    exchange(&w->nearest, &w->best);
    for (int64_t i = 0; i < w->n; i++)
        w->sums[i] = sum += w->nearest[i];
    w->chosen[found] = 1;
    return found;
}

static void look_at_points(Centers *w)
{
    memset(w->columns, 0, (w->wide + 1) * w->room * sizeof(float));
    for (int64_t i = 0; i < w->room; i++)
        w->nearest[i] = INFINITY;
    for (int64_t start = 0; start < w->n; start += BLOCK)
        for (int64_t k = 0; k < w->wide; k++)
            for (int64_t i = start; i < w->n && i < start + BLOCK; i++) {
                float x = w->points[i * w->wide + k];
                w->columns[start * w->wide + k * BLOCK + i - start] = x;
                w->norms[i] += x * x;
            }
    for (int64_t i = 0; i < w->n; i++)
        w->norms[i] *= 0.5f;
}

static int choose_all(Centers *w, int64_t *places)
{
    w->room = (w->n + BLOCK - 1) / BLOCK * BLOCK;
    size_t rows = w->wide + 4 + TOGETHER;
    w->columns = malloc(rows * w->room * sizeof(float));
    w->chosen = calloc(w->n, 1);
    if (w->columns && w->chosen) {
        w->norms = w->columns + w->wide * w->room;
        w->nearest = w->norms + w->room, w->sums = w->nearest + w->room;
        w->best = w->sums + w->room;
        for (int r = 0; r < TOGETHER; r++)
            w->after[r] = w->best + (r + 1) * w->room;
        int64_t blocks = w->room / BLOCK;
        w->parts = blocks < MOST_PARTS ? (int)blocks : MOST_PARTS;
        if (w->room * w->wide < SHARED)
            w->parts = 1;
        look_at_points(w);
        for (int64_t i = 0; i < w->count; i++)
            places[i] = one_center(w, i == 0);
    }
    int enough = w->columns && w->chosen;
    free(w->columns), free(w->chosen);
    return enough;
}

/* first_centers(points, wide, seed, retries, places): which of the float32 points[n, wide]
 * are chosen, int64. */
static PyObject *first_centers(PyObject *module, PyObject *args)
{
    Py_buffer points, places;
    Centers w = {.used = 4};
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "y*LKLw*", &points, &w.wide, &seed, &w.retries, &places))
        return NULL;
    w.points = points.buf, w.count = places.len / 8;
    w.key[0] = (uint32_t)seed, w.key[1] = (uint32_t)(seed >> 32);
    w.n = w.wide > 0 ? points.len / 4 / w.wide : 0;
    int64_t sizes[] = {w.n, w.wide};
    int good = w.n > 0 && sizes_are(points.len / 4, sizes, 2) && w.retries >= 0 &&
               w.count <= w.n;
    int enough = 1;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        enough = choose_all(&w, places.buf);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&points);
    PyBuffer_Release(&places);
    if (!good)
        return wrong_sizes("first_centers");
    return enough ? Py_NewRef(Py_None) : PyErr_NoMemory();
}
#endif

PyMethodDef cluster_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"first_centers", first_centers, METH_VARARGS, "k-means++."},
#endif
    {NULL, NULL, 0, NULL},
};
