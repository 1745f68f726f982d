/* NumPy's arrays without NumPy's headers: their first members, which its C interface has
 * kept since 1.0. `know_arrays` looks at an array of a known shape; where that is not
 * what these members say, arrays are asked for their attributes.
 */
typedef struct {
    PyObject_HEAD
    char *data;
    int nd;
    Py_ssize_t *shape, *strides;
} Array;

static PyTypeObject *Ndarray; /* NULL: these members are not known */

/* `sample` is an array of shape (3, 5). */
static void know_arrays(PyObject *sample)
{
    const Array *a = (const Array *)sample;
    if (Py_TYPE(sample)->tp_basicsize < (Py_ssize_t)sizeof(Array) || a->nd != 2 ||
        !a->shape || a->shape[0] != 3 || a->shape[1] != 5)
        return;
    Py_XSETREF(Ndarray, (PyTypeObject *)Py_NewRef((PyObject *)Py_TYPE(sample)));
}

static const Array *as_array(PyObject *x)
{
    return Py_TYPE(x) == Ndarray ? (const Array *)x : NULL;
}

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

/* Whether two arrays have one shape; 0 as well where that is not known. */
static int alike(PyObject *x, PyObject *y)
{
    const Array *a = as_array(x), *b = as_array(y);
    if (!a || !b || a->nd != b->nd)
        return 0;
    for (int i = 0; i < a->nd; i++)
        if (a->shape[i] != b->shape[i])
            return 0;
    return 1;
}
