/* The loop of the interpreter in C: what execute/interpreter.py says in closures.
 *
 * Plain(kernel, ins, outs, check, quick): the closure of a node that only computes. `ins`
 * are the slots of its inputs, tuples of them for lists; `outs` is the slot of its output,
 * or a tuple of slots; `check` is called with the inputs when their shapes are new, or
 * None; `quick` gives the output or None, and then the others are asked, or is None.
 * after(readers) gives one that puts variables into slots before.
 * run_steps(steps, values): `execute` but for the words of errors.
 *
 * Every object that is used after something that may run Python code is owned meanwhile.
 */
#define PY_SSIZE_T_CLEAN
#include "steps.h"
#include "array.h"
#include "marks.h"
#include "slots.h"
#include <stddef.h>

enum { MOST_ARGS = 16, MOST_SEEN = 48, LOOK_UP = 63 };

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *kernel, *ins, *outs, *readers, *check, *quick; /* the last three: or NULL */
    int known;                                               /* of the sizes in `seen` */
    Py_ssize_t seen[MOST_SEEN]; /* ranks and sizes of the inputs */
} Plain;

static PyTypeObject PlainType;
PyTypeObject *CellClass;
Py_ssize_t off_array, off_device;
static PyTypeObject *StepClass, *ReaderClass;
static Py_ssize_t off_run, off_frees, off_cell, off_slot;
static PyObject *s_shape, *breather;


/* ------------------------------------------------------------------ values */
/* A value, borrowed; NULL with an error where there is no such slot. */
static inline PyObject *value_at(PyObject *values, PyObject *slot)
{
    Py_ssize_t i = PyLong_AsSsize_t(slot);
    if (i >= 0 && i < PyList_GET_SIZE(values))
        return PyList_GET_ITEM(values, i);
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "there is no such slot");
    return NULL;
}

static inline int put(PyObject *values, PyObject *slot, PyObject *value)
{
    Py_ssize_t i = PyLong_AsSsize_t(slot);
    if (i < 0 || i >= PyList_GET_SIZE(values)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_IndexError, "there is no such slot");
        return -1;
    }
    PyObject *old = PyList_GET_ITEM(values, i);
    PyList_SET_ITEM(values, i, Py_NewRef(value));
    Py_XDECREF(old);
    return 0;
}

static PyObject *list_of(PyObject *values, PyObject *slots)
{
    Py_ssize_t n = PyTuple_GET_SIZE(slots);
    PyObject *made = PyList_New(n);
    for (Py_ssize_t i = 0; made && i < n; i++) {
        PyObject *value = value_at(values, PyTuple_GET_ITEM(slots, i));
        if (!value)
            Py_CLEAR(made);
        else
            PyList_SET_ITEM(made, i, Py_NewRef(value));
    }
    return made;
}

/* ------------------------------------------------------------------ shapes */
/* Append a rank and sizes; the new length, or -1 where they are not known. */
static int add_shape(PyObject *x, Py_ssize_t *seen, int at)
{
    const Array *a = as_array(x);
    if (a) {
        if (at + 1 + a->nd > MOST_SEEN)
            return -1;
        seen[at++] = a->nd;
        for (int k = 0; k < a->nd; k++)
            seen[at++] = a->shape[k];
        return at;
    }
    PyObject *shape = PyObject_GetAttr(x, s_shape); /* of NumPy's scalars */
    int scalar = shape && PyTuple_CheckExact(shape) && PyTuple_GET_SIZE(shape) == 0;
    Py_XDECREF(shape);
    PyErr_Clear();
    if (!scalar || at + 1 > MOST_SEEN)
        return -1;
    seen[at] = 0;
    return at + 1;
}

/* Let `check` look at inputs of new shapes; -1 with its error. */
static int look_at(Plain *self, PyObject *const *args, Py_ssize_t n)
{
    Py_ssize_t seen[MOST_SEEN];
    int length = 0;
    for (Py_ssize_t i = 0; i < n && length >= 0; i++)
        length = add_shape(args[i], seen, length);
    if (length > 0 && length == self->known &&
        !memcmp(seen, self->seen, length * sizeof *seen))
        return 0;
    PyObject *done = PyObject_Vectorcall(self->check, args, n, NULL);
    if (!done)
        return -1;
    Py_DECREF(done);
    self->known = length > 0 ? length : 0;
    if (length > 0)
        memcpy(self->seen, seen, length * sizeof *seen);
    return 0;
}

/* ------------------------------------------------------------------ computing */
static int read_variables(PyObject *readers, PyObject *values)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(readers); i++) {
        PyObject *reader = PyTuple_GET_ITEM(readers, i);
        if (Py_TYPE(reader) == ReaderClass) {
            PyObject *cell = SLOT(reader, off_cell), *slot = SLOT(reader, off_slot);
            PyObject *array = NULL;
            if (cell && slot && Py_TYPE(cell) == CellClass)
                array = SLOT(cell, off_array);
            if (array && array != Py_None) {
                if (put(values, slot, array) < 0)
                    return -1;
                continue;
            }
        }
        PyObject *done = PyObject_CallOneArg(reader, values);
        if (!done)
            return -1;
        Py_DECREF(done);
    }
    return 0;
}

