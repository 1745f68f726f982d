/* Plans of kernels in pieces: found by base/pieces.py, checked and kept here. */
#include "plans.h"
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "array.h"
#include <stdlib.h>
#include <string.h>

#define LOOPS "vectors.h"
#include "each_width.h"
#define LOOPS "pieces_loops.h"
#include "each_width.h"

/* The first members of a ufunc, which NumPy's C interface has kept since 1.0. */
typedef struct {
    PyObject_HEAD
    int nin, nout, nargs, identity;
    Loop **functions;
    void *const *data;
    int ntypes, unused;
    const char *name, *types;
} Ufunc;

static int find_loop(Step *step, PyObject *ufunc, const int *types, int n)
{
    const Ufunc *u = (const Ufunc *)ufunc;
    if (u->nin != n - 1 || u->nout != 1 || u->nargs != n)
        return 0;
    for (int i = 0; i < u->ntypes; i++) {
        int same = u->functions[i] != NULL;
        for (int k = 0; k < n && same; k++)
            same = u->types[i * n + k] == types[k];
        if (same) {
            step->loop = u->functions[i];
            step->data = u->data ? u->data[i] : NULL;
            return 1;
        }
    }
    return 0;
}

static int find_own_loop(Step *step, const char *name)
{
    const OwnLoop *own = FOR_WIDTH(own_loops);
    for (int i = 0; own[i].name; i++)
        if (!strcmp(own[i].name, name)) {
            step->loop = own[i].loop;
            step->data = NULL;
            step->own = 1;
            return 1;
        }
    return 0;
}

/* A step from (ufunc or name, numbers of dtypes, registers); 0: there is none such. */
static int make_step(Plan *plan, Step *step, PyObject *given)
{
    PyObject *loop, *types, *registers;
    int numbers[MOST_ARGUMENTS + 1];
    if (!PyArg_ParseTuple(given, "OO!O!", &loop, &PyTuple_Type, &types, &PyTuple_Type,
                          &registers))
        return 0;
    int n = (int)PyTuple_GET_SIZE(registers);
    if (n < 2 || n > MOST_ARGUMENTS + 1 || n != PyTuple_GET_SIZE(types))
        return 0;
    step->count = n - 1;
    for (int i = 0; i < n; i++) {
        long at = PyLong_AsLong(PyTuple_GET_ITEM(registers, i));
        numbers[i] = (int)PyLong_AsLong(PyTuple_GET_ITEM(types, i));
        if (at < 0 || at >= plan->registers || PyErr_Occurred())
            return 0;
        *(i < n - 1 ? &step->from[i] : &step->to) = (int)at;
    }
    if (step->to < plan->inputs + plan->constants)
        return 0;
    if (PyUnicode_Check(loop)) {
        const char *name = PyUnicode_AsUTF8(loop);
        return name && find_own_loop(step, name);
    }
    return find_loop(step, loop, numbers, n);
}

/* Fill a plan; 0: some of it is not as it should be. */
static int fill_plan(Plan *plan, PyObject *sizes, PyObject *constants, PyObject *steps)
{
    for (int i = 0; i < plan->registers; i++) {
        long size = PyLong_AsLong(PyTuple_GET_ITEM(sizes, i));
        if (size < 1 || size > 16)
            return 0;
        plan->size[i] = (int)size;
    }
    for (int i = 0; i < plan->constants; i++) {
        const Array *a = as_array(PyTuple_GET_ITEM(constants, i));
        int size = plan->size[plan->inputs + i];
        if (!a || a->nd != 1 || a->shape[0] != PIECE || a->strides[0] != size)
            return 0;
        plan->constant[i] = a->data;
    }
    plan->held = Py_NewRef(constants);
    for (int i = 0; i < plan->count; i++)
        if (!make_step(plan, &plan->steps[i], PyTuple_GET_ITEM(steps, i)))
            return 0;
    return 1;
}

/* The plan that the planner makes for dtypes: what is not one leaves it to the function.
 * NULL with an error. */
static Plan *new_plan(Pieces *self, const int *types)
{
    PyObject *numbers = PyTuple_New(self->count);
    for (int i = 0; numbers && i < self->count; i++)
        PyTuple_SET_ITEM(numbers, i, PyLong_FromLong(types[i]));
    PyObject *made = NULL, *sizes, *constants, *steps;
    if (numbers)
        made = PyObject_CallFunctionObjArgs(self->planner, self->function, numbers, NULL);
    Py_XDECREF(numbers);
    if (!made)
        return NULL;
    int result = -1;
    long long cost = 1, least = 0;
    Py_ssize_t count = 0;
    if (made != Py_None &&
        !PyArg_ParseTuple(made, "iLLO!O!O!", &result, &least, &cost, &PyTuple_Type,
                          &sizes, &PyTuple_Type, &constants, &PyTuple_Type, &steps)) {
        Py_DECREF(made);
        return NULL;
    }
    count = result < 0 ? 0 : PyTuple_GET_SIZE(steps);
    Plan *plan = calloc(1, sizeof(Plan) + count * sizeof(Step));
    if (!plan) {
        Py_DECREF(made);
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(plan->types, types, self->count * sizeof(int));
    plan->result = result;
    if (result >= 0) {
        plan->inputs = self->count;
        plan->constants = (int)PyTuple_GET_SIZE(constants);
        plan->registers = (int)PyTuple_GET_SIZE(sizes);
        plan->count = (int)count;
        plan->least = least;
        plan->cost = cost < 1 ? 1 : cost > 64 ? 64 : cost;
        int room = plan->registers <= MOST_REGISTERS && count > 0 &&
                   plan->inputs + plan->constants < plan->registers;
        if (!room || !fill_plan(plan, sizes, constants, steps))
            plan->result = -1;
    }
    Py_DECREF(made);
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) {
        Py_CLEAR(plan->held);
        free(plan);
        return NULL;
    }
    PyErr_Clear();
    plan->next = self->plans;
    self->plans = plan;
    return plan;
}

const Plan *plan_for(Pieces *self, const int *types)
{
    for (Plan *p = self->plans; p; p = p->next)
        if (!memcmp(p->types, types, self->count * sizeof(int)))
            return p;
    return new_plan(self, types);
}

void free_plans(Pieces *self)
{
    for (Plan *p = self->plans; p;) {
        Plan *next = p->next;
        Py_XDECREF(p->held);
        free(p);
        p = next;
    }
    self->plans = NULL;
}
#endif
