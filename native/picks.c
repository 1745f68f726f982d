/* Entries of small arrays by number, with nothing to set up: ops/core/index.py. */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"
#include <string.h>

enum { MOST_AXES = 16, MOST_BYTES = 1 << 17 }; /* of what is made */

static int64_t size_of_number(int number)
{
    if (number == BOOL_NUMBER)
        return 1;
    if (number == INT32_NUMBER || number == FLOAT_NUMBER)
        return 4;
    return number == INT64_NUMBER || number == DOUBLE_NUMBER ? 8 : 0;
}

/* Whether all numbers are in [0, n); they are put into `rows` of each of `outer` tables. */
static int pick(char *out, const char *x, const Array *ids, int64_t outer, int64_t n,
                int64_t bytes)
{
    int64_t count = elements_of(ids), wide = number_of(ids) == INT64_NUMBER;
    for (int64_t table = 0; table < outer; table++, x += n * bytes)
        for (int64_t i = 0; i < count; i++, out += bytes) {
            int64_t at = wide ? ((int64_t *)ids->data)[i] : ((int32_t *)ids->data)[i];
            if (at < 0 || at >= n)
                return 0;
            if (bytes == 4)
                memcpy(out, x + at * 4, 4);
            else
                memcpy(out, x + at * bytes, bytes);
        }
    return 1;
}

/* picked(array, whole numbers, axis): numpy.take of small arrays; None where that is for
 * others, or a number is outside. */
static PyObject *picked(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const Array *x = count == 3 ? as_array(args[0]) : NULL;
    const Array *ids = x ? as_array(args[1]) : NULL;
    if (!ids || !PyLong_CheckExact(args[2]) || !can_make_arrays())
        Py_RETURN_NONE;
    Py_ssize_t axis = PyLong_AsSsize_t(args[2]), shape[MOST_AXES];
    int number = number_of(x), nd = x->nd + ids->nd - 1, wide = number_of(ids);
    int64_t item = size_of_number(number), outer = 1, bytes = item;
    if (axis == -1 && PyErr_Occurred()) { /* it has too many digits */
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    axis += axis < 0 ? x->nd : 0;
    if (axis < 0 || axis >= x->nd || nd > MOST_AXES || !item || !(x->flags & C_ORDER) ||
        !(ids->flags & C_ORDER) || (wide != INT32_NUMBER && wide != INT64_NUMBER))
        Py_RETURN_NONE;
    for (Py_ssize_t k = 0; k < x->nd; k++) {
        Py_ssize_t to = k < axis ? k : k + ids->nd - 1;
        if (k != axis)
            shape[to] = x->shape[k];
        outer *= k < axis ? x->shape[k] : 1;
        bytes *= k > axis ? x->shape[k] : 1;
    }
    for (int k = 0; k < ids->nd; k++)
        shape[axis + k] = ids->shape[k];
    if (outer * elements_of(ids) * bytes > MOST_BYTES)
        Py_RETURN_NONE;
    PyObject *out = new_array(nd, shape, number, 0);
    if (out && !pick(as_array(out)->data, x->data, ids, outer, x->shape[axis], bytes)) {
        Py_DECREF(out);
        Py_RETURN_NONE;
    }
    return out;
}

PyMethodDef pick_methods[] = {
    {"picked", (PyCFunction)(void (*)(void))picked, METH_FASTCALL, "Entries by number."},
    {NULL, NULL, 0, NULL},
};
