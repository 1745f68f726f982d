#define PY_SSIZE_T_CLEAN
#include "kernels.h"

PyMethodDef loop_methods[] = {{NULL, NULL, 0, NULL}};

int add_loops(PyObject *module) { return 0; }
