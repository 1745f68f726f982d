/* Orders of one kind of key, from the largest down. KEY: an unsigned integer of which
 * the smallest stands for the largest value; PAIR: a key above the place of its value,
 * so that of equal values the first one comes first; MINUS_INFINITY: the bits of -inf;
 * KEYED(name): names of the kind.
 */

/* The first `count` <= PIECE keys of x. Without -0, and NaN is the largest, or one with
 * -inf where `kind` says so. */
static inline void KEYED(keys)(int kind, const void *x, int64_t start, int64_t count,
                               KEY *out)
{
    const KEY top = (KEY)1 << (sizeof(KEY) * 8 - 1), low = MINUS_INFINITY;
    const KEY *bits = (const KEY *)x + start;
    if (kind == INTEGERS) {
        for (int64_t i = 0; i < count; i++)
            out[i] = ~(bits[i] ^ top);
        return;
    }
    const KEY nan = kind == FLOATS ? 0 : low;
    for (int64_t i = 0; i < count; i++) {
        KEY b = bits[i], size = b & ~top;
        KEY key = ~(b ^ (b & top ? ~(KEY)0 : top));
        key = size ? key : (KEY)~top;
        out[i] = size > (low & ~top) ? nan : key;
    }
}

static inline PAIR KEYED(pair)(KEY key, int64_t place)
{
    return (PAIR)key << 32 | (uint32_t)place;
}

/* Blocks of 8 in rising order: each pair goes where as many are smaller. */
static void KEYED(sort_blocks)(PAIR *a, int64_t n)
{
    int64_t start = 0;
    for (; start + 8 <= n; start += 8) {
        PAIR block[8];
        int rank[8] = {0};
        memcpy(block, a + start, sizeof block);
        for (int j = 0; j < 8; j++)
            for (int i = 0; i < 8; i++)
                rank[i] += block[j] < block[i];
        for (int i = 0; i < 8; i++)
            a[start + rank[i]] = block[i];
    }
    for (int64_t i = start + 1; i < n; i++) {
        PAIR p = a[i];
        int64_t j = i;
        for (; j > start && a[j - 1] > p; j--)
            a[j] = a[j - 1];
        a[j] = p;
    }
}

/* In rising order; room for as many more at `spare`. */
static void KEYED(merge_sort)(PAIR *a, PAIR *spare, int64_t n)
{
    KEYED(sort_blocks)(a, n);
    PAIR *from = a, *to = spare;
    for (int64_t run = 8; run < n; run *= 2) {
        for (int64_t start = 0; start < n; start += 2 * run) {
            int64_t middle = start + run < n ? start + run : n;
            int64_t stop = start + 2 * run < n ? start + 2 * run : n;
            int64_t i = start, j = middle, k = start;
            while (i < middle && j < stop) {
                PAIR x = from[i], y = from[j];
                int left = x < y;
                to[k++] = left ? x : y;
                i += left;
                j += !left;
            }
            memcpy(to + k, from + i, (middle - i) * sizeof(PAIR));
            memcpy(to + k + (middle - i), from + j, (stop - j) * sizeof(PAIR));
        }
        PAIR *t = from;
        from = to, to = t;
    }
    if (from != a)
        memcpy(a, from, n * sizeof(PAIR));
}

#define DIGIT 11
#define DIGITS (1 << DIGIT)

/* What threads share of one pass of a radix sort: parts count, then move. */
typedef struct {
    const PAIR *from;
    PAIR *to;
    int64_t n, length; /* of a part */
    int shift, parts;
    int64_t *counts; /* [parts][DIGITS] */
} KEYED(Pass);

static void KEYED(count_part)(void *work, int part, int slot)
{
    const KEYED(Pass) *p = work;
    int64_t start = part * p->length, stop = start + p->length;
    int64_t *count = p->counts + (int64_t)part * DIGITS;
    memset(count, 0, DIGITS * sizeof *count);
    for (int64_t i = start; i < (stop < p->n ? stop : p->n); i++)
        count[(uint32_t)(p->from[i] >> p->shift) & (DIGITS - 1)]++;
}

