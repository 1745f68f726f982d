/* Matrix products of middling size, on threads that nobody has to wait for.
 *
 * OpenBLAS gives each thread its share beforehand and spins until the last one is done:
 * where another process holds a core, 60 us become 15 ms and more. Here a product is cut
 * into parts by its shape alone (so that the result does not depend on the threads), and
 * the pool takes them. OpenBLAS computes each part, on one thread. Small products and
 * large ones are left to NumPy.
 */
#ifndef _WIN32
#define SMALL 262144.0     /* multiplications; OpenBLAS takes one thread up to here */
#define SMALL_VECTOR 4096.0 /* the same where an operand is a vector, or y is x.T */
#define MIDDLING 2097152.0 /* from here on parts are worth it */
#define LARGE 134217728.0  /* 512 ** 3: from here on only where there is a part a core */
#define HUGE_WORK 1e9      /* here OpenBLAS's own way is the faster one */
#define MOST_PARTS 16
#define UNPACKED 1e6

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };
typedef void (*Sgemm)(int, int, int, int64_t, int64_t, int64_t, float, const float *,
                      int64_t, const float *, int64_t, float, float *, int64_t);
typedef void (*Dgemm)(int, int, int, int64_t, int64_t, int64_t, double, const double *,
                      int64_t, const double *, int64_t, double, double *, int64_t);

static struct {
    Sgemm sgemm;
    Dgemm dgemm;
    void (*set_threads)(int);
    int (*get_threads)(void);
    PyObject *dot, *empty, *s_T, *s_dot, *s_dtype;
    atomic_flag lock;   /* around the next two */
    int alone, threads; /* calls that have set one thread; how many there were */
} blas = {.lock = ATOMIC_FLAG_INIT};

typedef struct {
    int wide, ta, tb, by_row; /* float64; transposes; whether rows are shared out */
    int64_t m, n, k, lda, ldb;
    const char *a, *b;
    char *out;
    int parts;
} Product;

static void product_part(void *work, int part, int slot)
{
    const Product *j = work;
    int64_t total = j->by_row ? j->m : j->n, item = j->wide ? 8 : 4;
    int64_t first = total * part / j->parts, last = total * (part + 1) / j->parts;
    int64_t m = j->m, n = j->n;
    const char *a = j->a, *b = j->b;
    char *out = j->out;
    if (j->by_row) {
        a += first * (j->ta ? 1 : j->lda) * item;
        out += first * j->n * item;
        m = last - first;
    } else {
        b += first * (j->tb ? j->ldb : 1) * item;
        out += first * item;
        n = last - first;
    }
    int ta = j->ta ? TRANSPOSED : PLAIN, tb = j->tb ? TRANSPOSED : PLAIN;
    if (j->wide)
        blas.dgemm(ROW_MAJOR, ta, tb, m, n, j->k, 1.0, (const double *)a, j->lda,
                   (const double *)b, j->ldb, 0.0, (double *)out, j->n);
    else
        blas.sgemm(ROW_MAJOR, ta, tb, m, n, j->k, 1.0f, (const float *)a, j->lda,
                   (const float *)b, j->ldb, 0.0f, (float *)out, j->n);
}

static int parts_of(double work, int64_t longest)
{
    int parts = 2;
    while (parts < MOST_PARTS && 2 * parts * 128 <= longest && work / (2 * parts) >= 4e6)
        parts *= 2;
    return parts;
}

/* The layout of a float matrix: 0 = plain rows, 1 = transposed, -1 = neither. */
static int layout(const Py_buffer *v, int64_t *ld)
{
    Py_ssize_t item = v->itemsize;
    if (v->strides[1] == item && v->strides[0] >= v->shape[1] * item) {
        *ld = v->strides[0] / item;
        return v->strides[0] % item ? -1 : 0;
    }
    if (v->strides[0] == item && v->strides[1] >= v->shape[0] * item) {
        *ld = v->strides[1] / item;
        return v->strides[1] % item ? -1 : 1;
    }
    return -1;
}

int threads_now(void)
{
    if (!blas.get_threads)
        return (int)sysconf(_SC_NPROCESSORS_ONLN);
    return blas.alone ? blas.threads : blas.get_threads();
}

static void lock_count(void) /* held for some instructions only */
{
    while (atomic_flag_test_and_set_explicit(&blas.lock, memory_order_acquire))
        pause_briefly();
}

