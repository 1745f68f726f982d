/* The eager fast path in C: the meaning of a call is that of EagerMode.run_op, and this
 * is its accelerator for the plainest calls (tests/eager/test_one_meaning.py holds the two
 * against each other). Everything else goes to the Python function; a wrong guess here
 * costs time, never a result.
 *
 * Fast(python, kernel, types, ...): a callable of one or two eager tensors (see
 * `accelerated` in base/factory.py). walk_back(...): the loop of autodiff/backprop.py.
 * setup(...) hands over the classes they look at. products.h: what base/products.py
 * offers; conv.h: what ops/nn/direct.py and lower/convolutions.py call.
 *
 * What is held: every object that is used after something that may run Python code or let
 * go of the GIL (a kernel, an attribute, a call) is owned meanwhile. What is let through:
 * every exception that is no Exception (KeyboardInterrupt, SystemExit ...).
 */
#define PY_SSIZE_T_CLEAN
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sincosf */
#endif
#include <Python.h>
#include <math.h>
#include <stdlib.h>

static PyTypeObject *EagerTensor, *DTypeClass;
static Py_ssize_t off_a, off_dtype, off_id; /* slots of EagerTensor */
static Py_ssize_t off_scalars;              /* of DType: arrays by Python number */
static PyObject *dispatch_dict;             /* of base.dispatch: holds `observers` */
static PyObject *next_id;
static PyObject *s_observers, *s_tapes, *s_watched, *s_records, *s_append, *s_ndim;
static PyObject *s_shape, *s_name, *zero;

/* Forget an Exception, of which the slow path finds the words; 0 = it goes through. */
static int forgiven(void)
{
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))
        return 0;
    PyErr_Clear();
    return 1;
}

#include "array.h"
#include "kernels.h"
#include "loops.h"
#include "marks.h"
#include "pool.h"
#include "slots.h"

/* The number of axes; -1 with an error where it has none. */
static long rank_of(PyObject *x)
{
    const Array *a = as_array(x);
    if (a)
        return a->nd;
    PyObject *n = PyObject_GetAttr(x, s_ndim);
    long rank = n ? PyLong_AsLong(n) : -1;
    Py_XDECREF(n);
    return rank;
}

#include "products.h"
#include "batches.h"
#include "leave.h"
#include "singles.h"
#include "pace.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "conv.h"
#include "conv_filter.h"
#include "conv_call.h"
#include "xla_calls.h"
#include "conv_in_xla.h"
#include "products_in_xla.h"
#endif

static PyObject *new_tensor(PyObject *array, PyObject *dtype) /* steals array */
{
    PyObject *t = EagerTensor->tp_alloc(EagerTensor, 0);
    if (!t) {
        Py_DECREF(array);
        return NULL;
    }
    SLOT(t, off_a) = array;
    SLOT(t, off_dtype) = Py_NewRef(dtype);
    SLOT(t, off_id) = Py_NewRef(zero);
    return t;
}

/* ------------------------------------------------------------------ Fast */
typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *dict, *python, *kernel, *result, *op, *attrs, *vjps, *vjp;
    PyObject *pieces; /* the kernel of large arrays, see loops.c; or NULL */
    PyObject *types;  /* the DTypes of plain calls */
    PyObject *axes;  /* of a reduction over all axes: a tuple of them per rank */
    Py_ssize_t count; /* of operands */
    long mask;
    int form; /* which operands the kernel takes without a look at their shapes */
} Fast;

enum { ANY, MATRICES, ALIKE }; /* as in base/factory.py */

/* What a plain call reads, owned: the tensors (NULL = a number), their arrays, a dtype. */
typedef struct {
    PyObject *tensors[2], *arrays[3], *dtype; /* arrays[0]: room for the callee */
} Operands;

#include "record.h"

/* The tapes to tell, owned (NULL = none). 0: the slow path must go. -1: an error. */
static inline int active_tapes(PyObject **tapes)
{
    *tapes = NULL;
    PyObject *observers = PyDict_GetItemWithError(dispatch_dict, s_observers);
    if (!observers)
        return PyErr_Occurred() ? -1 : 1;
    if (observers == Py_None)
        return 1;
    Py_INCREF(observers);
    PyObject *seen = PyObject_GetAttr(observers, s_tapes);
    Py_DECREF(observers);
    if (!seen)
        return forgiven() ? 0 : -1;
    int plain = PyTuple_CheckExact(seen);
    if (plain && PyTuple_GET_SIZE(seen))
        *tapes = seen;
    else
        Py_DECREF(seen);
    return plain;
}

#include "walk_back.h"

static inline void let_go(Operands *o)
{
    for (int i = 0; i < 2; i++) {
        Py_XDECREF(o->tensors[i]);
        Py_XDECREF(o->arrays[i + 1]);
    }
    Py_XDECREF(o->dtype);
}

