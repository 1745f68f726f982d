/* Elementwise kernels in pieces.
 *
 * Pieces(function, planner, count) is called as `function`, a NumPy kernel of `count`
 * arrays. Large arrays go through the steps that `planner` has found in the function for
 * their dtypes (base/pieces.py): each step is an inner loop of a NumPy ufunc, or one of
 * pieces_loops.h. A piece goes through all steps before the next one does, and so what
 * lies between the steps stays in the L1 cache; threads share out the pieces.
 */
#define PY_SSIZE_T_CLEAN
#include "loops.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "plans.h"
#include "pool.h"
#include "walks.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const Plan *plan;
    Walk inputs[MOST_INPUTS];
    char *out, *scratch; /* scratch: filled pieces of single elements, then threads' */
    int64_t count, piece, part, room, filled;
    int threads;
} Task;

static void do_part(void *work, int part, int slot)
{
    const Task *t = work;
    const Plan *p = t->plan;
    char *scratch = t->scratch + t->filled + slot * t->room, *registers[MOST_REGISTERS];
    int64_t first = part * t->part, last = first + t->part;
    last = last < t->count ? last : t->count;
    int result = p->registers - 1, between = p->inputs + p->constants;
    for (int i = 0; i < p->constants; i++)
        registers[p->inputs + i] = (char *)p->constant[i];
    for (int64_t at = first; at < last; at += t->piece) {
        Py_ssize_t n = last - at < t->piece ? last - at : t->piece;
        char *room = scratch;
        for (int i = 0; i < p->inputs; i++) {
            const Walk *w = &t->inputs[i];
            if (w->one)
                registers[i] = t->scratch + i * PIECE * 16;
            else {
                registers[i] = (char *)elements(w, at, n, room);
                room += w->whole ? 0 : PIECE * w->item;
            }
        }
        for (int i = between; i < result; i++, room += PIECE * 16)
            registers[i] = room;
        registers[result] = t->out + at * p->size[result];
        for (int i = 0; i < p->count; i++) {
            const Step *s = &p->steps[i];
            char *arrays[MOST_ARGUMENTS + 1];
            Py_ssize_t strides[MOST_ARGUMENTS + 1];
            for (int k = 0; k < s->count; k++) {
                arrays[k] = registers[s->from[k]];
                strides[k] = p->size[s->from[k]];
            }
            arrays[s->count] = registers[s->to];
            strides[s->count] = p->size[s->to];
            s->loop(arrays, &n, strides, s->data);
        }
    }
}

/* Whether a single loop can take parts as they lie. */
static int is_direct(const Task *t)
{
    if (t->plan->count != 1 || t->plan->constants)
        return 0;
    for (int i = 0; i < t->plan->inputs; i++)
        if (!t->inputs[i].whole)
            return 0;
    return 1;
}

/* Elements in a piece: a row where one repeats itself, so that it is read as it lies. */
static int64_t piece_of(const Task *t)
{
    for (int i = 0; i < t->plan->inputs; i++) {
        const Walk *w = &t->inputs[i];
        if (w->nd == 2 && w->strides[0] == 0 && w->strides[1] == w->item &&
            w->shape[1] >= PIECE / 4 && w->shape[1] <= PIECE)
            return w->shape[1];
    }
    return PIECE;
}

static int run_task(Task *t)
{
    const Plan *p = t->plan;
    int between = p->registers - 1 - p->inputs - p->constants;
    int64_t piece = piece_of(t);
    t->part = (PART / p->cost + piece - 1) / piece * piece;
    t->piece = is_direct(t) ? t->part : piece;
    int64_t parts = (t->count + t->part - 1) / t->part;
    if (parts > INT32_MAX)
        return 0;
    t->threads = t->count * p->cost < SHARED ? 1 : threads_now();
    t->threads = t->threads < parts ? t->threads : (int)parts;
    t->room = (int64_t)(p->inputs + between) * PIECE * 16;
    t->filled = (int64_t)p->inputs * PIECE * 16;
    char *memory = NULL;
    if (!is_direct(t)) {
        memory = malloc(t->filled + t->threads * t->room + 64);
        if (!memory)
            return 0;
        t->scratch = memory + (64 - (uintptr_t)memory % 64) % 64;
        for (int i = 0; i < p->inputs; i++)
            if (t->inputs[i].one)
                copy_run(t->scratch + i * PIECE * 16, t->inputs[i].data, PIECE, 0,
                         p->size[i]);
    }
    if (parts == 1)
        do_part(t, 0, 0);
    else
        run_parts(do_part, t, (int)parts, t->threads);
    free(memory);
    return 1;
}

/* The shape and order of a result. */
typedef struct {
    int nd, backwards;
    Py_ssize_t shape[MOST_AXES];
} Form;

