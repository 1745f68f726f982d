/* Where a class keeps what its __slots__ name. */
#ifndef SLOTS_H
#define SLOTS_H
#include <Python.h>
#include <structmember.h>

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

/* The offset of a slot; -1 with an error where the class has none of that name. */
static inline Py_ssize_t slot_offset(PyTypeObject *type, const char *name)
{
    PyObject *descr = PyObject_GetAttrString((PyObject *)type, name);
    Py_ssize_t offset = -1;
    if (descr && Py_TYPE(descr) == &PyMemberDescr_Type)
        offset = ((PyMemberDescrObject *)descr)->d_member->offset;
    else if (descr)
        PyErr_Format(PyExc_TypeError, "%s is not a slot", name);
    Py_XDECREF(descr);
    return offset;
}
#endif