/* Take over an operand. 0: it is none for here. */
static inline int take_tensor(Operands *o, int i, PyObject *t)
{
    PyObject *dtype = SLOT(t, off_dtype), *array = SLOT(t, off_a);
    if (!dtype || !array || !SLOT(t, off_id) || Py_TYPE(dtype) != DTypeClass)
        return 0; /* half made: Python says what is missing */
    if (o->dtype && o->dtype != dtype)
        return 0;
    o->tensors[i] = Py_NewRef(t);
    o->arrays[i + 1] = Py_NewRef(array);
    if (!o->dtype)
        o->dtype = Py_NewRef(dtype);
    return 1;
}

/* Take over the array kept for a Python number. 0: there is none. -1: an error. */
static int take_number(Operands *o, int i, PyObject *number)
{
    int is_float = PyFloat_CheckExact(number);
    if (!is_float && !PyLong_CheckExact(number))
        return 0;
    if (is_float && PyFloat_AS_DOUBLE(number) == 0 && signbit(PyFloat_AS_DOUBLE(number)))
        return 0; /* -0.0 is equal to 0, of which the array is kept */
    PyObject *scalars = SLOT(o->dtype, off_scalars);
    if (!scalars || !PyDict_CheckExact(scalars))
        return 0;
    PyObject *array = PyDict_GetItemWithError(scalars, number);
    if (!array)
        return forgiven() ? 0 : -1;
    o->arrays[i + 1] = Py_NewRef(array);
    return 1;
}

static inline int is_plain_type(const Fast *self, const PyObject *dtype)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self->types); i++)
        if (PyTuple_GET_ITEM(self->types, i) == dtype)
            return 1;
    return 0;
}

/* Whether a call gives the operands alone, or these and a name, which graphs want. */
static inline int is_plain_form(const Fast *self, Py_ssize_t n, PyObject *kwnames)
{
    if (!self->python || !self->kernel) /* cleared away */
        return 0;
    if (kwnames)
        return n == self->count && !self->axes && PyTuple_GET_SIZE(kwnames) == 1 &&
               PyTuple_GET_ITEM(kwnames, 0) == s_name;
    return n == self->count || (n == self->count + 1 && !self->axes);
}

static inline int take_operands(Fast *self, PyObject *const *args, Py_ssize_t n, Operands *o)
{
    int eager[2] = {Py_TYPE(args[0]) == EagerTensor,
                    n == 2 && Py_TYPE(args[1]) == EagerTensor};
    for (int i = 0; i < n; i++)
        if (eager[i] && !take_tensor(o, i, args[i]))
            return 0;
    if (!o->dtype || !is_plain_type(self, o->dtype))
        return 0;
    for (int i = 0; i < n; i++) {
        int status = eager[i] ? 1 : take_number(o, i, args[i]);
        if (status <= 0)
            return status;
        if (self->form == MATRICES && rank_of(o->arrays[i + 1]) != 2)
            return forgiven() ? 0 : -1;
    }
    if (self->form == ALIKE && n == 2 && !alike(o->arrays[1], o->arrays[2]))
        return 0;
    if (self->axes) { /* the host input, which a record may keep */
        long rank = rank_of(o->arrays[1]);
        if (rank < 0 || rank >= PyTuple_GET_SIZE(self->axes))
            return forgiven() ? 0 : -1;
        o->tensors[1] = Py_NewRef(PyTuple_GET_ITEM(self->axes, rank));
    }
    return 1;
}

/* What is computed, and recorded. NULL without an error: Python has to do it. */
static inline PyObject *plain_call(Fast *self, Operands *o, Py_ssize_t n,
                                   PyObject *tapes)
{
    PyObject *out = NULL, *array = NULL;
#ifdef CAN_MARK
    Mark mark;
    int told = marking;
    if (told)
        begin_mark(&mark);
#endif
    if (self->pieces)
        array = in_pieces(self->pieces, o->arrays + 1, n);
    if (!array && !PyErr_Occurred())
        array = PyObject_Vectorcall(self->kernel, o->arrays + 1,
                                    n | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
#ifdef CAN_MARK
    if (told)
        end_mark(&mark, self->op, 1);
#endif
    if (array)
        out = new_tensor(array, self->result ? self->result : o->dtype);
    else
        forgiven(); /* Python finds the words */
    if (out && tapes && self->mask && tell_tapes(self, tapes, o, n, out) < 0)
        Py_CLEAR(out);
    return out;
}

/* As plain_call, in eager mode. NULL without an error: graphs, and all else. */
static inline PyObject *eager_call(Fast *self, PyObject *const *args)
{
    PyObject *tapes, *out = NULL;
    if (active_tapes(&tapes) <= 0)
        return NULL;
    Operands o = {{NULL}, {NULL}, NULL};
    if (take_operands(self, args, self->count, &o) > 0)
        out = plain_call(self, &o, self->count, tapes);
    let_go(&o);
    Py_XDECREF(tapes);
    return out;
}

static PyObject *fast_call(PyObject *callable, PyObject *const *args, size_t nargsf,
                           PyObject *kwnames)
{
    Fast *self = (Fast *)callable;
    if (is_plain_form(self, PyVectorcall_NARGS(nargsf), kwnames)) {
        PyObject *out = eager_call(self, args);
        if (out || PyErr_Occurred())
            return out;
    }
    if (!self->python) {
        PyErr_SetString(PyExc_ReferenceError, "this function has been cleared away");
        return NULL;
    }
    return PyObject_Vectorcall(self->python, args, nargsf, kwnames);
}

#include "fast_type.h"

/* ------------------------------------------------------------------ module */
static PyObject *wrap(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n != 2 || !EagerTensor) {
        PyErr_SetString(PyExc_TypeError, "wrap takes an array and a dtype, after setup");
        return NULL;
    }
    return new_tensor(Py_NewRef(args[0]), args[1]);
}

