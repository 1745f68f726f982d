/* A whole convolution, shared out among threads, and what Python calls. */
#define ALONE 5e5           /* multiplications: a few us, for which nobody is called */
#define GROUPS 8            /* of bands, each with a sum of the filters' gradient */
#define MOST_SUMS (1 << 19) /* floats of all these sums */
#define SLICE (1 << 17)     /* floats of a sum that stay in the L2 cache */

enum { FORWARD, FILTERS, BACKWARD };

#define MOST_FLOATS ((int64_t)1 << 44)
#define MOST_PADDED ((int64_t)1 << 32) /* of one image with its padding */

/* a * b * c * d; -1 where that is more than any array holds. */
static int64_t volume(int64_t a, int64_t b, int64_t c, int64_t d)
{
    int64_t v;
    int far = __builtin_mul_overflow(a, b, &v) || __builtin_mul_overflow(v, c, &v) ||
              __builtin_mul_overflow(v, d, &v);
    return far || v > MOST_FLOATS ? -1 : v;
}

/* Whether the sizes of a convolution are those of its three arrays. */
static int conv_fits(int64_t kind, const Conv *s, int64_t a, int64_t b, int64_t out)
{
    const int64_t *v = (const int64_t *)s;
    for (int i = 0; i < 13; i++)
        if (v[i] < 1 || v[i] > INT32_MAX)
            return 0;
    if (s->above < 0 || s->before < 0 || most(s->above, s->before) > INT32_MAX)
        return 0;
    if (s->n * most(s->rows, s->h) > INT32_MAX)
        return 0; /* bands are counted by an int */
    int64_t line = (s->columns - 1) * s->right + (s->kw - 1) * s->apart_w + 1;
    line += s->before + s->w; /* at least what is taken with padding */
    int64_t high = most(s->h, (s->kh - 1) * s->apart_h + 1);
    int64_t padded = volume(1, high, line, s->c);
    if (padded < 0 || padded > MOST_PADDED)
        return 0;
    int strides = s->down > 1 || s->right > 1, apart = s->apart_h > 1 || s->apart_w > 1;
    if (kind < FORWARD || kind > BACKWARD || (kind == BACKWARD && strides && apart))
        return 0;
    int64_t x = volume(s->n, s->h, s->w, s->c), w = volume(s->kh, s->kw, s->c, s->k);
    int64_t y = volume(s->n, s->rows, s->columns, s->k);
    int64_t of[3][3] = {{x, w, y}, {x, y, w}, {y, w, x}};
    return a == of[kind][0] && b == of[kind][1] && out == of[kind][2];
}

/* How parts are shared out among threads: by the pool of this module, or by XLA's. */
typedef void Share(void *with, Part *part, void *work, int parts, int threads);

/* Memory that calls leave to the next one: the system would take it back each time. */
typedef struct {
    int64_t size; /* floats that follow */
    float at[];
} Memory;
static _Atomic(Memory *) kept;
#define MOST_KEPT (1 << 22) /* floats */

static Memory *take_memory(int64_t size)
{
    Memory *m = atomic_exchange(&kept, NULL);
    if (m && m->size >= size)
        return m;
    free(m);
    m = malloc(sizeof *m + (size + 16) * sizeof(float));
    if (m)
        m->size = size;
    return m;
}

static void leave_memory(Memory *m)
{
    if (m->size <= MOST_KEPT)
        m = atomic_exchange(&kept, m);
    free(m);
}

/* Do one product of windows; 0 if there is no memory. */
static int run_product(ConvWork *j, int filter, int threads, Share *share, void *with)
{
    const Conv *s = &j->s;
    plan_conv(j, filter);
    int64_t size = s->kh * s->kw * s->c * j->wide_k, length;
    j->groups = least(GROUPS, least(j->bands, most(1, MOST_SUMS / size)));
    int64_t tiles = s->kh * runs_of(j, &length);
    tiles *= up(length, j->tiles->most);
    j->slices = most(j->groups < GROUPS ? 2 * GROUPS / j->groups : 1, up(size, SLICE));
    j->slices = least(j->slices, tiles);
    int64_t parts = filter ? j->groups * j->slices : j->bands;
    int64_t sums = filter ? size * j->groups : size;
    double work = (double)s->n * s->rows * s->columns * s->k * s->kh * s->kw * s->c;
    threads = work < ALONE ? 1 : least(threads, parts);
    Memory *memory = take_memory(sums + threads * j->room);
    if (!memory)
        return 0;
    j->packed = (float *)(((uintptr_t)memory->at + 63) / 64 * 64);
    j->scratch = j->packed + sums;
    if (filter) {
        share(with, filter_part, j, parts, threads);
        add_parts(j);
    } else {
        int blocks = up(j->wide_k, 2 * j->tiles->width);
        share(with, pack_block, j, blocks, size < SLICE ? 1 : least(threads, blocks));
        share(with, conv_band, j, parts, threads);
    }
    leave_memory(memory);
    return 1;
}