static void KEYED(move_part)(void *work, int part, int slot)
{
    const KEYED(Pass) *p = work;
    int64_t start = part * p->length, stop = start + p->length;
    int64_t *at = p->counts + (int64_t)part * DIGITS;
    for (int64_t i = start; i < (stop < p->n ? stop : p->n); i++)
        p->to[at[(uint32_t)(p->from[i] >> p->shift) & (DIGITS - 1)]++] = p->from[i];
}

/* Sort by the keys, which keeps the order of what is equal; where the result is. */
static PAIR *KEYED(radix_sort)(PAIR *a, PAIR *spare, int64_t n, int64_t *counts, int parts,
                               int threads)
{
    KEYED(Pass) p = {.from = a, .to = spare, .n = n, .parts = parts, .counts = counts};
    p.length = (n + parts - 1) / parts;
    for (p.shift = 32; p.shift < 32 + (int)sizeof(KEY) * 8; p.shift += DIGIT) {
        run_parts(KEYED(count_part), &p, parts, threads);
        int64_t sum = 0;
        int one = 0; /* digit for all: nothing moves */
        for (int digit = 0; digit < DIGITS; digit++) {
            int64_t before = sum;
            for (int part = 0; part < parts; part++) {
                int64_t *count = &counts[(int64_t)part * DIGITS + digit], was = *count;
                *count = sum;
                sum += was;
            }
            one |= sum - before == n;
        }
        if (one)
            continue;
        run_parts(KEYED(move_part), &p, parts, threads);
        PAIR *t = (PAIR *)p.from;
        p.from = p.to, p.to = t;
    }
    return (PAIR *)p.from;
}

/* Sort n pairs on this thread: where the result is. */
static PAIR *KEYED(sort)(PAIR *a, PAIR *spare, int64_t n, int64_t *counts)
{
    if (n > 512 * (int64_t)sizeof(KEY) / 4)
        return KEYED(radix_sort)(a, spare, n, counts, 1, 1);
    KEYED(merge_sort)(a, spare, n);
    return a;
}

/* A key that k of those of x[start:stop] do not exceed, from the first of them: that of
 * the k-th best of the best ones in BLOCK lanes. */
static KEY KEYED(bound)(int kind, const void *x, int64_t start, int64_t stop, int64_t k)
{
    KEY keys[PIECE], lanes[BLOCK], best = ~(KEY)0;
    for (int j = 0; j < BLOCK; j++)
        lanes[j] = ~(KEY)0;
    int64_t most = start + 4 * PIECE < stop ? start + 4 * PIECE : stop;
    for (int64_t at = start; at + BLOCK <= most; at += PIECE) {
        int64_t count = most - at < PIECE ? most - at : PIECE;
        KEYED(keys)(kind, x, at, count, keys);
        for (int64_t block = 0; block + BLOCK <= count; block += BLOCK)
            for (int j = 0; j < BLOCK; j++)
                lanes[j] = keys[block + j] < lanes[j] ? keys[block + j] : lanes[j];
    }
    for (int i = 0; i < BLOCK; i++) {
        KEY below = 0;
        for (int j = 0; j < BLOCK; j++)
            below += lanes[j] <= lanes[i];
        best = below >= (KEY)k && lanes[i] < best ? lanes[i] : best;
    }
    return best;
}

/* The k <= FEW best of x[start:stop], in order; how many there are. */
static int64_t KEYED(best)(int kind, const void *x, int64_t start, int64_t stop, int64_t k,
                           PAIR *kept)
{
    int64_t have = 0;
    KEY keys[PIECE], limit = KEYED(bound)(kind, x, start, stop, k);
    for (int64_t at = start; at < stop; at += PIECE) {
        int64_t count = stop - at < PIECE ? stop - at : PIECE;
        KEYED(keys)(kind, x, at, count, keys);
        for (int64_t i = count; i % BLOCK; i++)
            keys[i] = ~(KEY)0;
        for (int64_t block = 0; block < count; block += BLOCK) {
            const KEY *key = keys + block;
            KEY least = key[0];
            for (int i = 1; i < BLOCK; i++)
                least = key[i] < least ? key[i] : least;
            if (least > limit)
                continue;
            for (int64_t i = 0; i < BLOCK && block + i < count; i++) {
                PAIR p = KEYED(pair)(key[i], at + block + i);
                if (key[i] > limit || (have == k && p > kept[k - 1]))
                    continue;
                int64_t j = have < k ? have++ : k - 1;
                for (; j > 0 && kept[j - 1] > p; j--)
                    kept[j] = kept[j - 1];
                kept[j] = p;
                if (have == k)
                    limit = (KEY)(kept[k - 1] >> 32);
            }
        }
    }
    return have;
}

