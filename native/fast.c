/* The eager fast path in C: what base/factory.py's Python functions do when nothing
 * unusual is going on. Everything else is left to that Python function, which stays the
 * one definition of what a call means; a wrong guess here costs time, never a result.
 *
 * Fast(python, kernel, gate, ...): a callable of one or two eager tensors (see
 * `accelerated` there). walk_back(...): the loop of autodiff/backprop.py. setup(...) hands
 * over the classes they look at. products.h: what base/products.py offers; conv.h: what
 * ops/nn/direct.py and lower/convolutions.py call.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>
#include <structmember.h>

static PyTypeObject *EagerTensor;
static Py_ssize_t off_a, off_dtype, off_id; /* slots of EagerTensor */
static PyObject *dispatch_dict;             /* of base.dispatch: holds `observers` */
static PyObject *next_id;
static PyObject *s_observers, *s_tapes, *s_watched, *s_records, *s_ndim, *s_shape;
static PyObject *zero;

#include "pool.h"
#include "products.h"
#include "walk_back.h"
#include "leave.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "conv.h"
#include "conv_filter.h"
#include "conv_call.h"
#include "conv_in_xla.h"
#endif

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

static Py_ssize_t slot_offset(PyObject *type, const char *name)
{
    PyObject *descr = PyObject_GetAttrString(type, name);
    if (!descr)
        return -1;
    Py_ssize_t offset = -1;
    if (Py_TYPE(descr) == &PyMemberDescr_Type)
        offset = ((PyMemberDescrObject *)descr)->d_member->offset;
    else
        PyErr_Format(PyExc_TypeError, "%s is not a slot", name);
    Py_DECREF(descr);
    return offset;
}

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
    PyObject *axes; /* of a reduction over all axes: a tuple of them per rank */
    Py_ssize_t gate; /* offset of the flag of DType */
    Py_ssize_t scalars;
    long mask;
    int matrices;
} Fast;

static long rank_of(PyObject *t)
{
    PyObject *n = PyObject_GetAttr(SLOT(t, off_a), s_ndim);
    if (!n) {
        PyErr_Clear();
        return -1;
    }
    long found = PyLong_AsLong(n);
    Py_DECREF(n);
    return found;
}

/* The tapes to tell (borrowed; NULL = none). Returns 0 where the slow path must go. */
static int active_tapes(PyObject **tapes, PyObject **held)
{
    *tapes = *held = NULL;
    PyObject *observers = PyDict_GetItemWithError(dispatch_dict, s_observers);
    if (!observers || observers == Py_None)
        return 1;
    *held = PyObject_GetAttr(observers, s_tapes);
    if (!*held || !PyTuple_CheckExact(*held)) {
        PyErr_Clear();
        Py_CLEAR(*held);
        return 0;
    }
    if (PyTuple_GET_SIZE(*held))
        *tapes = *held;
    return 1;
}

static PyObject *find_vjp(Fast *self, long mask) /* borrowed */
{
    PyObject *key = PyLong_FromLong(mask);
    PyObject *found = key ? PyDict_GetItemWithError(self->vjps, key) : NULL;
    if (!found && key && !PyErr_Occurred()) {
        PyObject *made = PyObject_CallFunctionObjArgs(self->vjp, self->op, key, NULL);
        if (made) { /* now in op.vjps */
            found = made;
            Py_DECREF(made);
        }
    }
    Py_XDECREF(key);
    return found;
}

