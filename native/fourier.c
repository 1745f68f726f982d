/* Fourier transforms of complex64 and float32, 16 at a time in the lanes of vectors:
 * rows, columns, and a long row as a matrix of which first the columns, then the rows are
 * transformed (Bailey's four steps). For lengths whose prime factors are at most 61.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"

#if !defined(_WIN32) && defined(__GNUC__)
#include "fourier.h"

#define LOOPS "fourier_loops.h"
#include "each_width.h"

#define MOST_LINE 16384 /* numbers of which 16 lines stay in the L2 cache, nearly */
#define LONG 256       /* rows that are cut where they are few, */
#define FEW_ROWS 8
#define LONGER 4096     /* and that are cut where they are many */
#define SOME 8192       /* numbers for which other threads are called */
#define HALVES_A_PART 4096
#define KEPT 24

/* ------------------------------------------------------------------ plans */
static Plan *kept[KEPT]; /* with the GIL */

/* The stages of n, fours first; -1 where a factor is too large. */
static int stages_of(int64_t n, int *radix)
{
    int stages = 0;
    for (int r = 4; r <= MOST_RADIX; r = r == 4 ? 2 : r == 2 ? 3 : r + 2)
        for (; n % r == 0 && stages < MOST_STAGES; n /= r)
            radix[stages++] = r;
    return n == 1 ? stages : -1;
}

static void fill_turns(float *to, int64_t k, int64_t length)
{
    double angle = -6.283185307179586 * (double)k / (double)length;
    to[0] = (float)cos(angle);
    to[1] = (float)sin(angle);
}

static Plan *new_plan(int64_t n)
{
    int radix[MOST_STAGES], stages = stages_of(n, radix);
    int64_t size = n + 2, length = n;
    for (int i = 0; i < stages; i++, length /= radix[i - 1])
        size += 2 * length / radix[i] * (radix[i] - 1);
    Plan *plan = stages < 0 ? NULL : malloc(sizeof *plan + size * sizeof(float));
    if (!plan)
        return NULL;
    *plan = (Plan){.n = n, .stages = stages};
    memcpy(plan->radix, radix, sizeof radix);
    for (int64_t k = 0; k <= n / 2; k++)
        fill_turns(plan->at + 2 * k, k, 2 * n);
    float *at = plan->at + n + 2;
    length = n;
    for (int i = 0; i < stages; i++) {
        int r = radix[i];
        plan->turns[i] = at;
        for (int64_t p = 0; p < length / r; p++)
            for (int k = 1; k < r; k++, at += 2)
                fill_turns(at, p * k, length);
        length /= r;
    }
    return plan;
}

/* The plan for n, to be left again; NULL without memory. */
static Plan *take_plan(int64_t n)
{
    Plan *plan = NULL;
    int at = 0;
    for (; at < KEPT && kept[at]; at++)
        if (kept[at]->n == n) {
            plan = kept[at];
            break;
        }
    if (!plan && !(plan = new_plan(n)))
        return NULL;
    plan->users++;
    if (at == KEPT) { /* the one that was longest not asked for makes room */
        at--;
        if (!kept[at]->users)
            free(kept[at]);
        else
            kept[at]->n = 0; /* freed by its last user */
    }
    for (; at > 0; at--)
        kept[at] = kept[at - 1];
    kept[0] = plan;
    return plan;
}

static void leave_plan(Plan *plan)
{
    if (plan && !--plan->users && !plan->n)
        free(plan);
}

/* n1 * n2 = n, as near to each other as can be; 0 where n has no such factors. */
static int64_t near_root(int64_t n)
{
    int radix[MOST_STAGES];
    for (int64_t a = (int64_t)sqrt((double)n); a >= 16; a--)
        if (n % a == 0 && stages_of(a, radix) >= 0)
            return a;
    return 0;
}

/* ------------------------------------------------------------------ long rows */
/* `halves` of fourier_loops.h for one row, from x to y (which may be x). */
typedef struct {
    const float *x;
    float *y;
    int64_t n;
    int back;
} Halves;

static void halves_part(void *work, int part, int slot)
{
    const Halves *h = work;
    int64_t n = h->n, start = 1 + (int64_t)part * HALVES_A_PART;
    int64_t stop = start + HALVES_A_PART;
    const float *x = h->x;
    float *y = h->y, sign = h->back ? -1.0f : 1.0f, half = h->back ? 1.0f : 0.5f;
    double angle = -3.141592653589793 / (double)n;
    double c = cos(angle * start), s = sin(angle * start);
    double step_c = cos(angle), step_s = sin(angle);
    for (int64_t k = start, l = n - start; k < stop && k <= l; k++, l--) {
        float sum = (x[2 * k] + x[2 * l]) * half, gap = (x[2 * k] - x[2 * l]) * half;
        float up = (x[2 * k + 1] + x[2 * l + 1]) * half;
        float across = (x[2 * k + 1] - x[2 * l + 1]) * half;
        float cosine = (float)c, sine = (float)s * sign;
        float re = (up * cosine + gap * sine) * sign;
        float im = (up * sine - gap * cosine) * sign;
        y[2 * k] = sum + re;
        y[2 * k + 1] = across + im;
        y[2 * l] = sum - re;
        y[2 * l + 1] = im - across;
        double was = c;
        c = was * step_c - s * step_s;
        s = was * step_s + s * step_c;
    }
}

static void long_halves(const float *x, float *y, int64_t n, int back, int threads)
{
    Halves h = {x, y, n, back};
    float re = x[0], im = x[1], last = back ? x[2 * n] : 0;
    run_parts(halves_part, &h, (int)((n / 2 + HALVES_A_PART) / HALVES_A_PART), threads);
    y[0] = re + (back ? last : im);
    y[1] = back ? re - last : 0;
    if (!back)
        y[2 * n] = re - im, y[2 * n + 1] = 0;
}

