/* NumPy's arrays without NumPy's headers: their first members, which its C interface has
 * kept since 1.0. `know_arrays` looks at an array of a known shape; where that is not
 * what these members say, arrays are asked for their attributes.
 */
#ifndef ARRAY_H
#define ARRAY_H
#include <Python.h>
#include <stdint.h>

typedef struct {
    PyObject_HEAD
    PyTypeObject *scalars;
    char kind, letter, order, unused;
    int number; /* of the dtype, as in `dtype.num` */
} Descr;

typedef struct {
    PyObject_HEAD
    char *data;
    int nd;
    Py_ssize_t *shape, *strides;
    PyObject *base;
    Descr *descr;
    int flags;
} Array;

enum { C_ORDER = 1, FORTRAN_ORDER = 2, OWNED = 4, ALIGNED = 0x100, WRITEABLE = 0x400 };
enum { BOOL_NUMBER = 0, INT32_NUMBER = 5, FLOAT_NUMBER = 11, DOUBLE_NUMBER = 12 };
enum { INT64_NUMBER = sizeof(long) == 8 ? 7 : 9 }; /* C's long or long long */

extern PyTypeObject *Ndarray; /* NULL: these members are not known */

/* `sample` is an array of shape (3, 5). */
void know_arrays(PyObject *sample);

static inline const Array *as_array(PyObject *x)
{
    return Py_TYPE(x) == Ndarray ? (const Array *)x : NULL;
}

/* Whether two arrays have one shape; 0 as well where that is not known. */
static inline int alike(PyObject *x, PyObject *y)
{
    const Array *a = as_array(x), *b = as_array(y);
    if (!a || !b || a->nd != b->nd)
        return 0;
    for (int i = 0; i < a->nd; i++)
        if (a->shape[i] != b->shape[i])
            return 0;
    return 1;
}

static inline int64_t elements_of(const Array *a)
{
    int64_t n = 1;
    for (int i = 0; i < a->nd; i++)
        n *= a->shape[i];
    return n;
}

/* The number of its dtype where loops can read it as it lies, else -1. */
int number_of(const Array *a);

/* Open `count` C-contiguous arrays of float32, the last of them to be written. 0: with an
 * error, and none is open. */
int open_floats(PyObject *const *arrays, int count, Py_buffer *views);
void close_floats(int count, Py_buffer *views);

/* A new array with its own memory, or NULL with an error; `flags`: FORTRAN_ORDER or 0.
 * Only where `can_make_arrays`. */
PyObject *new_array(int nd, const Py_ssize_t *shape, int number, int flags);
int can_make_arrays(void);

/* Another shape of an array in C order with as many elements, in the same memory. Only
 * where `can_make_arrays`, and number_of the array is not -1. */
PyObject *seen_as(PyObject *x, int nd, const Py_ssize_t *shape);
#endif
