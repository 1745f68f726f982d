/* The loop of autodiff/backprop.py for plain records: one output, eager, inputs that are
 * single tensors. Part of fast.c; every other record goes to the Python function.
 */
/* Add `dx` to what has arrived for `id`: by `add` for tensors, else by `total`. */
static int accumulate(PyObject *grads, PyObject *id, PyObject *dx, PyObject *add,
                      PyObject *total)
{
    PyObject *old = PyDict_GetItemWithError(grads, id);
    if (!old)
        return PyErr_Occurred() ? -1 : PyDict_SetItem(grads, id, dx);
    int dense = Py_TYPE(old) == EagerTensor && Py_TYPE(dx) == EagerTensor;
    Py_INCREF(old);
    PyObject *sum = PyObject_CallFunctionObjArgs(dense ? add : total, old, dx, NULL);
    Py_DECREF(old);
    int status = sum ? PyDict_SetItem(grads, id, sum) : -1;
    Py_XDECREF(sum);
    return status;
}

/* One plain record: one output, eager. Returns 0, -1 on error, 1 if it is not plain. */
static int one_record(PyObject *record, PyObject *grads, PyObject *wanted,
                      PyObject *reached, PyObject *late, PyObject *add,
                      PyObject *total)
{
    PyObject *ids = PyTuple_GET_ITEM(record, 1), *out = PyTuple_GET_ITEM(record, 2);
    PyObject *kept = PyTuple_GET_ITEM(record, 3);
    if (!PyLong_CheckExact(out) || (PyObject *)Py_TYPE(kept) == late)
        return 1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ids); i++)
        if (!PyLong_CheckExact(PyTuple_GET_ITEM(ids, i)))
            return 1;
    PyObject *dy = PyDict_GetItemWithError(grads, out);
    if (!dy)
        return PyErr_Occurred() ? -1 : 0;
    if (Py_TYPE(dy) != EagerTensor)
        return 1; /* sparse: see total in backprop.py */
    Py_INCREF(dy);
    int status = PySet_Contains(wanted, out);
    if (status > 0)
        status = PyDict_SetItem(reached, out, dy);
    if (status >= 0)
        status = PyDict_DelItem(grads, out);
    PyObject *dxs = NULL;
    if (status >= 0)
        dxs = PyObject_CallFunctionObjArgs(
            PyTuple_GET_ITEM(PyTuple_GET_ITEM(record, 0), 3), kept,
            PyTuple_GET_ITEM(record, 4), dy, NULL);
    Py_DECREF(dy);
    if (!dxs)
        return -1;
    PyObject *fast = PySequence_Fast(dxs, "a gradient rule must give a sequence");
    Py_DECREF(dxs);
    if (!fast)
        return -1;
    status = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ids) && !status; i++) {
        if (i >= PySequence_Fast_GET_SIZE(fast))
            break;
        PyObject *dx = Py_NewRef(PySequence_Fast_GET_ITEM(fast, i));
        if (dx != Py_None)
            status = accumulate(grads, PyTuple_GET_ITEM(ids, i), dx, add, total);
        Py_DECREF(dx);
    }
    Py_DECREF(fast);
    return status;
}

static PyObject *walk_back(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 8 || !PyList_Check(args[0]) || !PyDict_Check(args[1]) ||
        !PySet_Check(args[2]) || !PyDict_Check(args[3])) {
        PyErr_SetString(PyExc_TypeError,
                        "walk_back takes a list, a dict, a set, a dict and 4 callables");
        return NULL;
    }
    PyObject *records = args[0], *grads = args[1], *wanted = args[2], *reached = args[3];
    PyObject *late = args[4], *add = args[5], *total = args[6], *other = args[7];
    Py_ssize_t n;
    while ((n = PyList_GET_SIZE(records)) > 0) {
        PyObject *record = Py_NewRef(PyList_GET_ITEM(records, n - 1));
        if (PyList_SetSlice(records, n - 1, n, NULL) < 0) {
            Py_DECREF(record);
            return NULL;
        }
        int status = -1;
        int plain = PyTuple_CheckExact(record) && PyTuple_GET_SIZE(record) == 5 &&
                    PyTuple_Check(PyTuple_GET_ITEM(record, 0)) &&
                    PyTuple_GET_SIZE(PyTuple_GET_ITEM(record, 0)) > 3 &&
                    PyTuple_CheckExact(PyTuple_GET_ITEM(record, 1));
        status = plain ? one_record(record, grads, wanted, reached, late, add, total) : 1;
        if (status == 1) {
            PyObject *done = PyObject_CallFunctionObjArgs(other, grads, wanted, reached,
                                                          record, NULL);
            status = done ? 0 : -1;
            Py_XDECREF(done);
        }
        Py_DECREF(record);
        if (status < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}