/* What a record keeps: Vjp.codes says which inputs, outputs, shapes and dtypes. */
static PyObject *kept_values(PyObject *v, PyObject *const *args, Py_ssize_t n,
                             PyObject *out)
{
    PyObject *codes = PyTuple_GET_ITEM(v, 6);
    if (codes == Py_None) {
        PyObject *ins = n == 2 ? PyTuple_Pack(2, args[0], args[1])
                               : PyTuple_Pack(1, args[0]);
        PyObject *outs = PyTuple_Pack(1, out), *kept = NULL;
        if (ins && outs)
            kept = PyObject_CallFunctionObjArgs(PyTuple_GET_ITEM(v, 1), ins, outs, NULL);
        Py_XDECREF(ins);
        Py_XDECREF(outs);
        return kept;
    }
    Py_ssize_t size = PyTuple_GET_SIZE(codes);
    PyObject *kept = PyTuple_New(size);
    for (Py_ssize_t i = 0; kept && i < size; i++) {
        long code = PyLong_AsLong(PyTuple_GET_ITEM(codes, i));
        PyObject *x = args[code / 8], *item;
        switch (code % 8) {
        case 0: item = Py_NewRef(x); break;
        case 1: item = Py_NewRef(out); break;
        case 2: item = PyObject_GetAttr(SLOT(x, off_a), s_shape); break;
        default: item = Py_NewRef(SLOT(x, off_dtype));
        }
        if (!item)
            Py_CLEAR(kept);
        else
            PyTuple_SET_ITEM(kept, i, item);
    }
    return kept;
}

static int append_record(Fast *self, PyObject *tape, PyObject *watched, long mask,
                         PyObject *const *args, Py_ssize_t n, PyObject *out)
{
    PyObject *v = find_vjp(self, mask), *ids = NULL;
    PyObject *kept = NULL, *record = NULL, *records = NULL;
    int status = -1;
    if (!v)
        return -1;
    if (SLOT(out, off_id) == zero) {
        PyObject *id = PyObject_CallNoArgs(next_id);
        if (!id)
            return -1;
        Py_SETREF(SLOT(out, off_id), id);
    }
    PyObject *oid = SLOT(out, off_id);
    if (PySet_Add(watched, oid) < 0)
        return -1;
    if (n == 2 && mask == 3)
        ids = PyTuple_Pack(2, SLOT(args[0], off_id), SLOT(args[1], off_id));
    else
        ids = PyTuple_Pack(1, SLOT(args[mask == 2], off_id));
    if (ids)
        kept = kept_values(v, args, n, out);
    if (kept)
        record = PyTuple_Pack(5, v, ids, oid, kept, self->attrs);
    records = record ? PyObject_GetAttr(tape, s_records) : NULL;
    if (records && PyList_CheckExact(records))
        status = PyList_Append(records, record);
    Py_XDECREF(ids);
    Py_XDECREF(kept);
    Py_XDECREF(record);
    Py_XDECREF(records);
    return status;
}

static int tell_tapes(Fast *self, PyObject *tapes, PyObject *const *args, Py_ssize_t n,
                      PyObject *out)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tapes); i++) {
        PyObject *tape = PyTuple_GET_ITEM(tapes, i);
        PyObject *watched = PyObject_GetAttr(tape, s_watched);
        if (!watched)
            return -1;
        long mask = 0;
        for (Py_ssize_t j = 0; j < n; j++) {
            int has = PySet_Contains(watched, SLOT(args[j], off_id));
            if (has < 0) {
                Py_DECREF(watched);
                return -1;
            }
            mask |= (long)has << j;
        }
        mask &= self->mask;
        int bad = mask && append_record(self, tape, watched, mask, args, n, out) < 0;
        Py_DECREF(watched);
        if (bad)
            return -1;
    }
    return 0;
}

/* The 0-d constant kept for a Python number, borrowed; NULL if there is none. */
static PyObject *kept_scalar(Fast *self, PyObject *tensor, PyObject *number)
{
    if (!PyFloat_CheckExact(number) && !PyLong_CheckExact(number))
        return NULL;
    PyObject *scalars = SLOT(SLOT(tensor, off_dtype), self->scalars);
    PyObject *found = scalars ? PyDict_GetItemWithError(scalars, number) : NULL;
    if (!found)
        PyErr_Clear();
    return found;
}

