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
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "array.h"
#include "pool.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef void Loop(char **arrays, const Py_ssize_t *count, const Py_ssize_t *strides,
                  void *data);

#define LOOPS "vectors.h"
#include "each_width.h"
#define LOOPS "pieces_loops.h"
#include "each_width.h"

enum { MOST_INPUTS = 4, MOST_AXES = 16, MOST_REGISTERS = 64, MOST_ARGUMENTS = 3 };
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

/* ------------------------------------------------------------------ plans */
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

static Plan *plan_for(Pieces *self, const int *types)
{
    for (Plan *p = self->plans; p; p = p->next)
        if (!memcmp(p->types, types, self->count * sizeof(int)))
            return p;
    return new_plan(self, types);
}

/* ------------------------------------------------------------------ walks */
/* An input as the result sees it: axes without those of one entry, neighbours joined. */
typedef struct {
    const char *data;
    int nd, item, one, whole; /* one: a single element; whole: in the result's order */
    int64_t shape[MOST_AXES], strides[MOST_AXES];
} Walk;

/* The shape of the result; 0: they do not fit, or there are too many axes. */
static int broadcast(const Array **in, int n, int *nd, Py_ssize_t *shape)
{
    *nd = 0;
    for (int i = 0; i < n; i++)
        *nd = in[i]->nd > *nd ? in[i]->nd : *nd;
    if (*nd > MOST_AXES)
        return 0;
    for (int k = 0; k < *nd; k++) {
        shape[k] = 1;
        for (int i = 0; i < n; i++) {
            int axis = k - (*nd - in[i]->nd);
            Py_ssize_t size = axis < 0 ? 1 : in[i]->shape[axis];
            if (size != 1 && shape[k] != 1 && size != shape[k])
                return 0;
            shape[k] = size != 1 ? size : shape[k];
        }
    }
    return 1;
}

/* Whether all inputs with more than one element lie in Fortran's order. */
static int lie_backwards(const Array **in, int n, int nd)
{
    int some = 0;
    for (int i = 0; i < n; i++) {
        if (in[i]->flags & C_ORDER && in[i]->flags & FORTRAN_ORDER && in[i]->nd == 0)
            continue;
        if (in[i]->nd != nd || !(in[i]->flags & FORTRAN_ORDER))
            return 0;
        some |= !(in[i]->flags & C_ORDER);
    }
    return some;
}

static void walk_along(Walk *w, const Array *a, int nd, const Py_ssize_t *shape,
                       int backwards, int item)
{
    w->data = a->data;
    w->item = item;
    w->nd = 0;
    for (int j = 0; j < nd; j++) {
        int k = backwards ? nd - 1 - j : j, axis = k - (nd - a->nd);
        int64_t size = shape[k], stride = axis < 0 ? 0 : a->strides[axis];
        if (axis >= 0 && a->shape[axis] == 1)
            stride = 0;
        if (size == 1)
            continue;
        if (w->nd && w->strides[w->nd - 1] == stride * size) {
            w->shape[w->nd - 1] *= size;
            w->strides[w->nd - 1] = stride;
        } else {
            w->shape[w->nd] = size;
            w->strides[w->nd++] = stride;
        }
    }
    w->one = w->nd == 0 || (w->nd == 1 && w->strides[0] == 0);
    w->whole = w->nd == 1 && w->strides[0] == item;
}

#define RUN(type)                                                                       \
    {                                                                                   \
        type *out = (type *)to, only = *(const type *)from;                             \
        for (int64_t i = 0; stride == 0 && i < count; i++)                              \
            out[i] = only;                                                              \
        for (int64_t i = 0; stride != 0 && i < count; i++)                              \
            out[i] = *(const type *)(from + i * stride);                                \
    }

static void copy_run(char *to, const char *from, int64_t count, int64_t stride, int item)
{
    if (stride == item)
        memcpy(to, from, count * item);
    else if (item == 4)
        RUN(uint32_t)
    else if (item == 8)
        RUN(uint64_t)
    else if (item == 1)
        RUN(uint8_t)
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * item, from + i * stride, item);
}

/* Bytes of a row that repeats itself, from place `at` on. */
static const char *repeated(const char *row, int64_t at, int64_t size, int64_t count,
                            char *room)
{
    int64_t done = size - at < count ? size - at : count;
    memcpy(room, row + at, done);
    int64_t next = count - done < at ? count - done : at;
    memcpy(room + done, row, next);
    for (done += next; done < count; done += next) {
        next = count - done < done / size * size ? count - done : done / size * size;
        memcpy(room + done, room, next);
    }
    return room;
}

/* `count` elements of an input from number `first` on, one after the other: where they
 * lie, or copied to `room`. */