/* setup(class of eager tensors, dict of base.dispatch, next_id, DType, array of (3, 5)) */
static PyObject *setup(PyObject *module, PyObject *args)
{
    PyTypeObject *tensor, *dtype;
    PyObject *dict, *ids, *sample;
    if (!PyArg_ParseTuple(args, "O!O!OO!O", &PyType_Type, &tensor, &PyDict_Type, &dict,
                          &ids, &PyType_Type, &dtype, &sample))
        return NULL;
    off_a = slot_offset(tensor, "_a");
    off_dtype = slot_offset(tensor, "dtype");
    off_id = slot_offset(tensor, "_id");
    off_scalars = slot_offset(dtype, "scalars");
    if (off_a < 0 || off_dtype < 0 || off_id < 0 || off_scalars < 0)
        return NULL;
    know_arrays(sample);
    Py_XSETREF(dispatch_dict, Py_NewRef(dict));
    Py_XSETREF(next_id, Py_NewRef(ids));
    Py_XSETREF(DTypeClass, (PyTypeObject *)Py_NewRef((PyObject *)dtype));
    Py_XSETREF(EagerTensor, (PyTypeObject *)Py_NewRef((PyObject *)tensor));
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, "Hand over the class of eager tensors."},
    {"wrap", (PyCFunction)(void (*)(void))wrap, METH_FASTCALL,
     "A tensor around an array that nobody else writes to."},
    {"walk_back", (PyCFunction)(void (*)(void))walk_back, METH_FASTCALL,
     "The loop of autodiff.backprop."},
#ifndef _WIN32
    {"setup_products", setup_products, METH_VARARGS, "Hand over OpenBLAS."},
    {"product_of_batches", (PyCFunction)(void (*)(void))product_of_batches,
     METH_FASTCALL, "a @ b of many pairs."},
    {"dot_alone", (PyCFunction)(void (*)(void))dot_alone, METH_FASTCALL,
     "np.dot on one thread."},
    {"product", (PyCFunction)(void (*)(void))product_plain, METH_FASTCALL, "a @ b"},
    {"product_ta", (PyCFunction)(void (*)(void))product_ta, METH_FASTCALL, "a.T @ b"},
    {"product_tb", (PyCFunction)(void (*)(void))product_tb, METH_FASTCALL, "a @ b.T"},
    {"product_both", (PyCFunction)(void (*)(void))product_both, METH_FASTCALL,
     "a.T @ b.T"},
#endif
    {"take_singles", take_singles, METH_VARARGS,
     "Let float and int take arrays of one element."},
#ifdef CAN_LEAVE_BEHIND
    {"leave_behind", leave_behind, METH_VARARGS, "Let a thread end by pausing."},
#endif
#ifdef CAN_PACE
    {"set_pace", set_pace, METH_O, "Whether this thread gives way to others."},
#endif
#ifdef CONV_SIZES
    {"convolve", convolve, METH_VARARGS, "A convolution of float32 images."},
    {"convolution_for_xla", convolution_for_xla, METH_NOARGS, "It as XLA calls it."},
    {"product_for_xla", product_for_xla, METH_NOARGS, "It as XLA calls it."},
#endif
    {NULL, NULL, 0, NULL},
};

#ifndef SOURCES
#define SOURCES 0 /* the checksum that base.native compares, from setup.py */
#endif

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_fast", "The eager fast path in C.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__fast(void)
{
    if (PyType_Ready(&FastType) < 0)
        return NULL;
    struct {
        PyObject **at;
        const char *text;
    } names[] = {{&s_observers, "observers"}, {&s_tapes, "tapes"},
                 {&s_watched, "watched"},     {&s_records, "records"},
                 {&s_append, "append"},       {&s_ndim, "ndim"},
                 {&s_shape, "shape"},         {&s_name, "name"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(*names[i].at = PyUnicode_InternFromString(names[i].text)))
            return NULL;
    if (!(zero = PyLong_FromLong(0)))
        return NULL;
    choose_width();
#ifdef CONV_SIZES
    choose_tiles();
#endif
    PyObject *module = PyModule_Create(&definition);
    if (module && (PyModule_AddObjectRef(module, "Fast", (PyObject *)&FastType) < 0 ||
                   PyModule_AddIntConstant(module, "sources", SOURCES) < 0 ||
                   add_kernels(module) < 0 || add_marks(module) < 0))
        Py_CLEAR(module);
    return module;
}
