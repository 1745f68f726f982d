/* Softmax and its logarithm along the last axis, their gradients, and the cross
 * entropies of rows: ops/nn/rows.py. A row is read from the caches after its first pass.
 */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"
#include "pool.h"

#if !defined(_WIN32) && defined(__GNUC__)
#define LOOPS "softmax_loops.h"
#include "each_width.h"

#define SHARED 32768 /* floats for which other threads are called */
#define SHORT 2048   /* floats for which nobody else need have the GIL */
#define PIECE 16384  /* floats of a part, at least */

typedef struct {
    int kind, wide; /* whether labels have 8 bytes */
    const float *a, *b;
    const void *labels;
    float *out, *loss;
    int64_t rows, row, each;
} Rows;

static int64_t label_of(const Rows *j, int64_t r)
{
    if (!j->labels)
        return 0;
    return j->wide ? ((const int64_t *)j->labels)[r] : ((const int32_t *)j->labels)[r];
}

static void rows_part(void *work, int part, int slot)
{
    const Rows *j = work;
    int64_t end = (part + 1) * j->each;
    end = end < j->rows ? end : j->rows;
    for (int64_t r = part * j->each; r < end; r++)
        FOR_WIDTH(softmax)
        (j->kind, j->a + r * j->row, j->b ? j->b + r * j->row : NULL, label_of(j, r),
         j->out + r * j->row, j->loss ? j->loss + r : NULL, j->row);
}

static void run_rows(Rows *j)
{
    j->each = (PIECE + j->row - 1) / j->row;
    if (j->rows / j->each > 1 << 20)
        j->each = (j->rows >> 20) + 1;
    int threads = j->rows * j->row < SHARED ? 1 : threads_now();
    if (j->rows <= j->each)
        rows_part(j, 0, 0);
    else
        run_parts(rows_part, j, (int)((j->rows + j->each - 1) / j->each), threads);
}

/* An array of float32 that lies row by row, with rows that are not empty. */
static const Array *rows_in(PyObject *x, Rows *j)
{
    const Array *a = as_array(x);
    if (!a || !a->nd || !can_make_arrays() || number_of(a) != FLOAT_NUMBER ||
        !(a->flags & C_ORDER))
        return NULL;
    j->row = a->shape[a->nd - 1];
    j->rows = 1;
    for (int i = 0; i < a->nd - 1; i++)
        j->rows *= a->shape[i];
    return j->row && j->rows ? a : NULL;
}

/* softmax(kind, a, b or None): an array like a; None: it is for NumPy. */
static PyObject *softmax(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Rows j = {0};
    const Array *a = n == 3 ? rows_in(args[1], &j) : NULL, *b = NULL;
    if (!a)
        Py_RETURN_NONE;
    j.kind = PyLong_AsLong(args[0]);
    if (j.kind < SOFTMAX || j.kind > LOG_SOFTMAX_BACK)
        return PyErr_Occurred() ? NULL : wrong_sizes("softmax");
    if (j.kind >= SOFTMAX_BACK) {
        b = rows_in(args[2], &j);
        if (!b || !alike(args[1], args[2]))
            Py_RETURN_NONE;
        j.b = (const float *)b->data;
    }
    PyObject *out = new_array(a->nd, a->shape, FLOAT_NUMBER, 0);
    if (!out)
        return NULL;
    j.a = (const float *)a->data;
    j.out = (float *)((Array *)out)->data;
    Py_BEGIN_ALLOW_THREADS
    run_rows(&j);
    Py_END_ALLOW_THREADS
    return out;
}

/* Whether labels are classes of the rows: float rows of them, or an int for each. */
static int labels_fit(PyObject *labels, PyObject *logits, Rows *j)
{
    const Array *l = as_array(labels);
    if (!l || !(l->flags & C_ORDER))
        return 0;
    int number = number_of(l);
    if (number == FLOAT_NUMBER && alike(labels, logits)) {
        j->kind = DENSE;
        j->b = (const float *)l->data;
        return 1;
    }
    j->kind = SPARSE;
    j->wide = number == INT64_NUMBER;
    j->labels = l->data;
    if (l->nd != 1 || l->shape[0] != j->rows || (!j->wide && number != INT32_NUMBER))
        return 0;
    for (int64_t r = 0; r < j->rows; r++)
        if (label_of(j, r) < 0 || label_of(j, r) >= j->row)
            return 0;
    return 1;
}

/* cross_entropy(logits, labels): (loss, backprop) of matrices; None: it is for NumPy. */
static PyObject *cross_entropy(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Rows j = {0};
    const Array *a = n == 2 ? rows_in(args[0], &j) : NULL;
    if (!a || a->nd != 2 || !labels_fit(args[1], args[0], &j))
        Py_RETURN_NONE;
    PyObject *loss = new_array(1, a->shape, FLOAT_NUMBER, 0);
    PyObject *out = new_array(2, a->shape, FLOAT_NUMBER, 0), *both = NULL;
    if (loss && out) {
        j.a = (const float *)a->data;
        j.out = (float *)((Array *)out)->data;
        j.loss = (float *)((Array *)loss)->data;
        if (j.rows * j.row < SHORT)
            run_rows(&j);
        else {
            Py_BEGIN_ALLOW_THREADS
            run_rows(&j);
            Py_END_ALLOW_THREADS
        }
        both = PyTuple_Pack(2, loss, out);
    }
    Py_XDECREF(loss);
    Py_XDECREF(out);
    return both;
}

PyMethodDef softmax_methods[] = {
    {"softmax", (PyCFunction)(void (*)(void))softmax, METH_FASTCALL,
     "Softmax along rows, its logarithm, or the gradient of either."},
    {"cross_entropy", (PyCFunction)(void (*)(void))cross_entropy, METH_FASTCALL,
     "Cross entropies of rows, and their gradient."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef softmax_methods[] = {{NULL, NULL, 0, NULL}};
#endif
