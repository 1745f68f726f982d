/* A step of an LSTM after its product in one pass, and the way back in another:
 * ops/nn/lstm_step.py has the formulas. float32.
 *
 * lstm_walk and lstm_walk_back do all steps of a sequence: the rows of a batch need
 * nothing of each other, so that a part is some rows from the first step to the last,
 * products included, and threads meet once in place of four times a step.
 */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"
#include "pool.h"

#if !defined(_WIN32) && defined(__GNUC__)
#define LOOPS "lstm_loops.h"
#include "each_width.h"

#define SHARED 8192 /* units for which other threads are called */
#define PIECE 2048  /* units of a part, at least */
#define MOST_PARTS 64

static int64_t end_of(const Step *s, int part)
{
    int64_t end = (part + 1) * s->each;
    return end < s->rows ? end : s->rows;
}

static void forward_part(void *work, int part, int slot)
{
    const Step *s = work;
    FOR_WIDTH(lstm_rows)(s, part * s->each, end_of(s, part));
}

static void back_part(void *work, int part, int slot)
{
    const Step *s = work;
    FOR_WIDTH(lstm_rows_back)(s, part * s->each, end_of(s, part));
}

static void run_step(Step *s, Part *part)
{
    int64_t least = (PIECE + s->units - 1) / s->units;
    int64_t fewest = (s->rows + MOST_PARTS - 1) / MOST_PARTS;
    s->each = least > fewest ? least : fewest;
    int threads = s->rows * s->units < SHARED ? 1 : threads_now();
    Py_BEGIN_ALLOW_THREADS
    run_parts(part, s, (int)((s->rows + s->each - 1) / s->each), threads);
    Py_END_ALLOW_THREADS
}

/* ------------------------------------------------------------------ arguments */
/* The floats of an array of so many, as it lies; NULL: it is for NumPy. */
static float *floats_of(PyObject *x, int64_t count, int flags)
{
    const Array *a = as_array(x);
    flags |= C_ORDER;
    if (!a || number_of(a) != FLOAT_NUMBER || (a->flags & flags) != flags)
        return NULL;
    return elements_of(a) == count ? (float *)a->data : NULL;
}

/* The same where None stands for what is not there. */
static int optional(PyObject *x, int64_t count, const float **found)
{
    *found = x == Py_None ? NULL : floats_of(x, count, 0);
    return x == Py_None || *found;
}

/* A matrix of rows that may lie apart, or None. */
static int matrix_of(PyObject *x, const Step *s, Matrix *found)
{
    const Array *a = as_array(x);
    if (x == Py_None)
        return 1;
    if (!a || a->nd != 2 || number_of(a) != FLOAT_NUMBER || a->shape[0] != s->rows ||
        a->shape[1] != s->units || (s->units > 1 && a->strides[1] != 4) ||
        a->strides[0] % 4)
        return 0;
    found->data = (const float *)a->data;
    found->row = a->strides[0] / 4;
    return 1;
}

/* Rows and units from a matrix of them, and the places of the gates. */
static int sizes_of(PyObject *c, PyObject *order, Step *s)
{
    static const int64_t places[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}};
    const Array *a = as_array(c);
    if (!a || a->nd != 2)
        return 0;
    s->rows = a->shape[0];
    s->units = a->shape[1];
    memcpy(s->place, places[PyObject_IsTrue(order) == 1], sizeof s->place);
    return s->units && matrix_of(c, s, &s->c);
}

/* Peepholes: None, or a tuple of three. */
static int peeps_of(PyObject *peeps, Step *s)
{
    if (peeps == Py_None)
        return 1;
    if (!PyTuple_Check(peeps) || PyTuple_GET_SIZE(peeps) != 3)
        return 0;
    for (int i = 0; i < 3; i++)
        if (!(s->peep[i] = floats_of(PyTuple_GET_ITEM(peeps, i), s->units, 0)))
            return 0;
    return 1;
}

/* A tuple whose first n are matrices of rows * units floats. */
static int matrices_of(PyObject *given, const Step *s, int flags, float **found, int n)
{
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) < n)
        return 0;
    int64_t size = s->rows * s->units;
    for (int i = 0; i < n; i++)
        if (!(found[i] = floats_of(PyTuple_GET_ITEM(given, i), size, flags)))
            return 0;
    return 1;
}

/* lstm_step(x, h, bias, c, peepholes, forget_bias, clip, order, outputs): whether it was
 * done; x + h + bias are the gates, and h, bias and peepholes may be None. */