static PyObject *fast_call(PyObject *callable, PyObject *const *args, size_t nargsf,
                           PyObject *kwnames)
{
    Fast *self = (Fast *)callable;
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    PyObject *a[2], *tapes, *held;
    if (kwnames || n < 1 || n > 2 || (self->axes && n == 2))
        goto python;
    a[0] = args[0];
    if (n == 2) {
        a[1] = args[1];
        if (Py_TYPE(a[0]) == EagerTensor && Py_TYPE(a[1]) != EagerTensor)
            a[1] = kept_scalar(self, a[0], a[1]);
        else if (Py_TYPE(a[1]) == EagerTensor && Py_TYPE(a[0]) != EagerTensor)
            a[0] = kept_scalar(self, a[1], a[0]);
        if (!a[0] || !a[1] || Py_TYPE(a[0]) != EagerTensor ||
            Py_TYPE(a[1]) != EagerTensor ||
            SLOT(a[0], off_dtype) != SLOT(a[1], off_dtype))
            goto python;
        if (self->matrices && !(rank_of(a[0]) == 2 && rank_of(a[1]) == 2))
            goto python;
    } else if (Py_TYPE(a[0]) != EagerTensor)
        goto python;
    else if (self->axes) { /* the host input, which a record may keep */
        long rank = rank_of(a[0]);
        if (rank < 0 || rank >= PyTuple_GET_SIZE(self->axes))
            goto python;
        a[1] = PyTuple_GET_ITEM(self->axes, rank);
    }
    PyObject *dtype = SLOT(a[0], off_dtype);
    if (SLOT(dtype, self->gate) != Py_True || !active_tapes(&tapes, &held))
        goto python;
    PyObject *arrays[3] = {NULL, SLOT(a[0], off_a), n == 2 ? SLOT(a[1], off_a) : NULL};
    PyObject *array = PyObject_Vectorcall(self->kernel, arrays + 1,
                                          n | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (!array) { /* let Python find the words */
        Py_XDECREF(held);
        PyErr_Clear();
        goto python;
    }
    PyObject *out = new_tensor(array, self->result ? self->result : dtype);
    if (out && tapes && self->mask && tell_tapes(self, tapes, a, n, out) < 0)
        Py_CLEAR(out);
    Py_XDECREF(held);
    return out;
python:
    return PyObject_Vectorcall(self->python, args, nargsf, kwnames);
}

static int fast_traverse(Fast *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dict);
    Py_VISIT(self->python);
    Py_VISIT(self->kernel);
    Py_VISIT(self->result);
    Py_VISIT(self->op);
    Py_VISIT(self->attrs);
    Py_VISIT(self->vjps);
    Py_VISIT(self->vjp);
    Py_VISIT(self->axes);
    return 0;
}

static int fast_clear(Fast *self)
{
    Py_CLEAR(self->dict);
    Py_CLEAR(self->python);
    Py_CLEAR(self->kernel);
    Py_CLEAR(self->result);
    Py_CLEAR(self->op);
    Py_CLEAR(self->attrs);
    Py_CLEAR(self->vjps);
    Py_CLEAR(self->vjp);
    Py_CLEAR(self->axes);
    return 0;
}