#define FIRST_DIGIT(key) ((key) >> (sizeof(KEY) * 8 - DIGIT))

/* How many keys of x[start:stop] begin with each digit. */
static void KEYED(count)(int kind, const void *x, int64_t start, int64_t stop,
                         int64_t *counts)
{
    KEY keys[PIECE];
    memset(counts, 0, DIGITS * sizeof *counts);
    for (int64_t at = start; at < stop; at += PIECE) {
        int64_t count = stop - at < PIECE ? stop - at : PIECE;
        KEYED(keys)(kind, x, at, count, keys);
        for (int64_t i = 0; i < count; i++)
            counts[FIRST_DIGIT(keys[i])]++;
    }
}

/* The pairs of x[start:stop] whose keys begin with `limit` or less; how many. `room`:
 * there is room for one more behind them. */
static int64_t KEYED(collect)(int kind, const void *x, int64_t start, int64_t stop,
                              int64_t limit, int room, PAIR *out)
{
    int64_t have = 0;
    KEY keys[PIECE], last = (KEY)limit << (sizeof(KEY) * 8 - DIGIT) |
                            (~(KEY)0 >> DIGIT);
    for (int64_t at = start; at < stop; at += PIECE) {
        int64_t count = stop - at < PIECE ? stop - at : PIECE;
        KEYED(keys)(kind, x, at, count, keys);
        int any = 0;
        for (int64_t i = 0; i < count; i++)
            any |= keys[i] <= last;
        for (int64_t i = 0; !room && any && i < count; i++)
            if (keys[i] <= last)
                out[have++] = KEYED(pair)(keys[i], at + i);
        for (int64_t i = 0; room && any && i < count; i++) {
            out[have] = KEYED(pair)(keys[i], at + i);
            have += keys[i] <= last;
        }
    }
    return have;
}

/* What threads share of a job: rows, or parts of one row. */
typedef struct {
    Top t;
    PAIR *pairs;             /* for each slot, or of the parts of the row */
    int64_t *counts, length; /* DIGITS for each slot or part; rows or keys in a part */
    int64_t starts[MOST_ROW_PARTS + 1], limit;
    int parts;
} KEYED(Work);

static void KEYED(put)(const Top *t, int64_t row, const PAIR *best)
{
    const KEY *x = (const KEY *)t->x + row * t->n;
    KEY *values = (KEY *)t->values + row * t->k;
    int32_t *places = t->places + row * t->k;
    for (int64_t i = 0; i < t->k; i++) {
        places[i] = (int32_t)(uint32_t)best[i];
        values[i] = x[places[i]];
    }
}

/* Which first digit the k-th key has; counts of `parts` parts. */
static int64_t KEYED(limit)(const int64_t *counts, int parts, int64_t k)
{
    int64_t sum = 0;
    for (int64_t digit = 0; digit < DIGITS; digit++) {
        for (int part = 0; part < parts; part++)
            sum += counts[(int64_t)part * DIGITS + digit];
        if (sum >= k)
            return digit;
    }
    return DIGITS - 1;
}

static void KEYED(rows_part)(void *work, int part, int slot)
{
    const KEYED(Work) *w = work;
    const Top *t = &w->t;
    PAIR *pairs = w->pairs + slot * 2 * (t->k > FEW ? t->n : FEW);
    int64_t *counts = w->counts + (int64_t)slot * DIGITS;
    int64_t start = part * w->length, stop = start + w->length;
    for (int64_t row = start; row < (stop < t->rows ? stop : t->rows); row++) {
        const KEY *x = (const KEY *)t->x + row * t->n;
        PAIR *sorted = pairs;
        if (t->k <= FEW)
            KEYED(best)(t->kind, x, 0, t->n, t->k, pairs);
        else {
            int64_t limit = DIGITS - 1;
            if (!ALL(t->n, t->k)) {
                KEYED(count)(t->kind, x, 0, t->n, counts);
                limit = KEYED(limit)(counts, 1, t->k);
            }
            int64_t have = KEYED(collect)(t->kind, x, 0, t->n, limit, 1, pairs);
            sorted = KEYED(sort)(pairs, pairs + t->n, have, counts);
        }
        KEYED(put)(t, row, sorted);
    }
}

