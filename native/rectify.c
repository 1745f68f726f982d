/* The slopes of relu: what ops/nn/activation.py does on arrays, in one pass. */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include "uncontracted.h"

#define EACH 16384 /* elements in a part */

typedef struct {
    const void *slopes, *x;
    void *out;
    int64_t n;
} Rectified;

#define LOOPS "rectify_loops.h"
#include "each_width.h"

/* relu_slopes(dy, x): dy where x is above 0, else dy * 0, of float32 or float64; None
 * where that is for others. */
static PyObject *relu_slopes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const Array *dy = count == 2 ? as_array(args[0]) : NULL;
    const Array *x = dy ? as_array(args[1]) : NULL;
    if (!x || !can_make_arrays() || !alike(args[0], args[1]))
        Py_RETURN_NONE;
    int number = number_of(x), wide = number == DOUBLE_NUMBER;
    if ((!wide && number != FLOAT_NUMBER) || number_of(dy) != number || !x->nd ||
        !(dy->flags & x->flags & C_ORDER))
        Py_RETURN_NONE;
    PyObject *out = new_array(x->nd, x->shape, number, 0);
    if (!out)
        return NULL;
    Rectified w = {dy->data, x->data, as_array(out)->data, elements_of(x)};
    int64_t parts = (w.n + EACH - 1) / EACH;
    Part *part = wide ? FOR_WIDTH(slopes_double) : FOR_WIDTH(slopes_float);
    if (parts == 1)
        part(&w, 0, 0);
    else if (parts > 1 && parts < INT32_MAX) {
        Py_BEGIN_ALLOW_THREADS
        run_parts(part, &w, (int)parts, threads_now());
        Py_END_ALLOW_THREADS
    }
    return out;
}
#endif

PyMethodDef rectify_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"relu_slopes", (PyCFunction)(void (*)(void))relu_slopes, METH_FASTCALL,
     "The slopes of relu."},
#endif
    {NULL, NULL, 0, NULL},
};
