/* The steps of the interpreter: see steps.c. */
#ifndef STEPS_H
#define STEPS_H
#include <Python.h>

extern PyTypeObject *CellClass; /* NULL before setup_cells or setup_steps */
extern Py_ssize_t off_array, off_device; /* of it: `_array` and `device_value` */

int add_steps(PyObject *module);
#endif
