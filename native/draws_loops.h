/* The loops of draws.c, for one width of vectors: plain ones over LANES blocks, which
 * the compiler puts into vectors.
 */
#define INLINE static inline __attribute__((always_inline))

#include "philox_loops.h"

INLINE float OF_WIDTH(of_bits)(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

INLINE float OF_WIDTH(fraction)(uint32_t word)
{
    return OF_WIDTH(of_bits)((word & 0x7FFFFF) | 0x3F800000) - 1.0f;
}

/* logf of a positive normal number, to the last bit. */
INLINE float OF_WIDTH(log)(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    uint32_t from = bits - 0x3F330000, i = (from >> 19) & 15;
    double k = (int32_t)from >> 23;
    double z = OF_WIDTH(of_bits)(bits - (from & 0xFF800000));
    double r = z * log_table[0][i] - 1.0, y0 = log_table[1][i] + k * 0x1.62e42fefa39efp-1;
    double r2 = r * r, y = 0x1.5575b0be00b6ap-2 * r + -0x1.ffffef20a4123p-2;
    y = -0x1.00ea348b88334p-2 * r2 + y;
    return (float)(y * r2 + (y0 + r));
}

/* sincosf of 0 <= x < 7, to the last bit. */
INLINE void OF_WIDTH(sine)(float turn, float *sine, float *cosine)
{
    double x = turn, scaled = x * 0x1.45F306DC9C883p+23;
    int32_t n = ((int32_t)scaled + 0x800000) >> 24;
    x -= n * 0x1.921FB54442D18p0;
    double x2 = x * x, x3 = x * x2, x4 = x2 * x2;
    double s1 = 0x1.1107605230bc4p-7 + x2 * -0x1.994eb3774cf24p-13;
    double s = x + x3 * -0x1.555545995a603p-3;
    double c2 = -0x1.6c087e89a359dp-10 + x2 * 0x1.99343027bf8c3p-16;
    double c1 = 1.0 + x2 * -0x1.ffffffd0c621cp-2;
    double c = c1 + x4 * 0x1.55553e1068f19p-5;
    float a = (float)(s + x3 * x2 * s1), b = (float)(c + x4 * x2 * c2);
    float first = n & 1 ? b : a, second = n & 1 ? a : b;
    *sine = n & 2 ? -first : first;
    *cosine = (n + 1) & 2 ? -second : second;
}

/* Box and Muller's numbers of LANES pairs of uniform ones: as TensorFlow takes them. */
INLINE void OF_WIDTH(bells)(const uint32_t *a, const uint32_t *b, float *z0, float *z1)
{
    float size[LANES];
    for (int i = 0; i < LANES; i++) {
        float u = OF_WIDTH(fraction)(a[i]);
        size[i] = sqrtf(-2.0f * OF_WIDTH(log)(u < 1e-7f ? 1e-7f : u));
    }
    for (int i = 0; i < LANES; i++) {
        float turn = (float)(6.283185307179586 * (double)OF_WIDTH(fraction)(b[i]));
        float sine, cosine;
        OF_WIDTH(sine)(turn, &sine, &cosine);
        z0[i] = sine * size[i];
        z1[i] = cosine * size[i];
    }
}

/* Four numbers below 2 in size for each of `count` <= LANES groups, each from blocks of
 * its own. */
static void OF_WIDTH(truncated)(const Draw *d, uint64_t group, int count, float *out)
{
    int left[LANES], have[LANES] = {0}, open = count;
    uint64_t blocks[LANES];
    for (int i = 0; i < LANES; i++) {
        left[i] = i < count ? i : 0;
        blocks[i] = d->position + (group + left[i]) * RESERVED;
    }
    while (open) {
        uint32_t words[4][LANES];
        float z[4][LANES];
        OF_WIDTH(philox)(d, blocks, words);
        OF_WIDTH(bells)(words[0], words[1], z[0], z[1]);
        OF_WIDTH(bells)(words[2], words[3], z[2], z[3]);
        int still = 0;
        for (int lane = 0; lane < open; lane++) {
            int i = left[lane];
            for (int j = 0; j < 4 && have[i] < 4; j++)
                if (fabsf(z[j][lane]) < 2.0f)
                    out[4 * i + have[i]++] = z[j][lane];
            if (have[i] < 4) {
                left[still] = i;
                blocks[still++] = blocks[lane] + 1;
            }
        }
        open = still;
    }
}

/* The numbers (or words) of LANES blocks from `group` on, block after block. */
INLINE void OF_WIDTH(lanes)(const Draw *d, uint64_t group, uint32_t *out)
{
    uint32_t words[4][LANES];
    uint64_t blocks[LANES];
    for (int i = 0; i < LANES; i++)
        blocks[i] = d->position + group + i;
    OF_WIDTH(philox)(d, blocks, words);
    float z[4][LANES];
    if (d->kind == NORMAL) {
        OF_WIDTH(bells)(words[0], words[1], z[0], z[1]);
        OF_WIDTH(bells)(words[2], words[3], z[2], z[3]);
        memcpy(words, z, sizeof z);
    } else if (d->kind == UNIFORM) {
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < LANES; i++)
                z[j][i] = OF_WIDTH(fraction)(words[j][i]);
        memcpy(words, z, sizeof z);
    }
    for (int i = 0; i < LANES; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = words[j][i];
}

static void OF_WIDTH(draw_part)(void *work, int part, int slot)
{
    const Draw *d = work;
    int64_t groups = (d->count + 3) / 4, start = (int64_t)part * BLOCKS_A_PART;
    int64_t stop = start + BLOCKS_A_PART < groups ? start + BLOCKS_A_PART : groups;
    for (int64_t group = start; group < stop; group += LANES) {
        uint32_t some[4 * LANES];
        int64_t count = d->count - 4 * group;
        int whole = count >= 4 * LANES, few = stop - group < LANES ? stop - group : LANES;
        uint32_t *out = whole ? d->words + 4 * group : some;
        if (d->kind == TRUNCATED)
            OF_WIDTH(truncated)(d, group, few, (float *)out);
        else
            OF_WIDTH(lanes)(d, group, out);
        if (!whole)
            memcpy(d->words + 4 * group, some, 4 * count);
    }
}

/* The same for ours: out[4][blocks]. */
static void OF_WIDTH(our_part)(void *work, int part, int slot)
{
    const Draw *d = work;
    int64_t blocks = d->count / 4, start = (int64_t)part * BLOCKS_A_PART;
    int64_t stop = start + BLOCKS_A_PART < blocks ? start + BLOCKS_A_PART : blocks;
    for (int64_t block = start; block < stop; block += LANES) {
        uint32_t words[4][LANES];
        uint64_t numbers[LANES];
        int64_t count = stop - block < LANES ? stop - block : LANES;
        for (int i = 0; i < LANES; i++)
            numbers[i] = d->position + block + i;
        OF_WIDTH(philox)(d, numbers, words);
        if (d->kind == OUR_UNIFORM)
            for (int j = 0; j < 4; j++)
                for (int i = 0; i < LANES; i++) {
                    float u = OF_WIDTH(fraction)(words[j][i] >> 9);
                    memcpy(&words[j][i], &u, 4);
                }
        for (int j = 0; j < 4; j++)
            memcpy(d->words + j * blocks + block, words[j], 4 * count);
    }
}

/* sqrt(-2 log(1 - a)) (cos, sin)(2 pi b) */
static void OF_WIDTH(bells_part)(void *work, int part, int slot)
{
    const Bells *w = work;
    int64_t start = (int64_t)part * PAIRS_A_PART, stop = start + PAIRS_A_PART;
    for (int64_t at = start; at < (stop < w->half ? stop : w->half); at += LANES) {
        int64_t count = w->half - at < LANES ? w->half - at : LANES;
        float a[LANES] = {0}, b[LANES] = {0};
        memcpy(a, w->u + at, 4 * count);
        memcpy(b, w->u + w->half + at, 4 * count);
        for (int i = 0; i < LANES; i++)
            a[i] = sqrtf(-2.0f * OF_WIDTH(log)(1.0f - a[i]));
        for (int i = 0; i < LANES; i++) {
            float sine, cosine;
            OF_WIDTH(sine)(b[i] * 6.283185307179586f, &sine, &cosine);
            b[i] = sine * a[i];
            a[i] = cosine * a[i];
        }
        memcpy(w->u + at, a, 4 * count);
        memcpy(w->u + w->half + at, b, 4 * count);
    }
}

/* The high half of a 64-bit word times the span; of one word, its remainder. */
static void OF_WIDTH(ranged_part)(void *work, int part, int slot)
{
    const Ranged *r = work;
    int64_t start = (int64_t)part * PAIRS_A_PART, stop = start + PAIRS_A_PART;
    stop = stop < r->count ? stop : r->count;
    const uint32_t *words = r->words, *second = r->second;
    uint32_t *out = r->out, low = r->low;
    uint64_t span = r->span;
    if (second) {
        for (int64_t i = start; i < stop; i++)
            out[i] = (uint32_t)(((second[i] * span >> 32) + words[i] * span) >> 32) + low;
        return;
    }
    double inverse = 1.0 / (double)span;
    for (int64_t i = start; i < stop; i++) {
        int64_t rest = words[i] - (int64_t)(words[i] * inverse) * (int64_t)span;
        rest += rest < 0 ? (int64_t)span : 0;
        rest -= rest >= (int64_t)span ? (int64_t)span : 0;
        out[i] = (uint32_t)rest + low;
    }
}
#undef INLINE
