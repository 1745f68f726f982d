/* Elementwise kernels of small arrays: the steps of loops.c on whole arrays or on rows,
 * with nothing to set up. */
#include "plans.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "array.h"

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
PyObject *in_one_piece(Pieces *self, PyObject *const *args, Py_ssize_t n)
{
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
#endif
