/* What array.h declares. */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include <string.h>

PyTypeObject *Ndarray;
static int descr_is_known; /* as well as the members behind strides */

typedef PyObject *New(PyTypeObject *, int, const Py_ssize_t *, int, const Py_ssize_t *,
                      void *, int, int, PyObject *);
static New *make_array; /* PyArray_New */

enum { VERSION_AT = 0, NEW_AT = 93 }; /* in NumPy's table of functions */

/* The attribute of an attribute as an int; -1 where there is none. */
static long int_at(PyObject *x, const char *outer, const char *inner)
{
    PyObject *of = PyObject_GetAttrString(x, outer);
    PyObject *found = of ? PyObject_GetAttrString(of, inner) : NULL;
    long value = found ? PyLong_AsLong(found) : -1;
    Py_XDECREF(of);
    Py_XDECREF(found);
    PyErr_Clear();
    return value;
}

static void know_dtypes(PyObject *sample)
{
    const Array *a = (const Array *)sample;
    PyObject *dtype = PyObject_GetAttrString(sample, "dtype");
    descr_is_known = dtype && (PyObject *)a->descr == dtype &&
                     a->descr->number == int_at(sample, "dtype", "num") &&
                     a->flags == int_at(sample, "flags", "num");
    Py_XDECREF(dtype);
    PyErr_Clear();
}

static void find_functions(void)
{
    PyObject *module = PyImport_ImportModule("numpy._core._multiarray_umath");
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
    void **table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    if (table) {
        unsigned version = ((unsigned (*)(void))table[VERSION_AT])();
        if (version >> 24 == 2) /* an ABI that this table is of */
            make_array = (New *)table[NEW_AT];
    }
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    PyErr_Clear();
}

void know_arrays(PyObject *sample)
{
    const Array *a = (const Array *)sample;
    if (Py_TYPE(sample)->tp_basicsize < (Py_ssize_t)sizeof(Array) || a->nd != 2 ||
        !a->shape || a->shape[0] != 3 || a->shape[1] != 5)
        return;
    Py_XSETREF(Ndarray, (PyTypeObject *)Py_NewRef((PyObject *)Py_TYPE(sample)));
    know_dtypes(sample);
    if (descr_is_known)
        find_functions();
}

int number_of(const Array *a)
{
    if (!descr_is_known || !(a->flags & ALIGNED) || a->descr->order == '>')
        return -1;
    return a->descr->number;
}

int can_make_arrays(void) { return make_array != NULL; }

PyObject *new_array(int nd, const Py_ssize_t *shape, int number, int flags)
{
    return make_array(Ndarray, nd, shape, number, NULL, NULL, 0, flags, NULL);
}

PyObject *seen_as(PyObject *x, int nd, const Py_ssize_t *shape)
{
    const Array *a = as_array(x);
    int flags = C_ORDER | ALIGNED | (a->flags & WRITEABLE);
    PyObject *made =
        make_array(Ndarray, nd, shape, number_of(a), NULL, a->data, 0, flags, NULL);
    if (made)
        ((Array *)made)->base = Py_NewRef(x);
    return made;
}

int open_floats(PyObject *const *arrays, int count, Py_buffer *views)
{
    for (int open = 0; open < count; open++) {
        int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT;
        flags |= open == count - 1 ? PyBUF_WRITABLE : 0;
        int failed = PyObject_GetBuffer(arrays[open], &views[open], flags) < 0;
        if (!failed && strcmp(views[open].format, "f")) {
            PyErr_Format(PyExc_TypeError, "arrays of float32, not of '%s'",
                         views[open].format);
            PyBuffer_Release(&views[open]);
            failed = 1;
        }
        if (failed) {
            close_floats(open, views);
            return 0;
        }
    }
    return 1;
}

void close_floats(int count, Py_buffer *views)
{
    while (count--)
        PyBuffer_Release(&views[count]);
}
