/* The loop of autodiff/backprop.py. Part of fast.c. Records of one output, eager, are
 * opened here, others by the Python function; what their rules give is added up here.
 *
 * Sums are written in place: Note [Sums in place] in autodiff.backprop. The references
 * counted are those of this file alone, which owns what it counts, so that the borrowed
 * references of an interpreter's stack do not matter.
 */
enum { LARGE_SUM = 1 << 14 }; /* elements */

/* What a walk works with, borrowed from its caller. `sum`: a Pieces that adds, or else;
 * the other callables are those of autodiff/backprop.py. */
typedef struct {
    PyObject *records, *grads, *wanted, *reached, *late, *onto, *sum, *add, *total, *open,
        *add_list, *lay_out;
} Way;

/* The array of a tensor that only `held` references know of, while no tape looks on; else
 * NULL, with an error where one occurred. */
static PyObject *array_of_ours(PyObject *t, Py_ssize_t held)
{
#ifdef Py_GIL_DISABLED
    return NULL; /* its counts are split */
#else
    if (Py_TYPE(t) != EagerTensor || Py_REFCNT(t) != held || !SLOT(t, off_a))
        return NULL;
    const Array *a = as_array(SLOT(t, off_a));
    if (!a || Py_REFCNT(a) != 1 || a->base || !(a->flags & OWNED) ||
        !(a->flags & WRITEABLE) || !(a->flags & C_ORDER))
        return NULL;
    if (!EagerTensor->tp_weaklistoffset || *PyObject_GET_WEAKREFS_LISTPTR(t) ||
        SLOT(t, off_id) != zero)
        return NULL;
    if (number_of(a) < 0 || elements_of(a) < LARGE_SUM)
        return NULL;
    PyObject *tapes;
    int quiet = active_tapes(&tapes) > 0 && !tapes;
    Py_XDECREF(tapes);
    return quiet ? (PyObject *)a : NULL;
#endif
}

/* Add `x` to `to`, a tensor held by `held` references. 1: done, 0: not for here. */
static int add_in_place(const Way *way, PyObject *to, Py_ssize_t held, PyObject *x)
{
    PyObject *pair[] = {array_of_ours(to, held), NULL};
    if (!pair[0] || !is_pieces(way->sum) || SLOT(to, off_dtype) != SLOT(x, off_dtype))
        return PyErr_Occurred() ? -1 : 0;
    pair[1] = SLOT(x, off_a);
    if (!pair[1] || !alike(pair[0], pair[1]))
        return 0;
    return into_first(way->sum, pair, 2);
}

/* Add a gradient that is still to be computed to `old`, or compute it: *dx is a tensor
 * then. 1: it is in `old`. */
static int compute_onto(PyObject *old, PyObject **dx)
{
    PyObject *array = old ? Py_XNewRef(array_of_ours(old, 1)) : NULL;
    if (PyErr_Occurred())
        return -1;
    if (!array)
        array = Py_NewRef(old && Py_TYPE(old) != EagerTensor ? old : Py_None);
    PyObject *made = PyObject_CallOneArg(*dx, array);
    Py_DECREF(array);
    if (!made)
        return -1;
    int added = made == Py_True;
    Py_SETREF(*dx, made);
    return added;
}

/* Add *dx, of which `held` references are known, to what has arrived for `id`. */
static int accumulate(const Way *way, PyObject *id, PyObject **dx, Py_ssize_t held)
{
    PyObject *old = PyDict_GetItemWithError(way->grads, id);
    if (!old && PyErr_Occurred())
        return -1;
    if ((PyObject *)Py_TYPE(*dx) == way->onto) {
        int added = compute_onto(old, dx);
        if (added)
            return added < 0 ? -1 : 0;
        held = 1;
        old = PyDict_GetItemWithError(way->grads, id); /* Python code has run */
    }
    if (!old)
        return PyErr_Occurred() ? -1 : PyDict_SetItem(way->grads, id, *dx);
    int dense = Py_TYPE(old) == EagerTensor && Py_TYPE(*dx) == EagerTensor;
    int done = dense ? add_in_place(way, old, 1, *dx) : 0;
    if (done)
        return done < 0 ? -1 : 0;
    done = dense ? add_in_place(way, *dx, held, old) : 0;
    if (done)
        return done < 0 ? -1 : PyDict_SetItem(way->grads, id, *dx);
    Py_INCREF(old);
    PyObject *sum =
        PyObject_CallFunctionObjArgs(dense ? way->add : way->total, old, *dx, NULL);
    Py_DECREF(old);
    int status = sum ? PyDict_SetItem(way->grads, id, sum) : -1;
    Py_XDECREF(sum);
    return status;
}