static int64_t KEYED(start_of)(const KEYED(Work) *w, int part)
{
    int64_t start = part * w->length;
    return start < w->t.n ? start : w->t.n;
}

static void KEYED(best_part)(void *work, int part, int slot)
{
    KEYED(Work) *w = work;
    const Top *t = &w->t;
    w->starts[part] =
        KEYED(best)(t->kind, t->x, KEYED(start_of)(w, part), KEYED(start_of)(w, part + 1),
                    t->k, w->pairs + part * FEW);
}

static void KEYED(count_keys)(void *work, int part, int slot)
{
    KEYED(Work) *w = work;
    KEYED(count)(w->t.kind, w->t.x, KEYED(start_of)(w, part), KEYED(start_of)(w, part + 1),
                 w->counts + (int64_t)part * DIGITS);
}

static void KEYED(collect_part)(void *work, int part, int slot)
{
    KEYED(Work) *w = work;
    KEYED(collect)(w->t.kind, w->t.x, KEYED(start_of)(w, part),
                   KEYED(start_of)(w, part + 1), w->limit, 0,
                   w->pairs + w->starts[part]);
}

/* The order of the best of one row, in parts. */
static PAIR *KEYED(long_row)(KEYED(Work) *w, int threads)
{
    const Top *t = &w->t;
    int64_t have = 0;
    if (t->k <= FEW) {
        run_parts(KEYED(best_part), w, w->parts, threads);
        for (int part = 0; part < w->parts; part++) {
            PAIR *kept = w->pairs + part * FEW;
            memmove(w->pairs + have, kept, w->starts[part] * sizeof(PAIR));
            have += w->starts[part];
        }
        KEYED(merge_sort)(w->pairs, w->pairs + have, have);
        return w->pairs;
    }
    int some = !ALL(t->n, t->k);
    w->limit = DIGITS - 1;
    if (some) {
        run_parts(KEYED(count_keys), w, w->parts, threads);
        w->limit = KEYED(limit)(w->counts, w->parts, t->k);
    }
    for (int part = 0; part < w->parts; part++) {
        w->starts[part] = some ? have : KEYED(start_of)(w, part);
        for (int64_t digit = 0; some && digit <= w->limit; digit++)
            have += w->counts[(int64_t)part * DIGITS + digit];
    }
    have = some ? have : t->n;
    run_parts(KEYED(collect_part), w, w->parts, threads);
    if (have < LONG_ROW)
        return KEYED(sort)(w->pairs, w->pairs + t->n, have, w->counts);
    return KEYED(radix_sort)(w->pairs, w->pairs + t->n, have, w->counts, w->parts,
                             threads);
}

/* 0 without memory. */
static int KEYED(top)(const Top *t, int threads)
{
    KEYED(Work) w = {.t = *t};
    int by_row = t->rows >= FEW_ROWS || t->n < LONG_ROW, slots;
    int64_t room = t->k > FEW ? 2 * t->n : 2 * FEW;
    if (by_row) {
        w.length = t->n > 16384 ? 1 : 16384 / t->n;
        w.parts = (int)((t->rows + w.length - 1) / w.length);
        slots = threads = w.parts < 3 ? 1 : threads;
        room *= slots;
    } else {
        slots = w.parts = row_parts(t->n);
        w.length = (t->n + w.parts - 1) / w.parts;
        room = room < 2 * FEW * slots ? 2 * FEW * slots : room;
    }
    w.pairs = malloc(room * sizeof(PAIR));
    w.counts = malloc((int64_t)slots * DIGITS * sizeof(int64_t));
    int good = w.pairs && w.counts;
    if (good && by_row)
        run_parts(KEYED(rows_part), &w, w.parts, threads);
    for (int64_t row = 0; good && !by_row && row < t->rows; row++) {
        w.t.x = (const KEY *)t->x + row * t->n;
        KEYED(put)(t, row, KEYED(long_row)(&w, threads));
    }
    free(w.pairs);
    free(w.counts);
    return good;
}
#undef DIGIT
#undef DIGITS
#undef FIRST_DIGIT