static PyObject *lstm_step(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Step s = {0};
    if (n != 9 || !sizes_of(args[3], args[7], &s) || !peeps_of(args[4], &s))
        Py_RETURN_FALSE;
    int64_t wide = 4 * s.rows * s.units;
    s.x = floats_of(args[0], wide, 0);
    s.forget_bias = (float)PyFloat_AsDouble(args[5]);
    s.clip = (float)PyFloat_AsDouble(args[6]);
    if (PyErr_Occurred())
        return NULL;
    if (!s.x || !optional(args[1], wide, &s.h) ||
        !optional(args[2], 4 * s.units, &s.bias) ||
        !matrices_of(args[8], &s, WRITEABLE, s.out, 7))
        Py_RETURN_FALSE;
    run_step(&s, forward_part);
    Py_RETURN_TRUE;
}

/* lstm_step_back((i, cs, f, o, ci, co ...), c, peepholes, d_c, d_h, order, d_z, back):
 * whether it was done. d_c, d_h: pairs of arrays to be added, or None for one. */
static PyObject *lstm_step_back(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Step s = {0};
    float *saved[6];
    if (n != 8 || !sizes_of(args[1], args[5], &s) || !peeps_of(args[2], &s) ||
        !matrices_of(args[0], &s, 0, saved, 6))
        Py_RETURN_FALSE;
    int64_t size = s.rows * s.units;
    for (int pair = 3; pair < 5; pair++)
        for (int i = 0; i < 2; i++) {
            Matrix *to = pair == 3 ? &s.d_c[i] : &s.d_h[i];
            if (!PyTuple_Check(args[pair]) || PyTuple_GET_SIZE(args[pair]) != 2 ||
                !matrix_of(PyTuple_GET_ITEM(args[pair], i), &s, to))
                Py_RETURN_FALSE;
        }
    s.d_z = floats_of(args[6], 4 * size, WRITEABLE);
    s.back = floats_of(args[7], size, WRITEABLE);
    if (!s.d_z || !s.back)
        Py_RETURN_FALSE;
    static const int from[4] = {OUT_I, OUT_CI, OUT_F, OUT_O};
    for (int i = 0; i < 4; i++)
        s.gate[i] = saved[from[i]];
    s.co = saved[OUT_CO];
    run_step(&s, back_part);
    Py_RETURN_TRUE;
}

/* ------------------------------------------------------------------ all steps */
#define WALK_ROWS 32 /* of a part, at least, where there are more parts than two */

typedef struct {
    Step step; /* the first: x, c, out, gate, co, d_c, d_h and d_z of all steps */
    int64_t steps;
    const float *h, *recurrent; /* of the step before; [units, 4 * units], or turned */
    float *below;               /* [rows, 4 * units], on the way back [rows, units] */
    int parts;
} Walk;

static void walk_part(void *work, int part, int slot)
{
    const Walk *w = work;
    Step s = w->step;
    int64_t first = s.rows * part / w->parts, last = s.rows * (part + 1) / w->parts;
    int64_t n = s.units, size = s.rows * n;
    const float *h = w->h;
    for (int64_t t = 0; t < w->steps; t++) {
        rows_product(last - first, 4 * n, n, h + first * n, w->recurrent,
                     w->below + first * 4 * n);
        FOR_WIDTH(lstm_rows)(&s, first, last);
        s.c = (Matrix){s.out[OUT_CS], n};
        h = s.out[OUT_H];
        s.x += 4 * size;
        for (int i = 0; i < 7; i++)
            s.out[i] += size;
    }
}

static void walk_back_part(void *work, int part, int slot)
{
    const Walk *w = work;
    int64_t n = w->step.units, size = w->step.rows * n, rows = w->step.rows;
    int64_t first = rows * part / w->parts, last = rows * (part + 1) / w->parts;
    for (int64_t t = w->steps - 1; t >= 0; t--) {
        Step s = w->step; /* whose gates lie in `out`, in the order of their names */
        static const int from[4] = {OUT_I, OUT_CI, OUT_F, OUT_O};
        for (int i = 0; i < 4; i++)
            s.gate[i] = s.out[from[i]] + t * size;
        s.co = s.out[OUT_CO] + t * size;
        if (t)
            s.c = (Matrix){s.out[OUT_CS] + (t - 1) * size, n};
        s.d_c[0] = (Matrix){s.back, n};
        s.d_h[0] = (Matrix){w->below, n};
        if (s.d_c[1].data)
            s.d_c[1].data += t * size;
        s.d_h[1].data += t * size;
        s.d_z += t * 4 * size;
        FOR_WIDTH(lstm_rows_back)(&s, first, last);
        rows_product(last - first, n, 4 * n, s.d_z + first * 4 * n, w->recurrent,
                     w->below + first * n);
    }
}

static PyObject *run_walk(Walk *w, Part *part)
{
    w->parts = 2; /* by the shape alone */
    while (w->step.rows / (2 * w->parts) >= WALK_ROWS && w->parts < MOST_PARTS)
        w->parts *= 2;
    if (w->step.rows < 2)
        w->parts = 1;
    int threads = begin_alone();
    Py_BEGIN_ALLOW_THREADS
    run_parts(part, w, w->parts, threads);
    Py_END_ALLOW_THREADS
    end_alone();
    Py_RETURN_TRUE;
}