/* Along one axis of x, the entries `phase`, `phase` + stride ...: which entries of the
 * filter meet them, and the padding of dy under these, turned round. */
typedef struct {
    int64_t first, count, tap, taps, before;
} Phase;

static Phase phase_of(int64_t tap, int64_t size, int64_t k, int64_t stride,
                      int64_t apart, int64_t before)
{
    Phase p = {.tap = tap, .taps = tap < k ? up(k - tap, stride) : 0};
    p.first = ((tap - before) % stride + stride) % stride;
    p.count = p.first < size ? up(size - p.first, stride) : 0;
    p.before = (p.taps - 1) * apart - (p.first + before - tap) / stride;
    return p;
}

/* dx: for each phase of the strides the convolution of dy with the filters turned. */
static int run_backward(const Conv *g, const float *dy, const float *w, float *dx,
                        int threads, Share *share, void *with)
{
    if (g->kh < g->down || g->kw < g->right) /* some entries meet no filter */
        memset(dx, 0, g->n * g->h * g->w * g->c * sizeof(float));
    for (int64_t a = 0; a < g->down; a++)
        for (int64_t b = 0; b < g->right; b++) {
            Phase p = phase_of(a, g->h, g->kh, g->down, g->apart_h, g->above);
            Phase q = phase_of(b, g->w, g->kw, g->right, g->apart_w, g->before);
            if (!p.taps || !q.taps || !p.count || !q.count)
                continue;
            int64_t top = a + g->down * (p.taps - 1), left = b + g->right * (q.taps - 1);
            ConvWork j = {
                .s = {g->n, g->rows, g->columns, g->k, p.count, q.count, g->c, p.taps,
                      q.taps, 1, 1, g->apart_h, g->apart_w, p.before, q.before},
                .x = dy, .given = w, .out = dx + (p.first * g->w + q.first) * g->c,
                .image = g->h * g->w * g->c, .line = g->down * g->w * g->c,
                .pixel = g->right * g->c, .along = 1, .across = g->k,
                .tap = top * g->kw + left, .tap_h = -g->down * g->kw,
                .tap_w = -g->right,
            };
            if (!run_product(&j, 0, threads, share, with))
                return 0;
        }
    return 1;
}

/* y of x and filters, the filters' gradient of x and dy, or dx of dy and filters. */
static int run_conv(int64_t kind, const Conv *s, const float *a, const float *b,
                    float *out, int threads, Share *share, void *with)
{
    if (kind == BACKWARD)
        return run_backward(s, a, b, out, threads, share, with);
    ConvWork j = {
        .s = *s, .x = a, .given = b, .out = out,
        .image = s->rows * s->columns * s->k, .line = s->columns * s->k, .pixel = s->k,
        .along = s->k, .across = 1, .tap_h = s->kw, .tap_w = 1,
    };
    return run_product(&j, kind == FILTERS, threads, share, with);
}

static void share_here(void *with, Part *part, void *work, int parts, int threads)
{
    run_parts(part, work, parts, threads);
}

/* convolve(a, b, out, sizes): contiguous arrays of float32; the kind and 15 sizes. */
static PyObject *convolve(PyObject *module, PyObject *args)
{
    PyObject *arrays[3], *sizes;
    Py_buffer views[3];
    Conv s;
    int good = 0, threads;
    int64_t facts[CONV_SIZES + 1];
    if (!PyArg_ParseTuple(args, "OOOO!", &arrays[0], &arrays[1], &arrays[2],
                          &PyTuple_Type, &sizes))
        return NULL;
    if (PyTuple_GET_SIZE(sizes) != CONV_SIZES + 1)
        return PyErr_Format(PyExc_ValueError, "a kind and %d sizes", CONV_SIZES);
    for (int i = 0; i <= CONV_SIZES; i++)
        facts[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, i));
    memcpy(&s, facts + 1, sizeof s);
    if (PyErr_Occurred())
        return NULL;
    if (!open_floats(arrays, 3, views))
        return NULL;
    if (!conv_fits(facts[0], &s, views[0].len / 4, views[1].len / 4, views[2].len / 4)) {
        PyErr_SetString(PyExc_ValueError, "the sizes do not fit the arrays");
        goto done;
    }
    threads = threads_now();
    Py_BEGIN_ALLOW_THREADS
    good = run_conv(facts[0], &s, views[0].buf, views[1].buf, views[2].buf, threads,
                    share_here, NULL);
    Py_END_ALLOW_THREADS
    if (!good)
        PyErr_NoMemory();
done:
    close_floats(3, views);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}
