/* Arrays as a result of another shape sees them: see walks.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "walks.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include <string.h>

/* The shape of the result; 0: they do not fit, or there are too many axes. */
int broadcast(const Array **in, int n, int *nd, Py_ssize_t *shape)
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

/* Whether all inputs but those without axes lie in Fortran's order, one of them only so. */
int lie_backwards(const Array **in, int n, int nd)
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

void walk_along(Walk *w, const Array *a, int nd, const Py_ssize_t *shape,
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

void copy_run(char *to, const char *from, int64_t count, int64_t stride, int item)
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
const char *elements(const Walk *w, int64_t first, int64_t count, char *room)
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
#endif
