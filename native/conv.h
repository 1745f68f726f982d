/* Convolutions of images in float32, straight from the image: no matrix of windows.
 *
 * x: [n, h, w, c], filters: [kh, kw, c, k], y: [n, rows, columns, k]. An output's sums
 * stay in registers while the entries of its window go by; a window's line is one run
 * of memory. Lines of images ("bands") are the parts that threads share out; which
 * there are depends on the shape alone, and so the result does not depend on threads.
 */
typedef struct {
    int64_t n, h, w, c, rows, columns, k; /* sizes of x and y */
    int64_t kh, kw, down, right;          /* filter, strides */
    int64_t apart_h, apart_w;             /* dilations */
    int64_t above, before;                /* padding; the rest follows from the sizes */
} Conv;

#define CONV_SIZES 15
#define TILE_ARGUMENTS                                                                  \
    const float *a, const int64_t *segments, int64_t count, int64_t length,             \
        int64_t row, int64_t step, const float *b, int64_t next, float *c,              \
        int64_t between, int add
typedef void Tile(TILE_ARGUMENTS);
typedef struct {
    int width, most;
    Tile *tile[2][14]; /* [vectors - 1][rows - 1] */
} TileSet;

#define ROWS_1(F) F(0)
#define ROWS_2(F) ROWS_1(F) F(1)
#define ROWS_3(F) ROWS_2(F) F(2)
#define ROWS_4(F) ROWS_3(F) F(3)
#define ROWS_5(F) ROWS_4(F) F(4)
#define ROWS_6(F) ROWS_5(F) F(5)
#define ROWS_7(F) ROWS_6(F) F(6)
#define ROWS_8(F) ROWS_7(F) F(7)
#define ROWS_9(F) ROWS_8(F) F(8)
#define ROWS_10(F) ROWS_9(F) F(9)
#define ROWS_11(F) ROWS_10(F) F(10)
#define ROWS_12(F) ROWS_11(F) F(11)
#define ROWS_13(F) ROWS_12(F) F(12)
#define ROWS_14(F) ROWS_13(F) F(13)

#define WIDTH 4
#define MOST_ROWS 6
#define TARGET
#include "conv_tile.h"
#if defined(__x86_64__)
#define WIDTH 8
#define MOST_ROWS 6
#define TARGET __attribute__((target("avx2,fma")))
#include "conv_tile.h"
#define WIDTH 16
#define MOST_ROWS 14
#define TARGET __attribute__((target("avx512f")))
#include "conv_tile.h"
#endif

static const TileSet *tiles = &tiles_4; /* for the widest vectors that there are */

static void choose_tiles(void)
{
#if defined(__x86_64__)
    tiles = vector_width == 16 ? &tiles_16 : vector_width == 8 ? &tiles_8 : &tiles_4;
#endif
}

#define BAND 24576     /* floats in a band, at best: it stays in the L2 cache */
#define LEAST_BANDS 16 /* as far as there are lines */

/* What all the threads that work on a convolution read. */
typedef struct {
    Conv s;
    const TileSet *tiles;
    const float *x, *given; /* given: filters; dy for the filters' gradient */
    float *out, *packed;    /* packed: the filters in blocks, or sums of parts */
    int64_t image, line, pixel; /* floats from one to the next in `out` */
    int64_t tap, tap_h, tap_w;  /* the filters' first entry; steps to others */
    int64_t along, across;     /* steps from one c, one k of the filters to the next */
    float *scratch;         /* `room` floats for each thread */
    int64_t room, of_x;     /* of_x: floats of it for lines with their padding */
    int64_t pitch;          /* floats in such a line */
    int64_t lines, per_image, bands; /* lines of y in a band; bands */
    int64_t wide_k;                  /* k, rounded up to whole vectors */
    int64_t groups, slices; /* of bands and tiles: parts of the filters' gradient */
    int padded;
} ConvWork;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void copy_floats(float *to, const float *from, int64_t count)
{
    for (; count >= 16; count -= 16, to += 16, from += 16)
        memcpy(to, from, 16 * sizeof(float));
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i];
}

/* The band's lines of y: [first, last) of image `image`. */
static void band_of(const ConvWork *j, int64_t band, int64_t *image, int64_t *first,
                    int64_t *last)
{
    *image = band / j->per_image;
    *first = band % j->per_image * j->lines;
    *last = least(*first + j->lines, j->s.rows);
}

/* Where the windows of line `row` of y begin in x; lines may be in the padding. */
static int64_t top_of(const Conv *s, int64_t row) { return row * s->down - s->above; }

/* Entries [first, last) of the windows' height that are inside, for the line. */
static void inside(const Conv *s, int64_t row, int64_t *first, int64_t *last)
{
    int64_t top = top_of(s, row);
    *first = top < 0 ? least(up(-top, s->apart_h), s->kh) : 0;
    *last = top < s->h ? least(s->kh, up(s->h - top, s->apart_h)) : 0;
    *last = most(*first, *last);
}