/* Add up what the rule `back` gives for the inputs `ids`; *dy is let go. */
static int share(const Way *way, PyObject *ids, PyObject *back, PyObject *kept,
                 PyObject *attrs, PyObject **dy)
{
    PyObject *dxs = PyObject_CallFunctionObjArgs(back, kept, attrs, *dy, NULL);
    Py_CLEAR(*dy);
    if (!dxs)
        return -1;
    PyObject *fast = PySequence_Fast(dxs, "a gradient rule must give a sequence");
    Py_DECREF(dxs);
    if (!fast)
        return -1;
    Py_ssize_t held = Py_REFCNT(fast) == 1 ? 2 : -1; /* its reference, and ours */
    int status = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ids) && status >= 0; i++) {
        if (i >= PySequence_Fast_GET_SIZE(fast))
            break;
        PyObject *id = PyTuple_GET_ITEM(ids, i);
        PyObject *dx = Py_NewRef(PySequence_Fast_GET_ITEM(fast, i));
        if (dx != Py_None && PyLong_CheckExact(id))
            status = accumulate(way, id, &dx, held);
        else if (dx != Py_None) {
            PyObject *done =
                PyObject_CallFunctionObjArgs(way->add_list, way->grads, id, dx, NULL);
            status = done ? 0 : -1;
            Py_XDECREF(done);
        }
        Py_DECREF(dx);
    }
    Py_DECREF(fast);
    return status;
}

/* Lay out a gradient that repeats itself, unless the rule takes it as it is. */
static int laid_out(const Way *way, PyObject *v, PyObject **dy)
{
    PyObject *array = SLOT(*dy, off_a);
    const Array *a = array ? as_array(array) : NULL;
    if (!a || a->flags & WRITEABLE || elements_of(a) < LARGE_SUM)
        return 0;
    PyObject *made = PyObject_CallFunctionObjArgs(way->lay_out, v, *dy, NULL);
    if (!made)
        return -1;
    Py_SETREF(*dy, made);
    return 0;
}

/* One plain record: one output, eager. Returns 0, -1 on error, 1 if it is not plain. */
static int one_record(const Way *way, PyObject *record)
{
    PyObject *ids = PyTuple_GET_ITEM(record, 1), *out = PyTuple_GET_ITEM(record, 2);
    PyObject *kept = PyTuple_GET_ITEM(record, 3), *v = PyTuple_GET_ITEM(record, 0);
    if (!PyLong_CheckExact(out) || (PyObject *)Py_TYPE(kept) == way->late)
        return 1;
    PyObject *dy = PyDict_GetItemWithError(way->grads, out);
    if (!dy)
        return PyErr_Occurred() ? -1 : 0;
    if (Py_TYPE(dy) != EagerTensor)
        return 1; /* sparse: see total in backprop.py */
    Py_INCREF(dy);
    int status = PySet_Contains(way->wanted, out);
    if (status > 0)
        status = PyDict_SetItem(way->reached, out, dy);
    if (status >= 0)
        status = PyDict_DelItem(way->grads, out);
    if (status >= 0)
        status = laid_out(way, v, &dy);
    if (status >= 0)
        status = share(way, ids, PyTuple_GET_ITEM(v, 3), kept,
                       PyTuple_GET_ITEM(record, 4), &dy);
    Py_XDECREF(dy);
    return status;
}

/* Any other record: the Python function gives (vjp, ids, kept, attrs, dy), or None. */
static int other_record(const Way *way, PyObject *record)
{
    PyObject *opened = PyObject_CallFunctionObjArgs(way->open, way->grads, way->wanted,
                                                    way->reached, record, NULL);
    if (!opened || opened == Py_None) {
        Py_XDECREF(opened);
        return opened ? 0 : -1;
    }
    PyObject *v, *ids, *kept, *attrs, *dy, *back;
    int status = -1;
    if (!PyTuple_Check(opened))
        PyErr_SetString(PyExc_TypeError, "an opened record is a tuple");
    else if (PyArg_ParseTuple(opened, "OO!OOO", &v, &PyTuple_Type, &ids, &kept, &attrs,
                              &dy) &&
             (back = PyObject_GetAttrString(v, "back"))) {
        Py_INCREF(dy);
        status = share(way, ids, back, kept, attrs, &dy);
        Py_DECREF(back);
    }
    Py_DECREF(opened);
    return status;
}

static PyObject *walk_back(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 5 || !PyList_Check(args[0]) || !PyDict_Check(args[1]) ||
        !PySet_Check(args[2]) || !PyDict_Check(args[3]) || !PyTuple_Check(args[4]) ||
        PyTuple_GET_SIZE(args[4]) != 8) {
        PyErr_SetString(PyExc_TypeError,
                        "walk_back takes a list, a dict, a set, a dict and a tuple of 8");
        return NULL;
    }
    PyObject *const *how = &PyTuple_GET_ITEM(args[4], 0);
    const Way way = {args[0], args[1], args[2], args[3], how[0], how[1],
                     how[2],  how[3],  how[4],  how[5],  how[6], how[7]};
    Py_ssize_t n;
    while ((n = PyList_GET_SIZE(way.records)) > 0) {
        PyObject *record = Py_NewRef(PyList_GET_ITEM(way.records, n - 1));
        if (PyList_SetSlice(way.records, n - 1, n, NULL) < 0) {
            Py_DECREF(record);
            return NULL;
        }
        PyObject *v = NULL;
        int plain = PyTuple_CheckExact(record) && PyTuple_GET_SIZE(record) == 5;
        if (plain) {
            v = PyTuple_GET_ITEM(record, 0);
            plain = PyTuple_Check(v) && PyTuple_GET_SIZE(v) > 3 &&
                    PyTuple_CheckExact(PyTuple_GET_ITEM(record, 1));
        }
        int status = plain ? one_record(&way, record) : 1;
        if (status == 1)
            status = other_record(&way, record);
        Py_DECREF(record);
        if (status < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}