static int put_all(PyObject *values, PyObject *slots, PyObject *results)
{
    PyObject *all = PySequence_Fast(results, "a kernel of several outputs gave one");
    if (!all)
        return -1;
    Py_ssize_t n = PyTuple_GET_SIZE(slots), given = PySequence_Fast_GET_SIZE(all);
    int status = 0;
    for (Py_ssize_t i = 0; i < n && i < given && !status; i++)
        status = put(values, PyTuple_GET_ITEM(slots, i), PySequence_Fast_GET_ITEM(all, i));
    Py_DECREF(all);
    return status;
}

static PyObject *compute(Plain *self, PyObject *const *args, Py_ssize_t n)
{
    PyObject *found = self->quick ? PyObject_Vectorcall(self->quick, args, n, NULL) : NULL;
    if (found && found != Py_None)
        return found;
    if ((self->quick && !found) || (self->check && look_at(self, args, n) < 0)) {
        Py_XDECREF(found);
        return NULL;
    }
    Py_XDECREF(found);
    return PyObject_Vectorcall(self->kernel, args, n, NULL);
}

static int run_plain(Plain *self, PyObject *values)
{
    PyObject *args[MOST_ARGS];
    Py_ssize_t n = PyTuple_GET_SIZE(self->ins), taken = 0;
    int status = -1;
    if (self->readers && read_variables(self->readers, values) < 0)
        return -1;
    for (; taken < n; taken++) {
        PyObject *slot = PyTuple_GET_ITEM(self->ins, taken);
        args[taken] = PyTuple_CheckExact(slot) ? list_of(values, slot)
                                               : Py_XNewRef(value_at(values, slot));
        if (!args[taken])
            break;
    }
    PyObject *found = taken == n ? compute(self, args, n) : NULL;
    while (taken)
        Py_DECREF(args[--taken]);
    if (found) {
        status = PyTuple_CheckExact(self->outs) ? put_all(values, self->outs, found)
                                                : put(values, self->outs, found);
        Py_DECREF(found);
    }
    return status;
}

static PyObject *plain_call(PyObject *callable, PyObject *const *args, size_t nargsf,
                            PyObject *kwnames)
{
    if (PyVectorcall_NARGS(nargsf) != 1 || kwnames || !PyList_CheckExact(args[0]))
        return PyErr_Format(PyExc_TypeError, "a step takes the list of values");
    if (!((Plain *)callable)->kernel)
        return PyErr_Format(PyExc_ReferenceError, "this step has been cleared away");
    Py_INCREF(callable);
    int status = run_plain((Plain *)callable, args[0]);
    Py_DECREF(callable);
    if (status < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ the loop */
static int run_step(PyObject *step, PyObject *values)
{
    PyObject *run = SLOT(step, off_run);
    int status = -1;
    if (!run) {
        PyErr_SetString(PyExc_AttributeError, "run");
        return -1;
    }
    Py_INCREF(run);
    if (Py_TYPE(run) == &PlainType && ((Plain *)run)->kernel)
        status = run_plain((Plain *)run, values);
    else {
        PyObject *done = PyObject_CallOneArg(run, values);
        if (done) {
            Py_DECREF(done);
            status = 0;
        }
    }
    Py_DECREF(run);
    if (status < 0)
        return -1;
    PyObject *frees = SLOT(step, off_frees);
    if (!frees || !PyTuple_CheckExact(frees))
        return 0;
    Py_INCREF(frees);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(frees) && !status; i++)
        status = put(values, PyTuple_GET_ITEM(frees, i), Py_None);
    Py_DECREF(frees);
    return status;
}

/* What failed: (step, exception); NULL if it is none that the interpreter words. */
static PyObject *failure(PyObject *step)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception))
        return NULL;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace)
        PyException_SetTraceback(value, trace);
    PyObject *found = PyTuple_Pack(2, step, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return found;
}

static PyObject *run_steps(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n != 2 || !StepClass || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]))
        return PyErr_Format(PyExc_TypeError, "run_steps takes two lists, after its setup");
    PyObject *steps = args[0];
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(steps); i++) {
        PyObject *step = PyList_GET_ITEM(steps, i);
        if (Py_TYPE(step) != StepClass)
            return PyErr_Format(PyExc_TypeError, "run_steps takes Steps");
        Py_INCREF(step);
#ifdef CAN_MARK
        Mark mark;
        int told = marking;
        if (told)
            begin_mark(&mark);
#endif
        int status = run_step(step, args[1]);
#ifdef CAN_MARK
        if (told)
            end_mark(&mark, step, 0);
#endif
        if (!status && (i & LOOK_UP) == LOOK_UP) { /* signals, and other threads */
            PyObject *done = PyObject_CallNoArgs(breather);
            status = done ? 0 : -1;
            Py_XDECREF(done);
        }
        PyObject *failed = status < 0 ? failure(step) : NULL;
        Py_DECREF(step);
        if (status < 0)
            return failed;
    }
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ the type */
static int plain_traverse(Plain *self, visitproc visit, void *arg)
{
    Py_VISIT(self->kernel);
    Py_VISIT(self->ins);
    Py_VISIT(self->outs);
    Py_VISIT(self->readers);
    Py_VISIT(self->check);
    Py_VISIT(self->quick);
    return 0;
}