/* The band's lines of x with their padding, from line `*low` of the image on. */
static const float *lines_of(const ConvWork *j, int64_t image, int64_t first,
                             int64_t last, float *scratch, int64_t *low)
{
    const Conv *s = &j->s;
    const float *x = j->x + image * s->h * s->w * s->c;
    int64_t skipped = most(-s->before, 0) * s->c;
    *low = least(most(top_of(s, first), 0), s->h);
    if (!j->padded)
        return x + *low * j->pitch + skipped;
    int64_t high = least(top_of(s, last - 1) + (s->kh - 1) * s->apart_h + 1, s->h);
    int64_t size = s->w * s->c, before = most(s->before, 0) * s->c;
    for (int64_t i = *low; i < high; i++) {
        float *line = scratch + (i - *low) * j->pitch;
        memset(line, 0, before * sizeof(float));
        memcpy(line + before, x + i * size, size * sizeof(float));
        memset(line + before + size, 0, (j->pitch - before - size) * sizeof(float));
    }
    return scratch + skipped;
}

/* The entries of a window as runs: [kh][runs of a line] offsets, each `length` long. */
static int64_t runs_of(const ConvWork *j, int64_t *length)
{
    int together = j->s.apart_w == 1;
    *length = together ? j->s.kw * j->s.c : j->s.c;
    return together ? 1 : j->s.kw;
}

static void conv_band(void *work, int band, int slot)
{
    const ConvWork *j = work;
    const Conv *s = &j->s;
    int64_t image, first, last, low, length, runs = runs_of(j, &length);
    float *scratch = j->scratch + slot * j->room;
    int64_t *segments = (int64_t *)scratch;
    float *edge = scratch + 2 * up(s->kh * runs, 8) * 8; /* for the last vector */
    band_of(j, band, &image, &first, &last);
    const float *x = lines_of(j, image, first, last, edge + 32 * 16, &low);
    for (int64_t i = 0; i < s->kh; i++)
        for (int64_t r = 0; r < runs; r++)
            segments[i * runs + r] = i * s->apart_h * j->pitch + r * s->apart_w * s->c;
    int64_t width = j->tiles->width, cuts = up(s->columns, j->tiles->most);
    int64_t size = s->kh * s->kw * s->c;
    const float *packed = j->packed;
    for (int64_t o = 0; o < j->wide_k;) {
        int64_t wide = j->wide_k - o >= 2 * width ? 2 : 1, block = wide * width;
        for (int64_t r = first; r < last; r++) {
            int64_t from, to;
            inside(s, r, &from, &to);
            const float *a = x + (top_of(s, r) + from * s->apart_h - low) * j->pitch;
            float *y = j->out + image * j->image + r * j->line + o;
            for (int64_t t = 0; t < cuts; t++) {
                int64_t p = s->columns * t / cuts, q = s->columns * (t + 1) / cuts;
                int whole = o + block <= s->k;
                float *c = whole ? y + p * j->pixel : edge;
                j->tiles->tile[wide - 1][q - p - 1](
                    a + p * s->right * s->c, segments, (to - from) * runs, length,
                    s->right * s->c, 1, packed + from * runs * length * block, block, c,
                    whole ? j->pixel : block, 0);
                for (int64_t i = p; !whole && i < q; i++)
                    copy_floats(y + i * j->pixel, edge + (i - p) * block, s->k - o);
            }
        }
        packed += size * block;
        o += block;
    }
}

/* A block of the packed filters: [kh * kw * c][one or two vectors of outputs]. */
static void pack_block(void *work, int part, int slot)
{
    const ConvWork *j = work;
    const Conv *s = &j->s;
    int64_t width = j->tiles->width, places = s->kh * s->kw, o = 2 * width * part;
    int64_t block = least(2 * width, j->wide_k - o), there = least(block, s->k - o);
    float *to = j->packed + places * s->c * o;
    for (int64_t i = 0; i < places; i++) {
        int64_t place = j->tap + i / s->kw * j->tap_h + i % s->kw * j->tap_w;
        const float *from = j->given + place * s->c * s->k + o * j->across;
        for (int64_t c = 0; c < s->c; c++, from += j->along, to += block) {
            for (int64_t v = 0; v < there; v++)
                to[v] = from[v * j->across];
            for (int64_t v = there; v < block; v++)
                to[v] = 0;
        }
    }
}

/* Cut the work into bands and find out how much room they take. */
static void plan_conv(ConvWork *j, int filter)
{
    const Conv *s = &j->s;
    int64_t wide = (s->columns - 1) * s->right + (s->kw - 1) * s->apart_w + 1, length;
    j->tiles = tiles;
    j->wide_k = up(s->k, j->tiles->width) * j->tiles->width;
    j->padded = s->before > 0 || wide - s->before > s->w;
    wide += most(-s->before, 0);
    j->pitch = (j->padded ? most(most(s->before, 0) + s->w, wide) : s->w) * s->c;
    int64_t line = s->down * s->w * s->c + s->columns * (filter ? s->k : 0);
    j->lines = least(s->rows, most(1, BAND / line));
    j->lines = least(j->lines, up(s->rows, up(LEAST_BANDS, s->n)));
    j->per_image = up(s->rows, j->lines);
    j->lines = up(s->rows, j->per_image); /* bands of nearly one size */
    j->per_image = up(s->rows, j->lines);
    j->bands = s->n * j->per_image;
    int64_t of_x = least(s->h, (j->lines - 1) * s->down + (s->kh - 1) * s->apart_h + 1);
    j->of_x = j->padded ? up(of_x * j->pitch, 16) * 16 : 0;
    int64_t segments = most(j->lines, s->kh * runs_of(j, &length));
    j->room = 2 * (up(segments, 8) * 8 + 64) + 32 * 16;
    j->room += j->of_x;
    if (filter && j->wide_k != s->k)
        j->room += j->lines * s->columns * j->wide_k;
    j->room = up(j->room, 16) * 16;
}