/* Whether arrays are for here: `t` and the form of their result. */
static int plan_task(Pieces *self, PyObject *const *args, Py_ssize_t n, Task *t, Form *f)
{
    const Array *in[MOST_INPUTS];
    int64_t most = 0;
    if (n != self->count)
        return 0;
    for (int i = 0; i < n; i++) {
        if (!(in[i] = as_array(args[i])))
            return 0;
        int64_t size = elements_of(in[i]);
        most = size > most ? size : most;
    }
    if (most < self->least || !self->planner || !can_make_arrays())
        return 0;
    int types[MOST_INPUTS];
    for (int i = 0; i < n; i++)
        if ((types[i] = number_of(in[i])) < 0)
            return 0;
    const Plan *plan = plan_for(self, types);
    if (!plan || plan->result < 0 || !broadcast(in, (int)n, &f->nd, f->shape))
        return 0;
    t->plan = plan;
    t->count = 1;
    for (int k = 0; k < f->nd; k++)
        t->count *= f->shape[k];
    if (t->count < plan->least || t->count < 1)
        return 0;
    f->backwards = lie_backwards(in, (int)n, f->nd);
    for (int i = 0; i < n; i++)
        walk_along(&t->inputs[i], in[i], f->nd, f->shape, f->backwards, plan->size[i]);
    return 1;
}

static int run_unlocked(Task *t)
{
    int done;
    if (t->count * t->plan->cost < SHORT)
        return run_task(t);
    Py_BEGIN_ALLOW_THREADS
    done = run_task(t);
    Py_END_ALLOW_THREADS
    return done;
}

PyObject *in_pieces(PyObject *pieces, PyObject *const *args, Py_ssize_t n)
{
    Task t = {.plan = NULL};
    Form f;
    if (!plan_task((Pieces *)pieces, args, n, &t, &f))
        return NULL;
    PyObject *out = new_array(f.nd, f.shape, t.plan->result,
                              f.backwards ? FORTRAN_ORDER : 0);
    if (!out)
        return NULL;
    t.out = as_array(out)->data;
    if (!run_unlocked(&t))
        Py_CLEAR(out);
    return out;
}

int into_first(PyObject *pieces, PyObject *const *args, Py_ssize_t n)
{
    Task t = {.plan = NULL};
    Form f;
    if (!plan_task((Pieces *)pieces, args, n, &t, &f))
        return PyErr_Occurred() ? -1 : 0;
    const Array *out = as_array(args[0]);
    if (out->nd != f.nd || elements_of(out) != t.count || f.backwards ||
        number_of(out) != t.plan->result || !(out->flags & C_ORDER) ||
        !(out->flags & WRITEABLE))
        return 0;
    t.out = out->data;
    return run_unlocked(&t);
}

static PyObject *pieces_call(PyObject *callable, PyObject *const *args, size_t nargsf,
                             PyObject *kwnames)
{
    Pieces *self = (Pieces *)callable;
    if (!kwnames) {
        Py_ssize_t n = PyVectorcall_NARGS(nargsf);
        PyObject *out = in_pieces(callable, args, n);
        if (!out && !PyErr_Occurred())
            out = in_one_piece(self, args, n);
        if (out || PyErr_Occurred())
            return out;
    }
    if (!self->function) {
        PyErr_SetString(PyExc_ReferenceError, "this kernel has been cleared away");
        return NULL;
    }
    return PyObject_Vectorcall(self->function, args, nargsf, kwnames);
}

/* ------------------------------------------------------------------ the type */
static int pieces_traverse(Pieces *self, visitproc visit, void *arg)
{
    Py_VISIT(self->function);
    Py_VISIT(self->planner);
    return 0;
}

static int pieces_clear(Pieces *self)
{
    Py_CLEAR(self->function);
    Py_CLEAR(self->planner);
    return 0;
}

static void pieces_dealloc(Pieces *self)
{
    PyObject_GC_UnTrack(self);
    pieces_clear(self);
    free_plans(self);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *pieces_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *function, *planner;
    int count;
    long long least;
    if (!PyArg_ParseTuple(args, "OOiL", &function, &planner, &count, &least))
        return NULL;
    if (count < 1 || count > MOST_INPUTS)
        return PyErr_Format(PyExc_ValueError, "a Pieces takes 1 to %d arrays, not %d",
                            MOST_INPUTS, count);
    Pieces *self = (Pieces *)type->tp_alloc(type, 0);
    if (self) {
        self->vectorcall = pieces_call;
        self->function = Py_NewRef(function);
        self->planner = Py_NewRef(planner);
        self->count = count;
        self->least = least;
    }
    return (PyObject *)self;
}

static PyObject *pieces_wrapped(Pieces *self, void *unused)
{
    return Py_NewRef(self->function ? self->function : Py_None);
}

static PyGetSetDef pieces_getset[] = {
    {"__wrapped__", (getter)pieces_wrapped, NULL, "The function.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject PiecesType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "twinflow.base._fast.Pieces",
    .tp_basicsize = sizeof(Pieces),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Pieces, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_new = pieces_new,
    .tp_traverse = (traverseproc)pieces_traverse,
    .tp_clear = (inquiry)pieces_clear,
    .tp_dealloc = (destructor)pieces_dealloc,
    .tp_getset = pieces_getset,
};

int is_pieces(PyObject *object) { return Py_TYPE(object) == &PiecesType; }

int add_loops(PyObject *module)
{
    if (PyType_Ready(&PiecesType) < 0 ||
        PyModule_AddIntConstant(module, "PIECE", PIECE) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Pieces", (PyObject *)&PiecesType);
}
#else
PyObject *in_pieces(PyObject *pieces, PyObject *const *args, Py_ssize_t n) { return NULL; }
int into_first(PyObject *pieces, PyObject *const *args, Py_ssize_t n) { return 0; }
int is_pieces(PyObject *object) { return 0; }
int add_loops(PyObject *module) { return 0; }
#endif
PyMethodDef loop_methods[] = {{NULL, NULL, 0, NULL}};
