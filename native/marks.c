/* Exact times of ops while a profile is taken (Note [Profiling] in profiling/hooks.py).
 *
 * start_marks(is_internal): count from now on; is_internal(file) tells files of the house.
 * stop_marks(). take_marks(): [(what, code, lasti, domain, runs, own ns, ns)] since the
 * last time; `own` is without the marks inside. marked(what, domain, function, *args):
 * the call, marked. Kernel: a function that computes, marked where no op is around it.
 * time_in_marks(thread): ns that a thread has spent in marks until now.
 *
 * All of it happens under the GIL; a mark is of one thread.
 */
#define PY_SSIZE_T_CLEAN
#include "marks.h"
#ifdef CAN_MARK
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = 256, MOST_FRAMES = 64, FILES = 1 << 12 };

int marking = 0;

typedef struct {
    unsigned long ident;
    int64_t done, since, inside; /* since: when its outermost mark began */
    int depth, domain;
} Thread;

typedef struct {
    PyObject *what, *code; /* owned; code: NULL for none */
    int lasti, domain;
    int64_t runs, own, all;
} Row;

static Thread threads[MOST_THREADS];
static int thread_count;
static __thread Thread *here;
static Row *rows;
static size_t room, taken;
static PyObject *is_internal;
static struct {
    PyObject *code; /* owned */
    int internal;
} known[FILES];

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static Thread *this_thread(void)
{
    unsigned long ident = PyThread_get_thread_ident();
    if (here && here->ident == ident)
        return here;
    for (int i = 0; i < thread_count; i++)
        if (threads[i].ident == ident)
            return here = &threads[i];
    here = &threads[thread_count < MOST_THREADS ? thread_count++ : MOST_THREADS - 1];
    *here = (Thread){.ident = ident};
    return here;
}

void begin_mark(Mark *mark)
{
    Thread *t = this_thread();
    mark->outer = t->inside;
    t->inside = 0;
    mark->start = now();
    if (t->depth++ == 0)
        t->since = mark->start;
}

/* ------------------------------------------------------------------ lines */
static int in_house(PyObject *code)
{
    size_t at = ((uintptr_t)code >> 5) % FILES;
    if (known[at].code == code)
        return known[at].internal;
    PyObject *name = ((PyCodeObject *)code)->co_filename;
    PyObject *said = PyObject_CallOneArg(is_internal, name);
    int internal = said ? PyObject_IsTrue(said) : 0;
    Py_XDECREF(said);
    PyErr_Clear();
    Py_XSETREF(known[at].code, Py_NewRef(code));
    known[at].internal = internal;
    return internal;
}

/* The innermost frame of the user's program: its code, owned, or NULL. */
static PyObject *user_line(int *lasti)
{
    PyFrameObject *frame = (PyFrameObject *)Py_XNewRef((PyObject *)PyEval_GetFrame());
    for (int i = 0; frame && i < MOST_FRAMES; i++) {
        PyObject *code = (PyObject *)PyFrame_GetCode(frame);
        if (!in_house(code)) {
            *lasti = PyFrame_GetLasti(frame);
            Py_DECREF(frame);
            return code;
        }
        Py_DECREF(code);
        Py_SETREF(frame, PyFrame_GetBack(frame));
    }
    Py_XDECREF(frame);
    return NULL;
}

/* ------------------------------------------------------------------ the table */
static Row *place_of(Row *in, size_t size, PyObject *what, PyObject *code, int lasti,
                     int domain)
{
    size_t hash = ((uintptr_t)what >> 4) * 31 + ((uintptr_t)code >> 4) * 17 +
                  (size_t)lasti * 7 + domain;
    for (size_t i = hash % size;; i = (i + 1) % size) {
        Row *row = &in[i];
        if (!row->what || (row->what == what && row->code == code &&
                           row->lasti == lasti && row->domain == domain))
            return row;
    }
}

static int make_room(void)
{
    if (taken * 2 < room)
        return 1;
    size_t size = room ? room * 2 : 1 << 12;
    Row *larger = calloc(size, sizeof *larger);
    if (!larger)
        return 0;
    for (size_t i = 0; i < room; i++)
        if (rows[i].what)
            *place_of(larger, size, rows[i].what, rows[i].code, rows[i].lasti,
                      rows[i].domain) = rows[i];
    free(rows);
    rows = larger;
    room = size;
    return 1;
}

void end_mark(const Mark *mark, PyObject *what, int placed)
{
    Thread *t = this_thread();
    int64_t spent = now() - mark->start, own = spent - t->inside;
    t->inside = mark->outer + spent;
    if (t->depth > 0 && --t->depth == 0) {
        t->done += spent;
        t->inside = 0;
    }
    if (!marking || !is_internal || !make_room())
        return;
    PyObject *type, *value, *trace, *code = NULL;
    int lasti = 0;
    PyErr_Fetch(&type, &value, &trace);
    if (placed)
        code = user_line(&lasti);
    Row *row = place_of(rows, room, what, code, lasti, t->domain);
    if (!row->what) {
        *row = (Row){Py_NewRef(what), Py_XNewRef(code), lasti, t->domain, 0, 0, 0};
        taken++;
    }
    row->runs++;
    row->own += own;
    row->all += spent;
    Py_XDECREF(code);
    PyErr_Restore(type, value, trace);
}

/* ------------------------------------------------------------------ for Python */
static PyObject *start_marks(PyObject *module, PyObject *internal)
{
    Py_XSETREF(is_internal, Py_NewRef(internal));
    for (int i = 0; i < thread_count; i++)
        threads[i].done = threads[i].inside = threads[i].depth = 0;
    marking = 1;
    Py_RETURN_NONE;
}

