/* A whole convolution, shared out among threads, and what Python calls. */
#define ALONE 5e5           /* multiplications: a few us, for which nobody is called */
#define GROUPS 8            /* of bands, each with a sum of the filters' gradient */
#define MOST_SUMS (1 << 19) /* floats of all these sums */
#define SLICE (1 << 17)     /* floats of a sum that stay in the L2 cache */

/* The sizes of a convolution, checked against how long its three arrays are. */
static int conv_fits(const Conv *s, int filter, int64_t x, int64_t w, int64_t y)
{
    const int64_t *v = (const int64_t *)s;
    for (int i = 0; i < 13; i++)
        if (v[i] < 1 || v[i] > INT32_MAX)
            return 0;
    if (s->above < 0 || s->before < 0 || s->n * s->rows > INT32_MAX)
        return 0; /* bands are counted by an int */
    if (filter) {
        int64_t swap = w;
        w = y, y = swap;
    }
    return x == s->n * s->h * s->w * s->c && w == s->kh * s->kw * s->c * s->k &&
           y == s->n * s->rows * s->columns * s->k;
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

/* y, or the filters' gradient if `filter`; 0 if there is no memory. */
static int run_conv(const Conv *sizes, int filter, const float *x, const float *other,
                    float *out, int threads, Share *share, void *with)
{
    ConvWork j = {.s = *sizes, .x = x, .given = other, .out = out};
    const Conv *s = &j.s;
    plan_conv(&j, filter);
    int64_t size = s->kh * s->kw * s->c * j.wide_k, length;
    j.groups = least(GROUPS, least(j.bands, most(1, MOST_SUMS / size)));
    j.slices = most(j.groups < GROUPS ? up(2 * GROUPS, j.groups) : 1, up(size, SLICE));
    j.slices = least(j.slices, s->kh * runs_of(&j, &length) * up(length, j.tiles->most));
    int64_t parts = filter ? j.groups * j.slices : j.bands;
    int64_t sums = filter ? size * j.groups : size;
    double work = (double)s->n * s->rows * s->columns * s->k * s->kh * s->kw * s->c;
    threads = work < ALONE ? 1 : least(threads, parts);
    Memory *memory = take_memory(sums + threads * j.room);
    if (!memory)
        return 0;
    j.packed = (float *)(((uintptr_t)memory->at + 63) / 64 * 64);
    j.scratch = j.packed + sums;
    if (filter) {
        share(with, filter_part, &j, parts, threads);
        add_parts(&j);
    } else {
        int blocks = up(j.wide_k, 2 * j.tiles->width);
        share(with, pack_block, &j, blocks, size < SLICE ? 1 : least(threads, blocks));
        share(with, conv_band, &j, parts, threads);
    }
    leave_memory(memory);
    return 1;
}

static void share_here(void *with, Part *part, void *work, int parts, int threads)
{
    run_parts(part, work, parts, threads);
}

/* convolve(filter, x, other, out, sizes): three contiguous float32 arrays, 16 ints. */
static PyObject *convolve(PyObject *module, PyObject *args)
{
    PyObject *arrays[3], *sizes;
    Py_buffer views[3];
    Conv s;
    int filter, open = 0, good = 0, threads;
    if (!PyArg_ParseTuple(args, "iOOOO!", &filter, &arrays[0], &arrays[1], &arrays[2],
                          &PyTuple_Type, &sizes))
        return NULL;
    if (PyTuple_GET_SIZE(sizes) != CONV_SIZES)
        return PyErr_Format(PyExc_ValueError, "it takes %d sizes", CONV_SIZES);
    for (int i = 0; i < CONV_SIZES; i++)
        ((int64_t *)&s)[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, i));
    if (PyErr_Occurred())
        return NULL;
    for (; open < 3; open++) {
        int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (open == 2 ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(arrays[open], &views[open], flags) < 0)
            goto done;
        if (strcmp(views[open].format, "f")) {
            open++;
            PyErr_SetString(PyExc_TypeError, "a convolution takes arrays of float32");
            goto done;
        }
    }
    if (!conv_fits(&s, filter, views[0].len / 4, views[1].len / 4, views[2].len / 4)) {
        PyErr_SetString(PyExc_ValueError, "the sizes do not fit the arrays");
        goto done;
    }
    threads = blas.get_threads ? threads_now() : (int)sysconf(_SC_NPROCESSORS_ONLN);
    Py_BEGIN_ALLOW_THREADS
    good = run_conv(&s, filter, views[0].buf, views[1].buf, views[2].buf, threads,
                    share_here, NULL);
    Py_END_ALLOW_THREADS
    if (!good)
        PyErr_NoMemory();
done:
    while (open--)
        PyBuffer_Release(&views[open]);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}