/* Sizes, peepholes and the steps of z, which has all of them; whether they fit. */
static int open_walk(Walk *w, PyObject *c, PyObject *peeps, PyObject *z)
{
    if (!has_products() || !sizes_of(c, Py_False, &w->step) || !peeps_of(peeps, &w->step))
        return 0;
    const Array *a = as_array(z);
    w->steps = a && a->nd == 3 ? a->shape[0] : 0;
    return w->steps > 0;
}

/* The floats of the first `steps` of arrays of all steps. */
static float *steps_of(PyObject *x, int64_t steps, int64_t size, int flags)
{
    const Array *a = as_array(x);
    if (!a || a->nd != 3 || a->shape[0] < steps)
        return NULL;
    return floats_of(x, a->shape[0] * size, flags);
}

static int all_of(PyObject *given, Walk *w, int flags, int n)
{
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) < n)
        return 0;
    for (int i = 0; i < n; i++) {
        PyObject *x = PyTuple_GET_ITEM(given, i);
        w->step.out[i] = steps_of(x, w->steps, w->step.rows * w->step.units, flags);
        if (!w->step.out[i])
            return 0;
    }
    return 1;
}

/* lstm_walk(z, below, bias, c, peepholes, forget_bias, clip, h, recurrent, outputs):
 * whether it was done; z are the products of the inputs of all steps, `below` is room for
 * those of h of one. */
static PyObject *lstm_walk(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Walk w = {0};
    Step *s = &w.step;
    if (n != 10 || !open_walk(&w, args[3], args[4], args[0]))
        Py_RETURN_FALSE;
    int64_t size = s->rows * s->units;
    s->x = floats_of(args[0], 4 * size * w.steps, 0);
    w.below = floats_of(args[1], 4 * size, WRITEABLE);
    s->h = w.below;
    s->forget_bias = (float)PyFloat_AsDouble(args[5]);
    s->clip = (float)PyFloat_AsDouble(args[6]);
    if (PyErr_Occurred())
        return NULL;
    w.h = floats_of(args[7], size, 0);
    w.recurrent = floats_of(args[8], 4 * s->units * s->units, 0);
    if (!s->x || !w.below || !w.h || !w.recurrent ||
        !optional(args[2], 4 * s->units, &s->bias) || !all_of(args[9], &w, WRITEABLE, 7))
        Py_RETURN_FALSE;
    return run_walk(&w, walk_part);
}

/* lstm_walk_back((i, cs, f, o, ci, co ...), c, peepholes, d_cs, d_h, recurrent.T, d_z,
 * back, below): whether it was done; d_cs may be None, as many steps as d_z has. The
 * gradients of c and h at the beginning go to `back` and `below`. */
static PyObject *lstm_walk_back(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Walk w = {0};
    Step *s = &w.step;
    if (n != 9 || !open_walk(&w, args[1], args[2], args[6]))
        Py_RETURN_FALSE;
    int64_t size = s->rows * s->units;
    s->d_c[1] = s->d_h[1] = (Matrix){NULL, s->units};
    s->d_h[1].data = steps_of(args[4], w.steps, size, 0);
    if (args[3] != Py_None)
        s->d_c[1].data = steps_of(args[3], w.steps, size, 0);
    w.recurrent = floats_of(args[5], 4 * s->units * s->units, 0);
    s->d_z = floats_of(args[6], 4 * size * w.steps, WRITEABLE);
    s->back = floats_of(args[7], size, WRITEABLE);
    w.below = floats_of(args[8], size, WRITEABLE);
    if (!s->d_h[1].data || (args[3] != Py_None && !s->d_c[1].data) ||
        !w.recurrent || !s->d_z || !s->back || !w.below || !all_of(args[0], &w, 0, 6))
        Py_RETURN_FALSE;
    return run_walk(&w, walk_back_part);
}

PyMethodDef lstm_methods[] = {
    {"lstm_walk", (PyCFunction)(void (*)(void))lstm_walk, METH_FASTCALL,
     "All steps of an LSTM after the product of its inputs."},
    {"lstm_walk_back", (PyCFunction)(void (*)(void))lstm_walk_back, METH_FASTCALL,
     "The gradient of all steps of an LSTM, up to the product of its inputs."},
    {"lstm_step", (PyCFunction)(void (*)(void))lstm_step, METH_FASTCALL,
     "A step of an LSTM after its product."},
    {"lstm_step_back", (PyCFunction)(void (*)(void))lstm_step_back, METH_FASTCALL,
     "The gradient of a step of an LSTM, up to its product."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef lstm_methods[] = {{NULL, NULL, 0, NULL}};
#endif
