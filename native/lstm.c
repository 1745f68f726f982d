/* A step of an LSTM after its product in one pass, and the way back in another:
 * ops/nn/lstm_step.py has the formulas. float32.
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

PyMethodDef lstm_methods[] = {
    {"lstm_step", (PyCFunction)(void (*)(void))lstm_step, METH_FASTCALL,
     "A step of an LSTM after its product."},
    {"lstm_step_back", (PyCFunction)(void (*)(void))lstm_step_back, METH_FASTCALL,
     "The gradient of a step of an LSTM, up to its product."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef lstm_methods[] = {{NULL, NULL, 0, NULL}};
#endif