static void fast_dealloc(Fast *self)
{
    PyObject_GC_UnTrack(self);
    fast_clear(self);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *fast_get(PyObject *self, PyObject *object, PyObject *type)
{
    if (!object || object == Py_None)
        return Py_NewRef(self);
    return PyMethod_New(self, object);
}

static PyObject *fast_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *python, *kernel, *result, *op, *vjp, *attrs, *vjps, *dtype_class;
    PyObject *axes;
    const char *gate;
    int matrices;
    long mask;
    if (!PyArg_ParseTuple(args, "OOsOpOOOOlOO", &python, &kernel, &gate, &result,
                          &matrices, &op, &attrs, &vjps, &vjp, &mask, &dtype_class, &axes))
        return NULL;
    Fast *self = (Fast *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->vectorcall = fast_call;
    self->dict = PyDict_New();
    self->python = Py_NewRef(python);
    self->kernel = Py_NewRef(kernel);
    self->result = result == Py_None ? NULL : Py_NewRef(result);
    self->op = Py_NewRef(op);
    self->attrs = Py_NewRef(attrs);
    self->vjps = Py_NewRef(vjps);
    self->vjp = Py_NewRef(vjp);
    self->axes = PyTuple_CheckExact(axes) ? Py_NewRef(axes) : NULL;
    self->mask = mask;
    self->matrices = matrices;
    self->gate = slot_offset(dtype_class, gate);
    self->scalars = slot_offset(dtype_class, "scalars");
    if (!self->dict || self->gate < 0 || self->scalars < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyObject *fast_repr(Fast *self)
{
    return PyObject_Repr(self->python);
}

static PyObject *fast_reduce(Fast *self, PyObject *unused)
{
    return PyObject_GetAttrString((PyObject *)self, "__qualname__");
}

static PyMethodDef fast_methods[] = {
    {"__reduce__", (PyCFunction)fast_reduce, METH_NOARGS, "Pickled by name."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef fast_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject FastType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "twinflow.base._fast.Fast",
    .tp_basicsize = sizeof(Fast),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_vectorcall_offset = offsetof(Fast, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_dictoffset = offsetof(Fast, dict),
    .tp_descr_get = fast_get,
    .tp_new = fast_new,
    .tp_repr = (reprfunc)fast_repr,
    .tp_traverse = (traverseproc)fast_traverse,
    .tp_clear = (inquiry)fast_clear,
    .tp_dealloc = (destructor)fast_dealloc,
    .tp_methods = fast_methods,
    .tp_getset = fast_getset,
};

/* ------------------------------------------------------------------ module */
static PyObject *wrap(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "wrap takes an array and a dtype");
        return NULL;
    }
    return new_tensor(Py_NewRef(args[0]), args[1]);
}

static PyObject *setup(PyObject *module, PyObject *args)
{
    PyObject *tensor, *dict, *ids;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyType_Type, &tensor, &PyDict_Type, &dict,
                          &ids))
        return NULL;
    off_a = slot_offset(tensor, "_a");
    off_dtype = slot_offset(tensor, "dtype");
    off_id = slot_offset(tensor, "_id");
    if (off_a < 0 || off_dtype < 0 || off_id < 0)
        return NULL;
    Py_XSETREF(EagerTensor, (PyTypeObject *)Py_NewRef(tensor));
    Py_XSETREF(dispatch_dict, Py_NewRef(dict));
    Py_XSETREF(next_id, Py_NewRef(ids));
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
    {"dot_alone", (PyCFunction)(void (*)(void))dot_alone, METH_FASTCALL,
     "np.dot on one thread."},
    {"product", (PyCFunction)(void (*)(void))product_plain, METH_FASTCALL, "a @ b"},
    {"product_ta", (PyCFunction)(void (*)(void))product_ta, METH_FASTCALL, "a.T @ b"},
    {"product_tb", (PyCFunction)(void (*)(void))product_tb, METH_FASTCALL, "a @ b.T"},
    {"product_both", (PyCFunction)(void (*)(void))product_both, METH_FASTCALL,
     "a.T @ b.T"},
#endif
#ifdef CAN_LEAVE_BEHIND
    {"leave_behind", leave_behind, METH_VARARGS, "Let a thread end by pausing."},
#endif
#ifdef CONV_SIZES
    {"convolve", convolve, METH_VARARGS, "A convolution of float32 images."},
    {"convolution_for_xla", convolution_for_xla, METH_NOARGS, "It as XLA calls it."},
#endif
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_fast", "The eager fast path in C.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__fast(void)
{
    if (PyType_Ready(&FastType) < 0)
        return NULL;
    s_observers = PyUnicode_InternFromString("observers");
    s_tapes = PyUnicode_InternFromString("tapes");
    s_watched = PyUnicode_InternFromString("watched");
    s_records = PyUnicode_InternFromString("records");
    s_ndim = PyUnicode_InternFromString("ndim");
    s_shape = PyUnicode_InternFromString("shape");
    zero = PyLong_FromLong(0);
#ifdef CONV_SIZES
    choose_tiles();
#endif
    PyObject *module = PyModule_Create(&definition);
    if (!module || PyModule_AddObjectRef(module, "Fast", (PyObject *)&FastType) < 0)
        return NULL;
    return module;
}
