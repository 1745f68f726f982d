/* Entries of small arrays by number, and other shapes, with nothing to set up: the quick
 * forms of ops/core/index.py and shape.py. */
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

/* Whole numbers: how many, or -1 where there are none, or more than `most`. */
static int read_sizes(PyObject *from, Py_ssize_t *sizes, int most)
{
    const Array *a = as_array(from);
    if (PyTuple_CheckExact(from) && PyTuple_GET_SIZE(from) <= most) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(from); i++) {
            PyObject *one = PyTuple_GET_ITEM(from, i);
            sizes[i] = PyLong_CheckExact(one) ? PyLong_AsSsize_t(one) : -2;
            if (sizes[i] < -1 || (sizes[i] == -1 && PyErr_Occurred())) {
                PyErr_Clear();
                return -1;
            }
        }
        return (int)PyTuple_GET_SIZE(from);
    }
    if (!a || a->nd > 1 || !(a->flags & C_ORDER) || elements_of(a) > most)
        return -1;
    for (int i = 0; i < elements_of(a); i++)
        if (number_of(a) == INT32_NUMBER)
            sizes[i] = ((int32_t *)a->data)[i];
        else if (number_of(a) == INT64_NUMBER)
            sizes[i] = (Py_ssize_t)((int64_t *)a->data)[i];
        else
            return -1;
    return (int)elements_of(a);
}

static const Array *movable(PyObject *x)
{
    const Array *a = as_array(x);
    int known = a && can_make_arrays() && size_of_number(number_of(a));
    return known && (a->flags & C_ORDER) && a->nd < MOST_AXES ? a : NULL;
}

/* reshaped(array, sizes): the same memory; None where that is for others. */
static PyObject *reshaped(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const Array *x = count == 2 ? movable(args[0]) : NULL;
    Py_ssize_t shape[MOST_AXES];
    int nd = x ? read_sizes(args[1], shape, MOST_AXES) : -1, open = -1;
    int64_t all = x ? elements_of(x) : 0, product = 1;
    for (int i = 0; i < nd; i++) {
        if (shape[i] <= 0 && (shape[i] != -1 || open >= 0))
            Py_RETURN_NONE;
        if (shape[i] < 0)
            open = i;
        else if (shape[i] > all || (product *= shape[i]) > all)
            Py_RETURN_NONE;
    }
    if (nd < 0 || all % product || (open < 0 && product != all))
        Py_RETURN_NONE;
    if (open >= 0)
        shape[open] = all / product;
    return seen_as(args[0], nd, shape);
}

/* expanded(array, axis): with an axis of one element; None where that is for others. */
static PyObject *expanded(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const Array *x = count == 2 ? movable(args[0]) : NULL;
    Py_ssize_t axis, shape[MOST_AXES];
    if (!x || !PyLong_CheckExact(args[1]))
        Py_RETURN_NONE;
    axis = PyLong_AsSsize_t(args[1]);
    if (axis == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    axis += axis < 0 ? x->nd + 1 : 0;
    if (axis < 0 || axis > x->nd)
        Py_RETURN_NONE;
    for (int i = 0; i <= x->nd; i++)
        shape[i] = i == axis ? 1 : x->shape[i - (i > axis)];
    return seen_as(args[0], x->nd + 1, shape);
}

PyMethodDef pick_methods[] = {
    {"picked", (PyCFunction)(void (*)(void))picked, METH_FASTCALL, "Entries by number."},
    {"reshaped", (PyCFunction)(void (*)(void))reshaped, METH_FASTCALL, "Another shape."},
    {"expanded", (PyCFunction)(void (*)(void))expanded, METH_FASTCALL, "One axis more."},
    {NULL, NULL, 0, NULL},
};