static void unlock_count(void)
{
    atomic_flag_clear_explicit(&blas.lock, memory_order_release);
}

int begin_alone(void)
{
    if (!blas.get_threads)
        return threads_now();
    lock_count();
    if (blas.alone++ == 0) {
        blas.threads = blas.get_threads();
        if (blas.threads != 1)
            blas.set_threads(1);
    }
    int threads = blas.threads;
    unlock_count();
    return threads;
}

void end_alone(void)
{
    if (!blas.get_threads)
        return;
    lock_count();
    if (--blas.alone == 0 && blas.threads != 1)
        blas.set_threads(blas.threads);
    unlock_count();
}

int has_products(void) { return blas.sgemm != NULL; }

/* On AVX-512 OpenBLAS takes operands as they lie up to 100 ** 3 multiplications, which is
 * faster for few rows: 8x128 by 128x512 in 9.7 us, 32 rows so in 39, at once in 54. */
void rows_product(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                  float *c)
{
    int64_t rows = vector_width == 16 ? (int64_t)(UNPACKED / ((double)n * k)) & ~7 : 0;
    for (int64_t r = 0; r < m; r += rows) {
        rows = rows && m - r > rows ? rows : m - r;
        blas.sgemm(ROW_MAJOR, PLAIN, PLAIN, rows, n, k, 1.0f, a + r * k, k, b, n, 0.0f,
                   c + r * n, n);
    }
}

