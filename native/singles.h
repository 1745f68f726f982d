/* float(a) and int(a) of arrays with one element, and bool(a) of empty ones, which
NumPy took before 2.4 and 2.2; a[[slice, slice]], which meant a[slice, slice] until 1.23.

`take_singles(type, yes)` changes how numbers are made of arrays of a type for the whole
process: `twinflow run` asks for it, and '%f' % a is the same thing. What NumPy takes it
makes as before; where it refuses an array of one element, its element is asked. */

static unaryfunc float_before, int_before;
static inquiry bool_before;
static binaryfunc part_before;
static objobjargproc put_before;

static PyObject *of_the_element(PyObject *a, unaryfunc make, unaryfunc before) {
    PyObject *found = before(a);
    if (found != NULL || !PyErr_ExceptionMatches(PyExc_TypeError))
        return found;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *size = PyObject_GetAttrString(a, "size");
    if (size != NULL && PyLong_AsLong(size) == 1) {
        PyObject *element = PyObject_CallMethod(a, "item", NULL);
        if (element != NULL && !PyObject_TypeCheck(element, Py_TYPE(a)))
            found = make(element);
        Py_XDECREF(element);
    }
    Py_XDECREF(size);
    if (found == NULL && !PyErr_Occurred()) {
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return found;
}

static PyObject *float_of_one(PyObject *a) {
    return of_the_element(a, PyNumber_Float, float_before);
}

static PyObject *int_of_one(PyObject *a) {
    return of_the_element(a, PyNumber_Long, int_before);
}

/* As it was before, but false where there is no element. */
static int bool_of_none(PyObject *a) {
    int found = bool_before(a);
    if (found >= 0 || !PyErr_ExceptionMatches(PyExc_ValueError))
        return found;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *size = PyObject_GetAttrString(a, "size");
    if (size != NULL && PyLong_AsLong(size) == 0)
        found = 0;
    Py_XDECREF(size);
    PyErr_Clear();
    if (found < 0) {
        PyErr_Restore(type, value, traceback);
        return found;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return found;
}

/* A list with slices, `...` or None as the tuple that it stood for; NULL for others. */
static PyObject *several(PyObject *key) {
    if (!PyList_CheckExact(key) || !PyErr_ExceptionMatches(PyExc_IndexError))
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(key); i++) {
        PyObject *one = PyList_GET_ITEM(key, i);
        if (PySlice_Check(one) || one == Py_Ellipsis || one == Py_None) {
            PyErr_Clear();
            return PyList_AsTuple(key);
        }
    }
    return NULL;
}

static PyObject *part_of_several(PyObject *a, PyObject *key) {
    PyObject *found = part_before(a, key);
    PyObject *keys = found == NULL ? several(key) : NULL;
    if (keys != NULL) {
        found = part_before(a, keys);
        Py_DECREF(keys);
    }
    return found;
}

static int put_at_several(PyObject *a, PyObject *key, PyObject *value) {
    int done = put_before(a, key, value);
    PyObject *keys = done < 0 ? several(key) : NULL;
    if (keys != NULL) {
        done = put_before(a, keys, value);
        Py_DECREF(keys);
    }
    return done;
}

static PyObject *take_singles(PyObject *module, PyObject *args) {
    PyTypeObject *type;
    int yes;
    if (!PyArg_ParseTuple(args, "O!p", &PyType_Type, &type, &yes))
        return NULL;
    PyNumberMethods *made = type->tp_as_number;
    PyMappingMethods *parts = type->tp_as_mapping;
    if (parts == NULL || made == NULL || made->nb_float == NULL || made->nb_int == NULL ||
        made->nb_bool == NULL) {
        PyErr_SetString(PyExc_TypeError, "numbers are not made of this type");
        return NULL;
    }
    if (yes && made->nb_float != float_of_one) {
        float_before = made->nb_float;
        int_before = made->nb_int;
        bool_before = made->nb_bool;
        part_before = parts->mp_subscript;
        put_before = parts->mp_ass_subscript;
        made->nb_float = float_of_one;
        made->nb_int = int_of_one;
        made->nb_bool = bool_of_none;
        parts->mp_subscript = part_of_several;
        parts->mp_ass_subscript = put_at_several;
    } else if (!yes && made->nb_float == float_of_one) {
        made->nb_float = float_before;
        made->nb_int = int_before;
        made->nb_bool = bool_before;
        parts->mp_subscript = part_before;
        parts->mp_ass_subscript = put_before;
    }
    Py_RETURN_NONE;
}