static void long_rows(Fourier *f, int threads, float *spare)
{
    const float *x = f->x;
    float *y = f->y;
    for (int64_t row = 0; row < f->outer; row++) {
        f->x = x + 2 * row * f->line_in;
        f->y = y + 2 * row * f->line_out;
        if (f->kind == FROM_HALF) {
            long_halves(f->x, spare, f->n, 1, threads);
            f->x = spare;
        }
        run_parts(FOR_WIDTH(first_part), f, (int)((f->n2 + 15) / 16), threads);
        run_parts(FOR_WIDTH(second_part), f, (int)((f->n1 + 15) / 16), threads);
        if (f->kind == TO_HALF)
            long_halves(f->y, f->y, f->n, 0, threads);
    }
}

/* ------------------------------------------------------------------ all of them */
static float *aligned(int64_t floats, void **memory)
{
    *memory = malloc(floats * sizeof(float) + 64);
    return *memory ? (float *)(((uintptr_t)*memory + 63) / 64 * 64) : NULL;
}

/* Without the GIL; 0 without memory. */
static int run_fourier(Fourier *f, int threads)
{
    void *memory[3] = {NULL};
    int64_t line = f->second ? f->n2 : f->n; /* n1 <= n2 */
    f->room = 4 * (line + 1) * 16;
    f->buffers = aligned(f->room * threads, &memory[0]);
    int good = f->buffers != NULL;
    if (f->second) {
        f->middle = aligned(2 * f->n, &memory[1]);
        float *spare = aligned(f->kind == FROM_HALF ? 2 * f->n + 2 : 1, &memory[2]);
        good = good && f->middle && spare;
        if (good)
            long_rows(f, threads, spare);
    } else if (good) {
        int columns = f->inner > 1;
        int64_t groups = columns ? f->outer * ((f->inner + 15) / 16) : (f->outer + 15) / 16;
        f->each = f->n < 1024 ? 1 + 1024 / f->n : 1;
        int64_t parts = (groups + f->each - 1) / f->each;
        run_parts(columns ? FOR_WIDTH(columns_part) : FOR_WIDTH(rows_part), f,
                  (int)parts, threads);
    }
    for (int i = 0; i < 3; i++)
        free(memory[i]);
    return good;
}

/* How it is cut; 0: it is not for us. */
static int planned(Fourier *f)
{
    int radix[MOST_STAGES];
    if (stages_of(f->n, radix) < 0)
        return 0;
    if (f->inner > 1)
        return f->n <= MOST_LINE;
    if (f->n >= (f->outer < FEW_ROWS ? LONG : LONGER)) {
        f->n1 = near_root(f->n);
        f->n2 = f->n1 ? f->n / f->n1 : 0;
        if (f->n1 && f->n2 <= MOST_LINE)
            return 1;
        f->n1 = f->n2 = 0;
    }
    return f->n <= MOST_LINE;
}

/* fourier(x, y, kind, inverse, outer, n, inner, scale): complex64[outer][n][inner], or
 * (inner = 1) from float32[outer][2 n] to complex64[outer][n + 1] and back. y may be x
 * where both are complex. False: the length is not for us. */
static PyObject *fourier(PyObject *module, PyObject *args)
{
    Py_buffer x, y;
    Fourier f = {0};
    long long outer, n, inner;
    if (!PyArg_ParseTuple(args, "y*w*iiLLLf", &x, &y, &f.kind, &f.swap, &outer, &n, &inner,
                          &f.scale))
        return NULL;
    f.outer = outer, f.n = n, f.inner = inner, f.x = x.buf, f.y = y.buf;
    f.swap = f.swap != 0 || f.kind == FROM_HALF;
    f.line_in = f.count_in = n + (f.kind == FROM_HALF);
    f.line_out = f.count_out = n + (f.kind == TO_HALF);
    int64_t in[] = {outer, f.line_in, inner, 8}, out[] = {outer, f.line_out, inner, 8};
    Plan *plans[2] = {NULL, NULL};
    PyObject *done = NULL;
    if (f.kind < COMPLEX || f.kind > FROM_HALF || outer < 1 || n < 1 || inner < 1 ||
        (f.kind != COMPLEX && inner > 1) || outer * (inner / 16 + 1) > INT32_MAX ||
        n > INT32_MAX || !sizes_are(x.len, in, 4) || !sizes_are(y.len, out, 4)) {
        wrong_sizes("fourier");
        goto out;
    }
    if (!planned(&f)) {
        done = Py_NewRef(Py_False);
        goto out;
    }
    f.plan = plans[0] = take_plan(f.n1 ? f.n1 : n);
    if (f.n1)
        f.second = plans[1] = take_plan(f.n2);
    if (!f.plan || (f.n1 && !f.second)) {
        PyErr_NoMemory();
        goto out;
    }
    f.half = f.plan->at;
    int threads = outer * n * inner < SOME ? 1 : threads_now(), good;
    Py_BEGIN_ALLOW_THREADS
    good = run_fourier(&f, threads);
    Py_END_ALLOW_THREADS
    done = good ? Py_NewRef(Py_True) : PyErr_NoMemory();
out:
    leave_plan(plans[0]);
    leave_plan(plans[1]);
    PyBuffer_Release(&x);
    PyBuffer_Release(&y);
    return done;
}

PyMethodDef fourier_methods[] = {
    {"fourier", fourier, METH_VARARGS, "Fourier transforms of complex64 and float32."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef fourier_methods[] = {{NULL, NULL, 0, NULL}};
#endif