static PyObject *stop_marks(PyObject *module, PyObject *unused)
{
    marking = 0;
    Py_RETURN_NONE;
}

static PyObject *take_marks(PyObject *module, PyObject *unused)
{
    PyObject *found = PyList_New(0);
    Row *old = rows;
    size_t size = room;
    rows = NULL;
    room = taken = 0;
    for (size_t i = 0; i < size; i++) {
        Row *row = &old[i];
        if (!row->what)
            continue;
        PyObject *one =
            found ? Py_BuildValue("(OOiiLLL)", row->what, row->code ? row->code : Py_None,
                                  row->lasti, row->domain, (long long)row->runs,
                                  (long long)row->own, (long long)row->all)
                  : NULL;
        if (found && (!one || PyList_Append(found, one) < 0))
            Py_CLEAR(found);
        Py_XDECREF(one);
        Py_DECREF(row->what);
        Py_XDECREF(row->code);
    }
    free(old);
    return found;
}

static PyObject *marked(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n < 3)
        return PyErr_Format(PyExc_TypeError, "marked takes what, a domain, a function");
    long domain = PyLong_AsLong(args[1]);
    if (domain == -1 && PyErr_Occurred())
        return NULL;
    Thread *t = this_thread();
    int outer = t->domain;
    Mark mark;
    if (!outer)
        t->domain = (int)domain;
    begin_mark(&mark);
    PyObject *found = PyObject_Vectorcall(args[2], args + 3, n - 3, NULL);
    end_mark(&mark, args[0], 1);
    this_thread()->domain = outer;
    return found;
}

static PyObject *time_in_marks(PyObject *module, PyObject *ident)
{
    unsigned long wanted = PyLong_AsUnsignedLong(ident);
    if (wanted == (unsigned long)-1 && PyErr_Occurred())
        return NULL;
    int64_t found = 0;
    for (int i = 0; i < thread_count; i++)
        if (threads[i].ident == wanted)
            found = threads[i].done + (threads[i].depth ? now() - threads[i].since : 0);
    return PyLong_FromLongLong(found);
}

/* ------------------------------------------------------------------ kernels alone */
/* A function of this module that computes: where no mark is around it, as on the way back
 * of an eager op, it is marked itself. */
typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function;
} Kernel;

static PyObject *call_kernel(PyObject *self, PyObject *const *args, size_t n, PyObject *names)
{
    PyObject *function = ((Kernel *)self)->function;
    if (!marking || this_thread()->depth > 0)
        return PyObject_Vectorcall(function, args, n, names);
    Mark mark;
    begin_mark(&mark);
    PyObject *found = PyObject_Vectorcall(function, args, n, names);
    end_mark(&mark, self, 1);
    return found;
}

static void free_kernel(PyObject *self)
{
    Py_XDECREF(((Kernel *)self)->function);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *attribute_of_kernel(PyObject *self, PyObject *name)
{
    return PyObject_GetAttr(((Kernel *)self)->function, name);
}

static PyObject *kernel_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<kernel %R>", ((Kernel *)self)->function);
}

static PyTypeObject KernelType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "twinflow.base._fast.Kernel",
    .tp_basicsize = sizeof(Kernel),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Kernel, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_dealloc = free_kernel,
    .tp_getattro = attribute_of_kernel,
    .tp_repr = kernel_repr,
    .tp_doc = "A function of this module that computes.",
};

static const char *const kernels[] = {
    "add_reduce", "add_rows", "back", "band", "bells", "border", "chosen", "convolve",
    "cross_entropy", "dot_alone", "draw", "exchanged", "fmax_reduce", "fmin_reduce",
    "fourier", "groups", "in_top", "join", "lstm_step", "lstm_step_back", "lstm_walk",
    "lstm_walk_back", "matrices", "moments", "normal_rows", "normal_rows_back",
    "one_hot", "places", "product", "product_both", "product_of_batches", "product_ta",
    "product_tb", "ranged", "relocate", "resize_linear", "running_sum", "scaled", "scaled_rows", "slopes", "softmax", "sum_rows",
    "take_rows", "take_singles", "top", "updated", "windows",
};

static int count_kernels(PyObject *module)
{
    if (PyType_Ready(&KernelType) < 0 ||
        PyModule_AddObjectRef(module, "Kernel", (PyObject *)&KernelType) < 0)
        return -1;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        PyObject *function = PyObject_GetAttrString(module, kernels[i]);
        Kernel *made = function ? PyObject_New(Kernel, &KernelType) : NULL;
        if (!made) {
            Py_XDECREF(function);
            return -1;
        }
        made->vectorcall = call_kernel;
        made->function = function;
        int failed = PyObject_SetAttrString(module, kernels[i], (PyObject *)made);
        Py_DECREF(made);
        if (failed)
            return -1;
    }
    return 0;
}

static PyMethodDef functions[] = {
    {"start_marks", start_marks, METH_O, "Count ops and their times from now on."},
    {"stop_marks", stop_marks, METH_NOARGS, "Count no more."},
    {"take_marks", take_marks, METH_NOARGS, "What was counted, which is forgotten."},
    {"marked", (PyCFunction)(void (*)(void))marked, METH_FASTCALL, "A call, counted."},
    {"time_in_marks", time_in_marks, METH_O, "Of a thread until now, in ns."},
    {NULL, NULL, 0, NULL},
};

int add_marks(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) < 0 ? -1 : count_kernels(module);
}
#else
int add_marks(PyObject *module) { return 0; }
#endif
