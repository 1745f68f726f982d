/* The loops of nearest.c over the scores of a point. */
#include "vectors.h"

#define lanes_of OF_WIDTH(lanes_of_)
#define least_of OF_WIDTH(least_of_)
#define none_upto OF_WIDTH(none_upto_)
#define bound OF_WIDTH(bound_)
#define few_best OF_WIDTH(few_best_)
#define sorted_best OF_WIDTH(sorted_best_)
#define one_row OF_WIDTH(one_row_)

/* Whether all of 16 numbers are above `limit`, or NaN. */
static inline int none_upto(const float *x, float limit)
{
    F16 all = all16(limit), lanes = load16(x);
    I16 found = above16(all, lanes) | equal16(all, lanes);
    uint64_t any = 0, parts[8];
    memcpy(parts, &found, sizeof parts);
    for (int i = 0; i < 8; i++)
        any |= parts[i];
    return !any;
}

/* The least of each lane. */
static inline F16 lanes_of(const float *x, int64_t n)
{
    F16 least = all16(INFINITY);
    for (int64_t i = 0; i < n; i += LANES)
        least = least16(least, load16(x + i));
    return least;
}

/* The place of the first of the least; 0 where all are NaN. */
static int64_t least_of(const float *x, int64_t n)
{
    F16 least = lanes_of(x, n);
    float low = least[0];
    for (int l = 1; l < LANES; l++)
        low = least[l] < low ? least[l] : low;
    for (int64_t i = 0; i < n; i += LANES) {
        if (n > LANES && none_upto(x + i, low))
            continue;
        for (int64_t j = i; j < i + LANES && j < n; j++)
            if (x[j] == low)
                return j;
    }
    return 0;
}

/* The k-th least of the least of each lane: at least k numbers are not above it. INFINITY
 * where it is not known. */
static inline float bound(const float *x, int64_t n, int64_t k)
{
    if (k > LANES || n > INT32_MAX - LANES)
        return INFINITY;
    F16 least = lanes_of(x, n);
    float low = INFINITY;
    for (int l = 0; l < LANES; l++) {
        F16 own = all16(least[l]);
        I16 upto = above16(own, least) | equal16(own, least);
        int32_t count = 0, lanes[LANES];
        memcpy(lanes, &upto, sizeof lanes);
        for (int i = 0; i < LANES; i++)
            count -= lanes[i];
        if (count >= k && least[l] < low)
            low = least[l];
    }
    return low;
}

/* The k best of those not above `limit`, in their order; 0 where these are many. */
static int few_best(const Nearest *w, const float *x, float limit, Entry *best)
{
    int32_t at[FEW + LANES];
    float keys[FEW];
    Entry sorted[FEW];
    int count = 0;
    for (int64_t j = 0; j < w->m; j += LANES) {
        if (none_upto(x + j, limit))
            continue;
        for (int32_t i = (int32_t)j; i < j + LANES; i++)
            at[count] = i, count += x[i] <= limit;
        if (count > FEW)
            return 0;
    }
    for (int i = 0; i < count; i++)
        keys[i] = x[at[i]];
    for (int i = 0; i < count; i++) {
        int rank = 0;
        for (int j = 0; j < i; j++)
            rank += keys[j] <= keys[i];
        for (int j = i + 1; j < count; j++)
            rank += keys[j] < keys[i];
        sorted[rank] = (Entry){keys[i], at[i]};
    }
    memcpy(best, sorted, w->k * sizeof(Entry));
    return 1;
}

static void sorted_best(const Nearest *w, const float *x, Entry *heap)
{
    int64_t count = 0;
    for (int64_t j = 0; j < w->m; j += LANES) {
        float limit = count == w->k ? (float)heap[0].score : NAN;
        if (limit == limit && none_upto(x + j, limit))
            continue;
        for (int64_t i = j; i < j + LANES && i < w->m; i++)
            keep(heap, w->k, &count, (Entry){x[i], i});
    }
    sort_heap(heap, count);
}

static void one_row(const Nearest *w, int64_t row, float *x, Entry *heap)
{
    const float *products = w->products + row * w->m, norm = w->norms[row];
    for (int64_t j = 0; j < w->m; j++)
        x[j] = norm - 2 * products[j] + w->others[j];
    for (int64_t j = w->m; j % LANES; j++)
        x[j] = INFINITY;
    int64_t *places = w->places + row * w->k;
    float *squares = w->squares + row * w->k, limit;
    if (w->k == 1)
        heap[0] = (Entry){0, least_of(x, w->m)};
    else if (!((limit = bound(x, w->m, w->k)) < INFINITY && few_best(w, x, limit, heap)))
        sorted_best(w, x, heap);
    for (int64_t j = 0; j < w->k; j++) {
        float square = x[places[j] = heap[j].at];
        squares[j] = square < 0 ? 0 : square;
    }
}

static void OF_WIDTH(nearest_part)(void *work, int part, int slot)
{
    const Nearest *w = work;
    char *space = w->space + slot * row_space(w);
    float *x = (float *)(space + w->k * sizeof(Entry));
    for (int64_t i = w->n * part / w->parts; i < w->n * (part + 1) / w->parts; i++)
        one_row(w, i, x, (Entry *)space);
}
#undef lanes_of
#undef least_of
#undef none_upto
#undef bound
#undef few_best
#undef sorted_best
#undef one_row