static const char *elements(const Walk *w, int64_t first, int64_t count, char *room)
{
    if (w->whole)
        return w->data + first * w->item;
    int64_t at[MOST_AXES], rest = first;
    const char *from = w->data;
    int last = w->nd - 1;
    for (int k = last; k >= 0; k--) {
        at[k] = rest % w->shape[k];
        rest /= w->shape[k];
        from += at[k] * w->strides[k];
    }
    int64_t inner = w->shape[last], stride = w->strides[last];
    if (stride == w->item && at[last] + count <= inner)
        return from;
    if (w->nd == 2 && w->strides[0] == 0 && stride == w->item)
        return repeated(w->data, at[1] * stride, inner * stride, count * stride, room);
    for (int64_t done = 0; done < count;) {
        int64_t n = inner - at[last] < count - done ? inner - at[last] : count - done;
        copy_run(room + done * w->item, from, n, stride, w->item);
        done += n;
        from -= at[last] * stride;
        at[last] = 0;
        int k = last - 1;
        for (; k >= 0 && ++at[k] == w->shape[k]; k--) {
            from -= (w->shape[k] - 1) * w->strides[k];
            at[k] = 0;
        }
        if (k >= 0)
            from += w->strides[k];
    }
    return room;
}

/* ------------------------------------------------------------------ calls */
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

static int64_t elements_of(const Array *a)
{
    int64_t n = 1;
    for (int i = 0; i < a->nd; i++)
        n *= a->shape[i];
    return n;
}

PyObject *in_pieces(PyObject *pieces, PyObject *const *args, Py_ssize_t n)
{
    Pieces *self = (Pieces *)pieces;
    const Array *in[MOST_INPUTS];
    int64_t most = 0;
    if (n != self->count)
        return NULL;
    for (int i = 0; i < n; i++) {
        if (!(in[i] = as_array(args[i])))
            return NULL;
        int64_t size = elements_of(in[i]);
        most = size > most ? size : most;
    }
    if (most < self->least || !self->planner || !can_make_arrays())
        return NULL;
    int types[MOST_INPUTS], nd;
    Py_ssize_t shape[MOST_AXES];
    for (int i = 0; i < n; i++)
        if ((types[i] = number_of(in[i])) < 0)
            return NULL;
    const Plan *plan = plan_for(self, types);
    if (!plan || plan->result < 0 || !broadcast(in, (int)n, &nd, shape))
        return NULL;
    Task t = {.plan = plan, .count = 1};
    for (int k = 0; k < nd; k++)
        t.count *= shape[k];
    if (t.count < plan->least || t.count < 1)
        return NULL;
    int backwards = lie_backwards(in, (int)n, nd);
    for (int i = 0; i < n; i++)
        walk_along(&t.inputs[i], in[i], nd, shape, backwards, plan->size[i]);
    PyObject *out = new_array(nd, shape, plan->result, backwards ? FORTRAN_ORDER : 0);
    if (!out)
        return NULL;
    t.out = as_array(out)->data;
    int done;
    if (t.count * plan->cost < SHORT)
        done = run_task(&t);
    else {
        Py_BEGIN_ALLOW_THREADS
        done = run_task(&t);
        Py_END_ALLOW_THREADS
    }
    if (!done)
        Py_CLEAR(out);
    return out;
}

/* ------------------------------------------------------------------ small arrays */
enum { SMALL = 2048, ROOM = 1 << 15 }; /* elements; bytes of what lies between */

/* How an input lies beside the result's shape: as it, a single element, a row that repeats
 * itself; rows apart from each other, one element for each row; 0 for anything else. */
enum { ELSE, WHOLE, SINGLE, ROW, APART, COLUMN };

static int lies(const Array *a, const Array *shaped, int item)
{
    int behind = shaped->nd - a->nd, flat = shaped->nd == 2 && a->nd == 2;
    if (elements_of(a) == 1)
        return SINGLE;
    if (flat && a->shape[0] == shaped->shape[0] && a->strides[0] > 0) {
        if (a->shape[1] == 1 && shaped->shape[1] > 1)
            return COLUMN;
        if (a->shape[1] == shaped->shape[1] && a->strides[1] == item &&
            a->strides[0] > a->shape[1] * item)
            return APART;
    }
    if (!(a->flags & C_ORDER))
        return ELSE;
    for (int k = 0; k < a->nd; k++)
        if (a->shape[k] != shaped->shape[k + behind])
            return ELSE;
    return behind ? ROW : WHOLE;
}

/* The inputs of a small call: where they are, their strides within rows and between. */
typedef struct {
    char *from[MOST_INPUTS];
    Py_ssize_t stride[MOST_INPUTS], next[MOST_INPUTS], run, count;
} Small;

/* The length of rows and what inputs do along them; 0: it is not that simple. */
static int find_rows(Small *small, const Plan *p, const Array **in, const Array *shaped)
{
    int plain = 1, own = 0;
    small->run = small->count;
    for (int i = 0; i < p->inputs; i++) {
        int how = lies(in[i], shaped, p->size[i]);
        Py_ssize_t run = small->count;
        if (how == ELSE)
            return 0;
        if (how == ROW)
            run = elements_of(in[i]);
        else if (how == APART || how == COLUMN)
            run = shaped->shape[1];
        if (run != small->count) {
            if (small->run != small->count && small->run != run)
                return 0;
            small->run = run;
        }
        small->from[i] = in[i]->data;
        small->stride[i] = how == SINGLE || how == COLUMN ? 0 : p->size[i];
        small->next[i] = how == APART || how == COLUMN ? in[i]->strides[0] : 0;
        if (how == WHOLE)
            small->next[i] = -1;
        plain &= small->stride[i] != 0 || small->count == 1;
    }
    for (int i = 0; i < p->inputs; i++)
        if (small->next[i] < 0)
            small->next[i] = small->run * p->size[i];
    for (int i = 0; i < p->count; i++)
        own |= p->steps[i].own;
    return (plain || !own) && small->count / small->run <= SMALL / 8;
}

