/* A step of an optimizer for a list of variables in one pass: ops/variables/training_lists.py.
 *
 * A value that its cell alone holds is replaced where it lies; of others new arrays are
 * made, so nobody's array is written to. Each operation is rounded by itself, as NumPy's
 * are: no product may be joined with a sum. Denormals become zeros, as XLA's do.
 */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "flush.h"
#include "kernels.h"
#include "pool.h"
#include "slots.h"
#include "steps.h"
#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32) && defined(__GNUC__)
#include "uncontracted.h"
#define LOOPS "updates_loops.h"
#include "each_width.h"

#define SHARED 65536 /* elements for which other threads are called */
#define PIECE 16384  /* elements of a part */
#define MOST_IN_PLACE (1 << 24) /* elements: some milliseconds without the GIL's others */

static const int states_of[RULES] = {1, 2, 2, 3};

typedef struct {
    int rule, number, count, in_place;
    double numbers[4];
    Target *targets;
} Updates;

static void update_run(const Updates *u, const Target *t, int64_t at, int64_t n)
{
    uint64_t before = begin_flush(); /* slots of what has no gradient decay to denormals */
    if (u->number == DOUBLE_NUMBER)
        FOR_WIDTH(update_double)(u->rule, u->numbers, t, at, n);
    else
        FOR_WIDTH(update_float)(u->rule, u->numbers, t, at, n);
    end_flush(before);
}

static void update_part(void *work, int part, int slot)
{
    const Updates *u = work;
    int low = 0, high = u->count;
    while (high - low > 1) { /* the last whose first part is not behind this one */
        int middle = (low + high) / 2;
        if (u->targets[middle].first <= part)
            low = middle;
        else
            high = middle;
    }
    const Target *t = &u->targets[low];
    int64_t at = (int64_t)(part - t->first) * PIECE, left = t->count - at;
    update_run(u, t, at, left < PIECE ? left : PIECE);
}

/* What lies in place is done with the GIL held, so that nobody reads it half done. */
static void update_targets(Updates *u)
{
    int64_t elements = 0, parts = 0;
    for (int i = 0; i < u->count; i++) {
        u->targets[i].first = (int)parts;
        elements += u->targets[i].count;
        parts += (u->targets[i].count + PIECE - 1) / PIECE;
    }
    if (elements < SHARED || parts > INT32_MAX) {
        for (int i = 0; i < u->count; i++)
            update_run(u, &u->targets[i], 0, u->targets[i].count);
    } else if (u->in_place) {
        run_parts(update_part, u, (int)parts, threads_now());
    } else {
        int threads = threads_now();
        Py_BEGIN_ALLOW_THREADS
        run_parts(update_part, u, (int)parts, threads);
        Py_END_ALLOW_THREADS
    }
}

/* ------------------------------------------------------------------ arguments */
/* The array of a Cell if it is like the gradient and lies in one piece; or NULL. */
static PyObject *value_of(PyObject *cell, PyObject *gradient, int number)
{
    if (!CellClass || Py_TYPE(cell) != CellClass)
        return NULL;
    PyObject *value = SLOT(cell, off_array);
    const Array *a = value ? as_array(value) : NULL;
    int fits = a && number_of(a) == number && (a->flags & C_ORDER) && alike(value, gradient);
    return fits ? value : NULL;
}

/* Whether the cell alone has this array, and it has its memory alone. */
static int is_own(PyObject *cell, PyObject *value, int64_t count)
{
    const Array *a = as_array(value);
    int all = OWNED | WRITEABLE;
    return Py_REFCNT(value) == 1 && !a->base && (a->flags & all) == all &&
           SLOT(cell, off_device) == Py_None && count <= MOST_IN_PLACE;
}

/* Fill a target: where its values are, and new arrays for those that others have too, in
 * `made`. 0: it is none for here; -1: an error. */
