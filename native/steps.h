/* The steps of the interpreter: see steps.c. */
#ifndef STEPS_H
#define STEPS_H
#include <Python.h>

int add_steps(PyObject *module);
#endif
