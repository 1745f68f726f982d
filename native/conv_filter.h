/* The gradient of a convolution's filters: for each entry of a window, the product of
 * the x that it met, transposed, and dy. Groups of bands have sums of their own, which
 * are added at the end; where there are few groups, each is cut into slices of tiles.
 */
/* dy of a band in blocks of one or two vectors of outputs, filled up with zeros. */
static void pack_outputs(const ConvWork *j, const float *dy, int64_t count, float *to)
{
    int64_t wide = 2 * j->tiles->width;
    for (int64_t o = 0; o < j->wide_k; o += wide) {
        int64_t block = least(wide, j->wide_k - o), there = least(block, j->s.k - o);
        for (int64_t i = 0; i < count; i++, to += block) {
            copy_floats(to, dy + i * j->s.k + o, there);
            memset(to + there, 0, (block - there) * sizeof(float));
        }
    }
}

/* The band's lines of y whose windows have entries `i` of the height in x: from
 * `*begin` on. Where those are in `x`. */
static int64_t lines_with(const ConvWork *j, int64_t i, int64_t first, int64_t last,
                          int64_t low, int64_t *segments, int64_t *begin)
{
    const Conv *s = &j->s;
    int64_t count = 0, from, to;
    *begin = last;
    for (int64_t r = first; r < last; r++) {
        inside(s, r, &from, &to);
        if (from > i || to <= i)
            continue;
        *begin = least(*begin, r);
        segments[count++] = (top_of(s, r) + i * s->apart_h - low) * j->pitch;
    }
    return count;
}

/* Add a band's share of the filters' gradient to `sum`: [kh * kw * c, wide_k], of which
 * this slice is some tiles. */
static void filter_band(const ConvWork *j, int64_t band, int64_t slice, float *scratch,
                        float *sum, int add)
{
    const Conv *s = &j->s;
    int64_t image, first, last, low, length, runs = runs_of(j, &length);
    int64_t *segments = (int64_t *)scratch;
    band_of(j, band, &image, &first, &last);
    float *room = scratch + 2 * up(j->lines, 8) * 8;
    const float *x = lines_of(j, image, first, last, room, &low);
    int64_t width = j->tiles->width, cuts = up(length, j->tiles->most);
    int64_t all = s->kh * runs * cuts, line = -1, begin = 0, count = 0;
    int64_t pixels = (last - first) * s->columns;
    const float *dy = j->given + (image * s->rows + first) * s->columns * s->k;
    int whole = j->wide_k == s->k;
    float *packed = room + j->of_x;
    if (!whole)
        pack_outputs(j, dy, pixels, packed);
    for (int64_t n = all * slice / j->slices; n < all * (slice + 1) / j->slices; n++) {
        int64_t t = n % cuts, run = n / cuts % runs, i = n / cuts / runs;
        if (line != i)
            count = lines_with(j, line = i, first, last, low, segments, &begin);
        int64_t p = length * t / cuts, q = length * (t + 1) / cuts;
        const float *a = x + run * s->apart_w * s->c + p;
        float *c = sum + ((i * runs + run) * length + p) * j->wide_k;
        for (int64_t o = 0, wide; o < j->wide_k; o += wide * width) {
            wide = j->wide_k - o >= 2 * width ? 2 : 1;
            int64_t next = whole ? s->k : wide * width;
            const float *b = whole ? dy + o : packed + o * pixels;
            j->tiles->tile[wide - 1][q - p - 1](
                a, segments, count, s->columns, 1, s->right * s->c,
                b + (begin - first) * s->columns * next, next, c + o, j->wide_k, add);
        }
    }
}

static void filter_part(void *work, int part, int slot)
{
    const ConvWork *j = work;
    int64_t size = j->s.kh * j->s.kw * j->s.c * j->wide_k;
    int64_t group = part / j->slices, groups = j->groups;
    int64_t first = j->bands * group / groups, last = j->bands * (group + 1) / groups;
    for (int64_t band = first; band < last; band++)
        filter_band(j, band, part % j->slices, j->scratch + slot * j->room,
                    j->packed + group * size, band > first);
}

static void add_parts(const ConvWork *j)
{
    const Conv *s = &j->s;
    int64_t size = s->kh * s->kw * s->c;
    for (int64_t i = 0; i < size; i++) {
        float *to = j->out + i * s->k;
        const float *from = j->packed + i * j->wide_k;
        memcpy(to, from, s->k * sizeof(float));
        for (int64_t p = 1; p < j->groups; p++) {
            from += size * j->wide_k;
            for (int64_t o = 0; o < s->k; o++)
                to[o] += from[o];
        }
    }
}
