/* What a plain call leaves on the tapes: base/tape_record.py in C. Part of fast.c. */

static PyObject *find_vjp(Fast *self, long mask)
{
    PyObject *key = PyLong_FromLong(mask);
    if (!key)
        return NULL;
    PyObject *known = Py_XNewRef(PyDict_GetItemWithError(self->vjps, key));
    if (!known && !PyErr_Occurred())
        known = PyObject_CallFunctionObjArgs(self->vjp, self->op, key, NULL);
    Py_DECREF(key);
    return known;
}

static PyObject *kept_value(long code, PyObject *const *ins, Py_ssize_t n,
                            PyObject *out)
{
    if (code % 8 == 1)
        return Py_NewRef(out);
    PyObject *x = code >= 0 && code / 8 < n ? ins[code / 8] : NULL;
    if (x && code % 8 == 0)
        return Py_NewRef(x);
    if (!x || Py_TYPE(x) != EagerTensor) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_SystemError, "a gradient rule keeps what is not there");
        return NULL;
    }
    if (code % 8 == 2)
        return PyObject_GetAttr(SLOT(x, off_a), s_shape);
    return Py_NewRef(SLOT(x, off_dtype));
}

/* What a record keeps: Vjp.codes says which inputs, outputs, shapes and dtypes. */
static PyObject *kept_values(PyObject *v, PyObject *const *ins, Py_ssize_t n,
                             PyObject *out)
{
    PyObject *codes = PyTuple_GET_ITEM(v, 6);
    if (codes == Py_None) {
        PyObject *all = n == 2 ? PyTuple_Pack(2, ins[0], ins[1]) : PyTuple_Pack(1, ins[0]);
        PyObject *outs = PyTuple_Pack(1, out), *kept = NULL;
        if (all && outs)
            kept = PyObject_CallFunctionObjArgs(PyTuple_GET_ITEM(v, 1), all, outs, NULL);
        Py_XDECREF(all);
        Py_XDECREF(outs);
        return kept;
    }
    Py_ssize_t size = PyTuple_GET_SIZE(codes);
    PyObject *kept = PyTuple_New(size);
    for (Py_ssize_t i = 0; kept && i < size; i++) {
        long code = PyLong_AsLong(PyTuple_GET_ITEM(codes, i));
        PyObject *item = kept_value(code, ins, n, out);
        if (!item)
            Py_CLEAR(kept);
        else
            PyTuple_SET_ITEM(kept, i, item);
    }
    return kept;
}

static int append(PyObject *tape, PyObject *record)
{
    PyObject *records = PyObject_GetAttr(tape, s_records);
    if (!records)
        return -1;
    int status = -1;
    if (PyList_CheckExact(records))
        status = PyList_Append(records, record);
    else {
        PyObject *done = PyObject_CallMethodOneArg(records, s_append, record);
        status = done ? 0 : -1;
        Py_XDECREF(done);
    }
    Py_DECREF(records);
    return status;
}

/* The id of the result, owned; it gets one with its first record. */
static PyObject *id_of(PyObject *out)
{
    if (SLOT(out, off_id) == zero) {
        PyObject *id = PyObject_CallNoArgs(next_id);
        if (!id)
            return NULL;
        Py_SETREF(SLOT(out, off_id), id);
    }
    return Py_NewRef(SLOT(out, off_id));
}

/* `v`, a Vjp, is that of the inputs in `mask`; `ids` are all inputs'. */
static PyObject *make_record(Fast *self, PyObject *v, long mask, PyObject *const *ids,
                             PyObject *const *ins, Py_ssize_t n, PyObject *out,
                             PyObject *oid)
{
    PyObject *kept = kept_values(v, ins, n, out), *record = NULL;
    PyObject *wanted = mask == 3 ? PyTuple_Pack(2, ids[0], ids[1])
                                 : PyTuple_Pack(1, ids[mask == 2]);
    if (kept && wanted)
        record = PyTuple_Pack(5, v, wanted, oid, kept, self->attrs);
    Py_XDECREF(kept);
    Py_XDECREF(wanted);
    return record;
}

static int tell_tape(Fast *self, PyObject *tape, PyObject *const *ids,
                     PyObject *const *ins, Py_ssize_t n, PyObject *out)
{
    PyObject *watched = PyObject_GetAttr(tape, s_watched);
    PyObject *v = NULL, *oid = NULL, *record = NULL;
    long mask = 0;
    int status = watched ? 0 : -1;
    for (int i = 0; status >= 0 && i < 2; i++) {
        status = ids[i] ? PySet_Contains(watched, ids[i]) : 0;
        mask |= (long)(status > 0) << i;
    }
    mask &= self->mask;
    if (status >= 0 && mask) {
        v = find_vjp(self, mask);
        oid = v ? id_of(out) : NULL;
        record = oid ? make_record(self, v, mask, ids, ins, n, out, oid) : NULL;
        status = record ? PySet_Add(watched, oid) : -1;
        status = status < 0 ? -1 : append(tape, record);
    }
    Py_XDECREF(watched);
    Py_XDECREF(v);
    Py_XDECREF(oid);
    Py_XDECREF(record);
    return status < 0 ? -1 : 0;
}

/* Tell the tapes of a call. A number becomes a tensor here: nobody else has this one. */
static int tell_tapes(Fast *self, PyObject *tapes, Operands *o, Py_ssize_t n,
                      PyObject *out)
{
    PyObject *ids[2] = {NULL, NULL};
    int status = 0;
    for (int i = 0; i < n; i++) {
        if (!o->tensors[i])
            o->tensors[i] = new_tensor(Py_NewRef(o->arrays[i + 1]), o->dtype);
        if (o->tensors[i])
            ids[i] = Py_NewRef(SLOT(o->tensors[i], off_id));
        else
            status = -1;
    }
    Py_ssize_t ins = self->axes ? 2 : n;
    for (Py_ssize_t i = 0; !status && i < PyTuple_GET_SIZE(tapes); i++)
        status = tell_tape(self, PyTuple_GET_ITEM(tapes, i), ids, o->tensors, ins, out);
    Py_XDECREF(ids[0]);
    Py_XDECREF(ids[1]);
    return status;
}
