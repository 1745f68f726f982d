/* Elementwise kernels in pieces: see loops.c. */
#ifndef LOOPS_H
#define LOOPS_H
#include <Python.h>

/* The result of a Pieces for arrays, or NULL: without an error it is for the function. */
PyObject *in_pieces(PyObject *pieces, PyObject *const *args, Py_ssize_t n);

/* As in_pieces, the result in the place of the first array: 1. 0: it does not fit there.
 * -1: an error. The arrays are the same or share no memory. */
int into_first(PyObject *pieces, PyObject *const *args, Py_ssize_t n);

int is_pieces(PyObject *object);
#endif