static int plain_clear(Plain *self)
{
    Py_CLEAR(self->kernel); /* the others are read only where this is */
    Py_CLEAR(self->readers);
    Py_CLEAR(self->check);
    Py_CLEAR(self->quick);
    return 0;
}

static void plain_dealloc(Plain *self)
{
    PyObject_GC_UnTrack(self);
    plain_clear(self);
    Py_XDECREF(self->ins);
    Py_XDECREF(self->outs);
    Py_TYPE(self)->tp_free(self);
}

static Plain *new_plain(PyObject *kernel, PyObject *ins, PyObject *outs, PyObject *check,
                        PyObject *quick)
{
    Plain *self = (Plain *)PlainType.tp_alloc(&PlainType, 0);
    if (self) {
        self->vectorcall = plain_call;
        self->kernel = Py_NewRef(kernel);
        self->ins = Py_NewRef(ins);
        self->outs = Py_NewRef(outs);
        self->check = check == Py_None ? NULL : Py_XNewRef(check);
        self->quick = quick == Py_None ? NULL : Py_XNewRef(quick);
    }
    return self;
}

static PyObject *plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *kernel, *ins, *outs, *check, *quick = NULL;
    if (!PyArg_ParseTuple(args, "OO!OO|O", &kernel, &PyTuple_Type, &ins, &outs, &check,
                          &quick))
        return NULL;
    if (PyTuple_GET_SIZE(ins) > MOST_ARGS)
        return PyErr_Format(PyExc_ValueError, "at most %d inputs", MOST_ARGS);
    return (PyObject *)new_plain(kernel, ins, outs, check, quick);
}

static PyObject *plain_after(Plain *self, PyObject *readers)
{
    if (!PyTuple_CheckExact(readers) || self->readers || !self->kernel)
        return PyErr_Format(PyExc_TypeError, "after takes a tuple, once");
    Plain *made = new_plain(self->kernel, self->ins, self->outs, self->check, self->quick);
    if (made)
        made->readers = Py_NewRef(readers);
    return (PyObject *)made;
}

static PyMethodDef plain_methods[] = {
    {"after", (PyCFunction)plain_after, METH_O, "The same after reading variables."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject PlainType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "twinflow.base._fast.Plain",
    .tp_basicsize = sizeof(Plain),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Plain, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = plain_new,
    .tp_traverse = (traverseproc)plain_traverse,
    .tp_clear = (inquiry)plain_clear,
    .tp_dealloc = (destructor)plain_dealloc,
    .tp_methods = plain_methods,
};

/* ------------------------------------------------------------------ module */
static int know_cells(PyTypeObject *cell)
{
    if ((off_array = slot_offset(cell, "_array")) < 0 ||
        (off_device = slot_offset(cell, "device_value")) < 0)
        return -1;
    Py_XSETREF(CellClass, (PyTypeObject *)Py_NewRef((PyObject *)cell));
    return 0;
}

static PyObject *setup_cells(PyObject *module, PyObject *cell)
{
    if (!PyType_Check(cell))
        return PyErr_Format(PyExc_TypeError, "setup_cells takes a class");
    if (know_cells((PyTypeObject *)cell) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* setup_steps(Step, Reader, Cell, a Python function that does nothing) */
static PyObject *setup_steps(PyObject *module, PyObject *args)
{
    PyTypeObject *step, *reader, *cell;
    PyObject *nothing;
    if (!PyArg_ParseTuple(args, "O!O!O!O", &PyType_Type, &step, &PyType_Type, &reader,
                          &PyType_Type, &cell, &nothing))
        return NULL;
    if ((off_run = slot_offset(step, "run")) < 0 ||
        (off_frees = slot_offset(step, "frees")) < 0 ||
        (off_cell = slot_offset(reader, "cell")) < 0 ||
        (off_slot = slot_offset(reader, "slot")) < 0 ||
        know_cells(cell) < 0)
        return NULL;
    Py_XSETREF(breather, Py_NewRef(nothing));
    Py_XSETREF(ReaderClass, (PyTypeObject *)Py_NewRef((PyObject *)reader));
    Py_XSETREF(StepClass, (PyTypeObject *)Py_NewRef((PyObject *)step));
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"setup_steps", setup_steps, METH_VARARGS, "Hand over the classes of steps."},
    {"setup_cells", setup_cells, METH_O, "Hand over the class of cells."},
    {"run_steps", (PyCFunction)(void (*)(void))run_steps, METH_FASTCALL,
     "Run steps in order."},
    {NULL, NULL, 0, NULL},
};

int add_steps(PyObject *module)
{
    s_shape = PyUnicode_InternFromString("shape");
    if (!s_shape || PyType_Ready(&PlainType) < 0 ||
        PyModule_AddFunctions(module, functions) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Plain", (PyObject *)&PlainType);
}
