/* The type of Fast: what Python asks of every object and of a function. */
static int fast_traverse(Fast *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dict);
    Py_VISIT(self->python);
    Py_VISIT(self->kernel);
    Py_VISIT(self->pieces);
    Py_VISIT(self->result);
    Py_VISIT(self->op);
    Py_VISIT(self->attrs);
    Py_VISIT(self->vjps);
    Py_VISIT(self->vjp);
    Py_VISIT(self->types);
    Py_VISIT(self->axes);
    return 0;
}

static int fast_clear(Fast *self)
{
    Py_CLEAR(self->dict);
    Py_CLEAR(self->python);
    Py_CLEAR(self->kernel);
    Py_CLEAR(self->pieces);
    Py_CLEAR(self->result);
    Py_CLEAR(self->op);
    Py_CLEAR(self->attrs);
    Py_CLEAR(self->vjps);
    Py_CLEAR(self->vjp);
    Py_CLEAR(self->types);
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
    PyObject *python, *kernel, *pieces, *types, *result, *op, *vjp, *attrs, *vjps, *axes;
    int count, form;
    long mask;
    if (!PyArg_ParseTuple(args, "OOOiO!OiOOO!OlO", &python, &kernel, &pieces, &count,
                          &PyTuple_Type, &types, &result, &form, &op, &attrs,
                          &PyDict_Type, &vjps, &vjp, &mask, &axes))
        return NULL;
    if (count < 1 || count > 2) {
        PyErr_SetString(PyExc_ValueError, "a Fast takes one or two operands");
        return NULL;
    }
    Fast *self = (Fast *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->vectorcall = fast_call;
    self->dict = PyDict_New();
    self->python = Py_NewRef(python);
    self->kernel = Py_NewRef(kernel);
    self->pieces = is_pieces(pieces) ? Py_NewRef(pieces) : NULL;
    self->types = Py_NewRef(types);
    self->result = result == Py_None ? NULL : Py_NewRef(result);
    self->op = Py_NewRef(op);
    self->attrs = Py_NewRef(attrs);
    self->vjps = Py_NewRef(vjps);
    self->vjp = Py_NewRef(vjp);
    self->axes = PyTuple_CheckExact(axes) ? Py_NewRef(axes) : NULL;
    self->count = count;
    self->mask = mask;
    self->form = form;
    if (!self->dict)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static PyObject *fast_repr(Fast *self)
{
    return PyObject_Repr(self->python ? self->python : Py_None);
}

static PyObject *fast_reduce(Fast *self, PyObject *unused)
{
    return PyObject_GetAttrString((PyObject *)self, "__qualname__");
}

static PyMethodDef fast_methods[] = {
    {"__reduce__", (PyCFunction)fast_reduce, METH_NOARGS, "Pickled by name."},
    {NULL, NULL, 0, NULL},
};

static PyObject *fast_of_python(Fast *self, void *name)
{
    return PyObject_GetAttrString(self->python ? self->python : Py_None, name);
}

static PyObject *fast_signature(Fast *self, void *unused)
{
    PyObject *inspect = PyImport_ImportModule("inspect");
    if (!inspect)
        return NULL;
    PyObject *found = PyObject_CallMethod(inspect, "signature", "O",
                                          self->python ? self->python : Py_None);
    Py_DECREF(inspect);
    return found;
}

#define OF_PYTHON(name) {name, (getter)fast_of_python, NULL, NULL, name}

static PyGetSetDef fast_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"__signature__", (getter)fast_signature, NULL, NULL, NULL},
    OF_PYTHON("__code__"),
    OF_PYTHON("__defaults__"),
    OF_PYTHON("__kwdefaults__"),
    OF_PYTHON("__globals__"),
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