/* a @ b in parts into `out` (or a new array); NULL without an error: not for us. */
static PyObject *in_parts(PyObject *x, PyObject *y, int ta, int tb, PyObject *given)
{
    Py_buffer a, b, c;
    PyObject *out = NULL, *dtype = NULL;
    if (PyObject_GetBuffer(x, &a, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        forgiven();
        return NULL;
    }
    if (PyObject_GetBuffer(y, &b, PyBUF_STRIDES | PyBUF_FORMAT) < 0) {
        forgiven();
        PyBuffer_Release(&a);
        return NULL;
    }
    int matrices = a.ndim == 2 && b.ndim == 2 && a.format && b.format;
    char kind = matrices && !strcmp(a.format, b.format) && !a.format[1] ? a.format[0] : 0;
    if (kind != 'f' && kind != 'd')
        goto done;
    Product job = {.wide = kind == 'd', .m = a.shape[ta], .n = b.shape[!tb],
               .k = a.shape[!ta], .a = a.buf, .b = b.buf};
    int la = layout(&a, &job.lda), lb = layout(&b, &job.ldb);
    job.by_row = job.m >= job.n;
    int64_t longest = job.by_row ? job.m : job.n;
    double work = (double)job.m * job.n * job.k;
    if (la < 0 || lb < 0 || b.shape[tb] != job.k || work < MIDDLING)
        goto done;
    if (longest < 64 || job.m < 8 || job.n < 8 || a.buf == b.buf)
        goto done; /* nearly vectors, and a @ a.T, which NumPy makes symmetric */
    job.ta = la ^ ta;
    job.tb = lb ^ tb;
    job.parts = parts_of(work, longest);
    if (work >= HUGE_WORK || (work >= LARGE && job.parts < threads_now()))
        goto done;
    if (given != NULL)
        out = Py_NewRef(given);
    else if ((dtype = PyObject_GetAttr(x, blas.s_dtype)))
        out = PyObject_CallFunction(blas.empty, "((LL)O)", (long long)job.m,
                                    (long long)job.n, dtype);
    Py_XDECREF(dtype);
    if (!out)
        goto done;
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT;
    if (PyObject_GetBuffer(out, &c, flags) < 0) {
        forgiven();
        Py_CLEAR(out);
        goto done;
    }
    if (c.ndim == 2 && c.shape[0] == job.m && c.shape[1] == job.n && c.format &&
        !strcmp(c.format, a.format)) {
        job.out = c.buf;
        int threads = begin_alone();
        Py_BEGIN_ALLOW_THREADS
        run_parts(product_part, &job, job.parts, threads);
        Py_END_ALLOW_THREADS
        end_alone();
    } else
        Py_CLEAR(out);
    PyBuffer_Release(&c);
done:
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    return out;
}

static PyObject *plain_product(PyObject *x, PyObject *y, int ta, int tb, PyObject *out)
{
    PyObject *a = ta ? PyObject_GetAttr(x, blas.s_T) : Py_NewRef(x);
    PyObject *b = a ? tb ? PyObject_GetAttr(y, blas.s_T) : Py_NewRef(y) : NULL;
    PyObject *args[4] = {NULL, a, b, out}, *done = NULL;
    if (b)
        done = PyObject_VectorcallMethod( /* np.dot would look for overrides first */
            blas.s_dot, args + 1, (out ? 3 : 2) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return done;
}

/* The multiplications of a product of matrices, 0 where it is something else; whether
 * OpenBLAS computes it as another kind of product, which takes threads earlier. */
static double work_of(PyObject *x, PyObject *y, int ta, int tb, int *other)
{
    const Array *a = as_array(x), *b = as_array(y);
    if (!a || !b || a->nd != 2 || b->nd != 2)
        return 0;
    double m = a->shape[ta], k = a->shape[!ta], n = b->shape[!tb];
    *other = m == 1 || n == 1 || a->data == b->data;
    return m * n * k;
}

static PyObject *product(PyObject *const *args, Py_ssize_t nargs, int ta, int tb)
{
    if ((nargs != 2 && nargs != 3) || !blas.dot) {
        PyErr_SetString(PyExc_TypeError, "a product takes two matrices and `out`");
        return NULL;
    }
    PyObject *x = args[0], *y = args[1], *out = nargs == 3 ? args[2] : NULL;
    int other = 0;
    double work = work_of(x, y, ta, tb, &other);
    if (work <= (other ? SMALL_VECTOR : SMALL) || threads_now() == 1)
        return plain_product(x, y, ta, tb, out);
    PyObject *done = work >= MIDDLING ? in_parts(x, y, ta, tb, out) : NULL;
    if (done || PyErr_Occurred())
        return done;
    if (work >= LARGE)
        return plain_product(x, y, ta, tb, out);
    begin_alone(); /* too small for parts, or too slim: 25x25088x32 */
    done = plain_product(x, y, ta, tb, out);
    end_alone();
    return done;
}

/* np.dot on one thread: of vectors, for which OpenBLAS starts threads early. */
static PyObject *dot_alone(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (!blas.dot) {
        PyErr_SetString(PyExc_RuntimeError, "call setup_products first");
        return NULL;
    }
    begin_alone();
    PyObject *done = PyObject_Vectorcall(blas.dot, args, nargs, NULL);
    end_alone();
    return done;
}

#define PRODUCT(name, ta, tb)                                                           \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t n)        \
    {                                                                                   \
        return product(args, n, ta, tb);                                                \
    }
PRODUCT(product_plain, 0, 0)
PRODUCT(product_ta, 1, 0)
PRODUCT(product_tb, 0, 1)
PRODUCT(product_both, 1, 1)

static void no_call_is_alone(void)
{
    blas.alone = 0;
    unlock_count();
}

/* setup_products(dot, empty, sgemm, dgemm, set_threads, get_threads): four addresses. */
static PyObject *setup_products(PyObject *module, PyObject *args)
{
    PyObject *dot, *empty;
    unsigned long long sgemm, dgemm, set_threads, get_threads;
    if (!PyArg_ParseTuple(args, "OOKKKK", &dot, &empty, &sgemm, &dgemm, &set_threads,
                          &get_threads))
        return NULL;
    if (!blas.dot)
        pthread_atfork(NULL, NULL, no_call_is_alone);
    Py_XSETREF(blas.dot, Py_NewRef(dot));
    Py_XSETREF(blas.empty, Py_NewRef(empty));
    blas.sgemm = (Sgemm)(uintptr_t)sgemm;
    blas.dgemm = (Dgemm)(uintptr_t)dgemm;
    blas.set_threads = (void (*)(int))(uintptr_t)set_threads;
    blas.get_threads = (int (*)(void))(uintptr_t)get_threads;
    Py_XSETREF(blas.s_T, PyUnicode_InternFromString("T"));
    Py_XSETREF(blas.s_dot, PyUnicode_InternFromString("dot"));
    Py_XSETREF(blas.s_dtype, PyUnicode_InternFromString("dtype"));
    if (!blas.s_T || !blas.s_dot || !blas.s_dtype)
        return NULL;
    Py_RETURN_NONE;
}
#endif
