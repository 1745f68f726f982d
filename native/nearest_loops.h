/* The loops of nearest.c over the scores of a point. */
#define least_of OF_WIDTH(least_of_)
#define any_is OF_WIDTH(any_is_)
#define none_below OF_WIDTH(none_below_)
#define one_row OF_WIDTH(one_row_)

static inline int any_is(const float *x, float value)
{
    int found = 0;
    for (int l = 0; l < LANES; l++)
        found |= x[l] == value;
    return found;
}

/* The place of the first of the least; 0 where all are NaN. */
static int64_t least_of(const float *x, int64_t n)
{
    float lanes[LANES], least = INFINITY;
    int64_t i = 0;
    for (int l = 0; l < LANES; l++)
        lanes[l] = INFINITY;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] = x[i + l] < lanes[l] ? x[i + l] : lanes[l];
    for (; i < n; i++)
        least = x[i] < least ? x[i] : least;
    for (int l = 0; l < LANES; l++)
        least = lanes[l] < least ? lanes[l] : least;
    for (i = 0; i + LANES <= n && !any_is(x + i, least);)
        i += LANES;
    for (; i < n; i++)
        if (x[i] == least)
            return i;
    return 0;
}

/* Whether no number is below `limit`: not where that is NaN. */
static inline int none_below(const float *x, int64_t n, float limit)
{
    int below = limit != limit;
    if (n == LANES)
        for (int l = 0; l < LANES; l++)
            below |= x[l] < limit;
    else
        for (int l = 0; l < n; l++)
            below |= x[l] < limit;
    return !below;
}

static void one_row(const Nearest *w, int64_t row, float *x, Entry *heap)
{
    const float *products = w->products + row * w->m, norm = w->norms[row];
    for (int64_t j = 0; j < w->m; j++)
        x[j] = norm - 2 * products[j] + w->others[j];
    int64_t *places = w->places + row * w->k, count = 0;
    float *squares = w->squares + row * w->k;
    if (w->k == 1)
        heap[0] = (Entry){0, least_of(x, w->m)};
    else
        for (int64_t j = 0; j < w->m; j += LANES) {
            int64_t end = j + LANES < w->m ? j + LANES : w->m;
            if (count == w->k && none_below(x + j, end - j, (float)heap[0].score))
                continue;
            for (int64_t i = j; i < end; i++)
                keep(heap, w->k, &count, (Entry){x[i], i});
        }
    sort_heap(heap, count);
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
#undef least_of
#undef any_is
#undef none_below
#undef one_row
