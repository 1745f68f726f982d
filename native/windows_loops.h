/* Loops over windows for vectors of WIDTH floats; to be compiled by each_width.h.
 *
 * Every sum is one channel's, so vectors are as wide as the machine's. The last one of a
 * pixel ends with its channels, and does some of them a second time.
 */
#include <math.h>
#include <string.h>

#define V OF_WIDTH(Lanes)
#define MASK OF_WIDTH(Mask)
#define LOAD OF_WIDTH(load)
#define STORE OF_WIDTH(store)
#define INLINE static inline __attribute__((always_inline))

typedef float V __attribute__((vector_size(4 * WIDTH)));
typedef int32_t MASK __attribute__((vector_size(4 * WIDTH)));

INLINE V LOAD(const float *p)
{
    V v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void STORE(float *p, V v) { memcpy(p, &v, sizeof v); }

#define SOURCE(j, image, row) ((j)->a + ((image) * (j)->high + (row)) * (j)->wide * c)
#define EACH_BLOCK(o)                                                                   \
    (int64_t o = 0; o < c; o = o + WIDTH < c && o + 2 * WIDTH > c ? c - WIDTH : o + WIDTH)

/* The largest entries of the windows. */
static void OF_WIDTH(max_line)(const WindowWork *j, int64_t image, int64_t line)
{
    const int64_t c = j->s.c;
    const Meeting *down = j->down.all + j->down.first[line];
    int64_t high = j->down.first[line + 1] - j->down.first[line];
    float *out = j->out + (image * j->lines + line) * j->columns * c;
    const float *x = SOURCE(j, image, high ? down->at : 0);
    for (int64_t t = 0; t < j->columns; t++, out += c) {
        const Meeting *across = j->across.all + j->across.first[t];
        int64_t wide = j->across.first[t + 1] - j->across.first[t];
        const float *from = x + (wide ? across->at : 0) * c;
        for EACH_BLOCK(o) {
            V most = (V){0} - INFINITY;
            for (int64_t p = 0; p < high; p++)
                for (int64_t q = 0; q < wide; q++) {
                    V x = LOAD(from + (p * j->wide + q) * c + o);
                    MASK keep = (most > x) | (most != most); /* NaN stays */
                    most = (V)(((MASK)most & keep) | ((MASK)x & ~keep));
                }
            STORE(out + o, most);
        }
    }
}

/* The means of the windows: sums of columns first, as NumPy's kernel. */
static void OF_WIDTH(mean_line)(const WindowWork *j, int64_t image, int64_t line)
{
    const int64_t c = j->s.c;
    const Meeting *down = j->down.all + j->down.first[line];
    int64_t high = j->down.first[line + 1] - j->down.first[line];
    float *out = j->out + (image * j->lines + line) * j->columns * c;
    const float *x = SOURCE(j, image, high ? down->at : 0);
    for (int64_t t = 0; t < j->columns; t++, out += c) {
        const Meeting *across = j->across.all + j->across.first[t];
        int64_t wide = j->across.first[t + 1] - j->across.first[t];
        const float *from = x + (wide ? across->at : 0) * c;
        float count = (float)(high * wide);
        for EACH_BLOCK(o) {
            V sum = {0};
            for (int64_t q = 0; q < wide; q++) {
                V column = {0};
                for (int64_t p = 0; p < high; p++)
                    column += LOAD(from + (p * j->wide + q) * c + o);
                sum += column;
            }
            STORE(out + o, sum / count);
        }
    }
}

/* The gradient of means: from each window that an entry lies in, its share of dy. */
static void OF_WIDTH(spread_line)(const WindowWork *j, int64_t image, int64_t line)
{
    const int64_t c = j->s.c;
    const Meeting *down = j->down.all + j->down.first[line];
    int64_t high = j->down.first[line + 1] - j->down.first[line];
    float *out = j->out + (image * j->lines + line) * j->columns * c;
    for (int64_t t = 0; t < j->columns; t++, out += c) {
        const Meeting *across = j->across.all + j->across.first[t];
        int64_t wide = j->across.first[t + 1] - j->across.first[t];
        if (high == 1 && wide == 1) {
            float share = j->down.entries[down->at] * j->across.entries[across->at];
            const float *from = SOURCE(j, image, down->at) + across->at * c;
            share = 1.0f / share;
            for EACH_BLOCK(o)
                STORE(out + o, LOAD(from + o) * share);
            continue;
        }
        for EACH_BLOCK(o) {
            V sum = {0};
            for (int64_t p = 0; p < high; p++) {
                const float *row = SOURCE(j, image, down[p].at) + o;
                float many = j->down.entries[down[p].at];
                for (int64_t q = 0; q < wide; q++) {
                    float share = 1.0f / (many * j->across.entries[across[q].at]);
                    sum += LOAD(row + across[q].at * c) * share;
                }
            }
            STORE(out + o, sum);
        }
    }
}

#define TILE_OF 6 /* columns whose sums stay in registers together */
#define EACH_OF_TILE(F) F(0) F(1) F(2) F(3) F(4) F(5)

/* TILE_OF neighbours, whose sources are `step` apart; weights: the line's. */
INLINE void OF_WIDTH(weigh_tile)(const WindowWork *j, const float *x0, const float *w0,
                                 const Meeting *down, int64_t high,
                                 const Meeting *across, int64_t wide, float *out)
{
    const int64_t c = j->s.c, step = j->step * c, pitch = j->wide * c;
    int three = wide == 3 && j->step == 1 && across[1].at - across[0].at == 1;
#define CLEAR(i) V s##i = {0};
    EACH_OF_TILE(CLEAR)
    for (int64_t p = 0; p < high; p++) {
        const float *row = x0 + down[p].at * pitch, *w = w0 + down[p].tap * j->s.kw * c;
        if (three) { /* each entry is loaded once */
            const float *x = row + across[0].at * c;
            V a = LOAD(w + across[0].tap * c), b = LOAD(w + across[1].tap * c);
            V d = LOAD(w + across[2].tap * c);
            V x0 = LOAD(x), x1 = LOAD(x + c);
#define SLIDE(i)                                                                        \
    {                                                                                   \
        V x2 = LOAD(x + (i + 2) * c);                                               \
        s##i += x0 * a;                                                                 \
        s##i += x1 * b;                                                                 \
        s##i += x2 * d;                                                                 \
        x0 = x1, x1 = x2;                                                               \
    }
            EACH_OF_TILE(SLIDE)
            continue;
        }
        for (int64_t q = 0; q < wide; q++) {
            const float *x = row + across[q].at * c;
            V weight = LOAD(w + across[q].tap * c);
#define WEIGH(i) s##i += LOAD(x + i * step) * weight;
            EACH_OF_TILE(WEIGH)
        }
    }
#define KEEP(i) STORE(out + i * c, s##i);
    EACH_OF_TILE(KEEP)
}

/* Sums of entries times filters: depthwise convolutions, forward and back. */
static void OF_WIDTH(weigh_line)(const WindowWork *j, int64_t image, int64_t line)
{
    const int64_t c = j->s.c, pitch = j->wide * c;
    const Meeting *down = j->down.all + j->down.first[line];
    int64_t high = j->down.first[line + 1] - j->down.first[line], ahead;
    float *out = j->out + (image * j->lines + line) * j->columns * c;
    const float *source = SOURCE(j, image, 0);
    for (int64_t t = 0; t < j->columns; t += ahead, out += ahead * c) {
        const Meeting *across = j->across.all + j->across.first[t];
        int64_t wide = j->across.first[t + 1] - j->across.first[t];
        ahead = j->across.alike[t] >= TILE_OF ? TILE_OF : 1;
        for EACH_BLOCK(o) {
            if (ahead > 1) {
                OF_WIDTH(weigh_tile)(j, source + o, j->b + o, down, high, across, wide,
                                     out + o);
                continue;
            }
            V sum = {0};
            for (int64_t p = 0; p < high; p++)
                for (int64_t q = 0; q < wide; q++)
                    sum += LOAD(source + down[p].at * pitch + across[q].at * c + o) *
                           LOAD(j->b + (down[p].tap * j->s.kw + across[q].tap) * c + o);
            STORE(out + o, sum);
        }
    }
}

/* Of the window whose entries begin at `at`, up to `high` lines of `wide` columns: dy at
 * the first largest one, in the lanes of `left`; lines before `low` and from `below` on
 * are another part's. `add`: windows lie over each other. */
INLINE void OF_WIDTH(first_of)(const float *x, float *restrict dx, int64_t pitch, int64_t c,
                               int64_t high, int64_t wide, int64_t low, int64_t below,
                               V most, V dy, MASK left, int add)
{
    for (int64_t p = 0; p < high; p++, x += pitch, dx += pitch) {
        int ours = p >= low && p < below;
        for (int64_t q = 0; q < wide; q++) {
            MASK chosen = (LOAD(x + q * c) == most) & left;
            left &= ~chosen;
            V part = (V)((MASK)dy & chosen);
            if (ours)
                STORE(dx + q * c, add ? LOAD(dx + q * c) + part : part);
        }
    }
}

/* The same for a line of windows: what lies in lines [low, below) of x is written. */
static void OF_WIDTH(first_line)(const WindowWork *j, int64_t image, int64_t line,
                                 int64_t low, int64_t below)
{
    const int64_t c = j->s.c, pitch = j->wide * c, columns = j->s.columns;
    MASK lanes = {0};
    const Meeting *down = j->down.all + j->down.first[line];
    int64_t high = j->down.first[line + 1] - j->down.first[line];
    int64_t place = (image * j->s.rows + line) * columns * c;
    const float *y = j->b + place, *dy = j->given + place;
    if (!high)
        return;
    for (int i = 0; i < WIDTH; i++)
        lanes[i] = i;
    low -= down->at, below -= down->at;
    int64_t row = (image * j->high + down->at) * pitch;
    for (int64_t t = 0; t < columns; t++, y += c, dy += c) {
        const Meeting *across = j->across.all + j->across.first[t];
        int64_t wide = j->across.first[t + 1] - j->across.first[t];
        const float *x = j->a + row + (wide ? across->at : 0) * c;
        float *dx = j->out + row + (wide ? across->at : 0) * c;
        int small = high == 2 && wide == 2 && low <= 0 && below >= 2 && j->apart;
        for (int64_t o = 0; o < c; o += WIDTH) {
            int32_t done = o + WIDTH > c ? (int32_t)(o + WIDTH - c) : 0;
            int64_t from = o - done;
            V most = LOAD(y + from), given = LOAD(dy + from);
            MASK left = lanes >= done;
            if (small && !done)
                OF_WIDTH(first_of)(x + from, dx + from, pitch, c, 2, 2, 0, 2, most, given,
                                   left, 0);
            else
                OF_WIDTH(first_of)(x + from, dx + from, pitch, c, high, wide, low, below,
                                   most, given, left, !j->apart || done);
        }
    }
}

/* The products of a line of dy with the lines of x that it meets, added to the sums for
 * each entry of the filter. */
static void OF_WIDTH(filter_line)(const WindowWork *j, int64_t image, int64_t line,
                                   float *sums)
{
    const int64_t c = j->s.c, step = j->s.right * c;
    const float *dy = j->given + (image * j->s.rows + line) * j->s.columns * c;
    for (int64_t i = j->down.first[line]; i < j->down.first[line + 1]; i++) {
        const float *row = SOURCE(j, image, j->down.all[i].at);
        float *sum = sums + j->down.all[i].tap * j->s.kw * c;
        for (int64_t q = 0; q < j->s.kw; q++, sum += c) {
            int64_t first = j->s.before - q * j->s.apart_w, last = j->s.columns;
            int64_t start = -first; /* of window 0 */
            first = first > 0 ? (first + j->s.right - 1) / j->s.right : 0;
            int64_t room = j->wide - 1 - start;
            room = room < 0 ? 0 : room / j->s.right + 1;
            last = last < room ? last : room;
            for EACH_BLOCK(o) {
                const float *x = row + start * c + o, *d = dy + o;
                V s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
                int64_t t = first;
                for (; t + 4 <= last; t += 4) {
                    s0 += LOAD(x + t * step) * LOAD(d + t * c);
                    s1 += LOAD(x + (t + 1) * step) * LOAD(d + (t + 1) * c);
                    s2 += LOAD(x + (t + 2) * step) * LOAD(d + (t + 2) * c);
                    s3 += LOAD(x + (t + 3) * step) * LOAD(d + (t + 3) * c);
                }
                for (; t < last; t++)
                    s0 += LOAD(x + t * step) * LOAD(d + t * c);
                V all = (s0 + s1) + (s2 + s3);
                if (o % WIDTH) { /* what the block before has added already */
                    float lanes[WIDTH];
                    STORE(lanes, all);
                    for (int64_t i = WIDTH - c % WIDTH; i < WIDTH; i++)
                        sum[o + i] += lanes[i];
                } else
                    STORE(sum + o, LOAD(sum + o) + all);
            }
        }
    }
}
#undef TILE_OF
#undef EACH_OF_TILE
#undef CLEAR
#undef SLIDE
#undef WEIGH
#undef KEEP
#undef SOURCE
#undef EACH_BLOCK
#undef V
#undef MASK
#undef LOAD
#undef STORE
#undef INLINE
