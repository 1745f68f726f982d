/* How arrays of some dtypes are computed: what base/pieces.py has found in a kernel. */
#ifndef PLANS_H
#define PLANS_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* An inner loop of a NumPy ufunc, or one of pieces_loops.h. */
typedef void Loop(char **arrays, const Py_ssize_t *count, const Py_ssize_t *strides,
                  void *data);

enum { MOST_INPUTS = 4, MOST_REGISTERS = 64, MOST_ARGUMENTS = 3 };
#define PIECE 2048         /* elements */
#define SHORT (1 << 14)    /* of work, for which the GIL is kept */
#define PART (1 << 16)     /* of work: elements times cost */
#define SHARED (1 << 18)   /* of work, from which on threads share it */

typedef struct {
    Loop *loop;
    void *data;
    int own; /* a loop of pieces_loops.h, which looks at no strides */
    int count, from[MOST_ARGUMENTS], to; /* registers */
} Step;

/* How arrays of some dtypes are computed. The registers are the inputs, the constants,
 * what lies between the steps, and last the result. */
typedef struct Plan {
    struct Plan *next;
    int types[MOST_INPUTS], result; /* numbers of dtypes; -1: the function does it */
    int inputs, constants, registers, count;
    int64_t least; /* elements: smaller arrays are for the function */
    int size[MOST_REGISTERS]; /* of an element, in bytes */
    int64_t cost;             /* of an element */
    PyObject *held;           /* the arrays of constants */
    const char *constant[MOST_REGISTERS];
    Step steps[];
} Plan;

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function, *planner;
    int count;
    int64_t least; /* elements for which a plan is looked for */
    Plan *plans;
} Pieces;

/* The plan of a Pieces for dtypes, made at need; NULL with an error. A plan whose result
 * is -1 leaves all to the function. */
const Plan *plan_for(Pieces *self, const int *types);

void free_plans(Pieces *self);

/* The result of a Pieces for small arrays, as NumPy's loops are called without the way to
 * them; or NULL: without an error it is for the function. */
PyObject *in_one_piece(Pieces *self, PyObject *const *args, Py_ssize_t n);
#endif