static int take_target(Updates *u, PyObject *const *cells, PyObject *gradient,
                       PyObject **made)
{
    const Array *grad = as_array(gradient);
    PyObject *old[3];
    if (!grad || number_of(grad) != u->number || !(grad->flags & C_ORDER))
        return 0;
    for (int k = 0; k < states_of[u->rule]; k++)
        if (!(old[k] = value_of(cells[k], gradient, u->number)))
            return 0;
    Target *t = &u->targets[u->count];
    *t = (Target){.grad = grad->data, .count = elements_of(grad)};
    for (int k = 0; k < states_of[u->rule]; k++) {
        int own = is_own(cells[k], old[k], t->count);
        made[k] = own ? old[k] : new_array(grad->nd, grad->shape, u->number, 0);
        if (!made[k])
            return -1;
        t->old[k] = as_array(old[k])->data;
        t->made[k] = as_array(made[k])->data;
        if (own) {
            u->in_place = 1;
            made[k] = NULL;
        }
    }
    u->count++;
    return 1;
}

/* Put new arrays into their cells. */
static void replace(PyObject *cells, PyObject **made)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(cells); i++)
        if (made[i]) {
            PyObject *cell = PyTuple_GET_ITEM(cells, i);
            PyObject *array = made[i];
            made[i] = NULL;
            Py_XSETREF(SLOT(cell, off_array), array);
            Py_XSETREF(SLOT(cell, off_device), Py_NewRef(Py_None));
        }
}

/* Update what can be; `done` becomes a list of whether each was. */
static PyObject *update_all(Updates *u, PyObject *cells, PyObject *grads, PyObject **room)
{
    Py_ssize_t n = PyTuple_GET_SIZE(grads), states = states_of[u->rule];
    PyObject *done = PyList_New(n), **made = room, **held = room + n * states;
    for (Py_ssize_t i = 0; done && i < n; i++) {
        PyObject *const *own = &PyTuple_GET_ITEM(cells, i * states);
        int status = take_target(u, own, PyTuple_GET_ITEM(grads, i), made + i * states);
        for (Py_ssize_t k = 0; k < states && status > 0; k++)
            if (made[i * states + k])
                held[i * states + k] = Py_NewRef(SLOT(own[k], off_array));
        PyList_SET_ITEM(done, i, Py_NewRef(status > 0 ? Py_True : Py_False));
        if (status < 0)
            Py_CLEAR(done);
    }
    if (done) {
        update_targets(u);
        replace(cells, made);
    }
    for (Py_ssize_t i = 0; i < 2 * n * states; i++)
        Py_XDECREF(room[i]);
    return done;
}

/* updated(rule, 4 numbers, Cells of each variable and its slots, gradients) */
static PyObject *updated(PyObject *module, PyObject *args)
{
    Updates u = {.count = 0};
    PyObject *cells, *grads, *found = NULL;
    double *n = u.numbers;
    if (!PyArg_ParseTuple(args, "i(dddd)O!O!", &u.rule, n, n + 1, n + 2, n + 3,
                          &PyTuple_Type, &cells, &PyTuple_Type, &grads))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(grads), of = PyTuple_GET_SIZE(cells);
    if (u.rule < 0 || u.rule >= RULES || of != count * states_of[u.rule])
        return wrong_sizes("updated");
    if (count && can_make_arrays() && as_array(PyTuple_GET_ITEM(grads, 0)))
        u.number = number_of(as_array(PyTuple_GET_ITEM(grads, 0)));
    if (u.number != FLOAT_NUMBER && u.number != DOUBLE_NUMBER)
        Py_RETURN_NONE;
    char *room = calloc(1, count * sizeof(Target) + 2 * of * sizeof(PyObject *));
    if (!room)
        return PyErr_NoMemory();
    u.targets = (Target *)room;
    found = update_all(&u, cells, grads, (PyObject **)(room + count * sizeof(Target)));
    free(room);
    return found;
}

PyMethodDef update_methods[] = {
    {"updated", updated, METH_VARARGS, "The variables and slots after a step."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef update_methods[] = {{NULL, NULL, 0, NULL}};
#endif