static void run_one(const Plan *p, Small *small, char *out)
{
    const Step *s = &p->steps[0];
    Py_ssize_t strides[MOST_ARGUMENTS + 1], n = small->run, size = p->size[s->to];
    for (int k = 0; k < s->count; k++)
        strides[k] = s->from[k] < p->inputs ? small->stride[s->from[k]] : p->size[s->from[k]];
    strides[s->count] = size;
    for (Py_ssize_t at = 0; at < small->count; at += n, out += n * size) {
        char *arrays[MOST_ARGUMENTS + 1];
        for (int k = 0; k < s->count; k++)
            arrays[k] = s->from[k] < p->inputs
                            ? small->from[s->from[k]] + at / n * small->next[s->from[k]]
                            : (char *)p->constant[s->from[k] - p->inputs];
        arrays[s->count] = out;
        s->loop(arrays, &n, strides, s->data);
    }
}

static void run_several(const Plan *p, Small *small, char *out)
{
    _Alignas(64) char room[ROOM];
    char *registers[MOST_REGISTERS], *next = room;
    Py_ssize_t stride[MOST_REGISTERS], n = small->run;
    int between = p->inputs + p->constants, result = p->registers - 1;
    for (int i = p->inputs; i < result; i++) {
        stride[i] = p->size[i];
        registers[i] = i < between ? (char *)p->constant[i - p->inputs] : next;
        next += i < between ? 0 : (n * p->size[i] + 63) / 64 * 64;
    }
    stride[result] = p->size[result];
    for (Py_ssize_t at = 0; at < small->count; at += n) {
        for (int i = 0; i < p->inputs; i++) {
            registers[i] = small->from[i] + at / n * small->next[i];
            stride[i] = small->stride[i];
        }
        registers[result] = out + at * p->size[result];
        for (int i = 0; i < p->count; i++) {
            const Step *s = &p->steps[i];
            char *arrays[MOST_ARGUMENTS + 1];
            Py_ssize_t strides[MOST_ARGUMENTS + 1];
            for (int k = 0; k <= s->count; k++) {
                int r = k < s->count ? s->from[k] : s->to;
                arrays[k] = registers[r];
                strides[k] = stride[r];
            }
            s->loop(arrays, &n, strides, s->data);
        }
    }
}

/* As NumPy's loops are called for small arrays, without the way to them; or NULL. */
static PyObject *in_one_piece(PyObject *pieces, PyObject *const *args, Py_ssize_t n)
{
    Pieces *self = (Pieces *)pieces;
    const Array *in[MOST_INPUTS], *shaped = NULL;
    int types[MOST_INPUTS];
    Small small = {.count = 0};
    if (n != self->count || !self->planner || !can_make_arrays())
        return NULL;
    for (int i = 0; i < n; i++) {
        if (!(in[i] = as_array(args[i])) || (types[i] = number_of(in[i])) < 0)
            return NULL;
        Py_ssize_t size = elements_of(in[i]);
        if (!shaped || in[i]->nd > shaped->nd ||
            (in[i]->nd == shaped->nd && size > small.count)) {
            shaped = in[i];
            small.count = size;
        }
    }
    if (shaped->nd == 0 || small.count < 1 || small.count > SMALL)
        return NULL;
    const Plan *plan = plan_for(self, types);
    if (!plan || plan->result < 0 || !find_rows(&small, plan, in, shaped))
        return NULL;
    int between = plan->registers - 1 - plan->inputs - plan->constants;
    if (between * (small.run * 16 + 64) > ROOM)
        return NULL;
    PyObject *out = new_array(shaped->nd, shaped->shape, plan->result, 0);
    if (out && plan->count == 1)
        run_one(plan, &small, as_array(out)->data);
    else if (out)
        run_several(plan, &small, as_array(out)->data);
    return out;
}

static PyObject *pieces_call(PyObject *callable, PyObject *const *args, size_t nargsf,
                             PyObject *kwnames)
{
    Pieces *self = (Pieces *)callable;
    if (!kwnames) {
        Py_ssize_t n = PyVectorcall_NARGS(nargsf);
        PyObject *out = in_pieces(callable, args, n);
        if (!out && !PyErr_Occurred())
            out = in_one_piece(callable, args, n);
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
    for (Plan *p = self->plans; p;) {
        Plan *next = p->next;
        Py_XDECREF(p->held);
        free(p);
        p = next;
    }
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
int is_pieces(PyObject *object) { return 0; }
int add_loops(PyObject *module) { return 0; }
#endif
PyMethodDef loop_methods[] = {{NULL, NULL, 0, NULL}};
