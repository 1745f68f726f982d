/* Arrays with a border around them: of one value, or of what lies inside, mirrored. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"

#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <string.h>

#define ALONE (1 << 19)  /* bytes: some 50 us, for which nobody is called */
#define A_PART (1 << 16) /* bytes of the result, at best */

typedef struct {
    char *out;
    const char *in, *value;       /* value: NULL for zeros */
    const int64_t *from[3];       /* for each place along an axis where it comes from */
    int64_t count[3], size[3];    /* places of the result; of the source */
    int64_t row, item;            /* bytes that stay together; of the value */
    int64_t lines;                /* in a part */
} Border;

static void fill(const Border *b, char *to, int64_t bytes)
{
    if (!b->value || !bytes) {
        memset(to, 0, bytes);
        return;
    }
    memcpy(to, b->value, b->item);
    for (int64_t done = b->item; done < bytes; done *= 2)
        memcpy(to + done, to, done < bytes - done ? done : bytes - done);
}

/* A line of the result; from: that of the source. */
static void line_of(const Border *b, char *out, const char *from)
{
    const int64_t *of = b->from[2], count = b->count[2];
    for (int64_t t = 0, next; t < count; t = next) {
        for (next = t + 1; next < count; next++)
            if (of[next] != (of[t] < 0 ? -1 : of[next - 1] + 1))
                break;
        if (of[t] < 0)
            fill(b, out + t * b->row, (next - t) * b->row);
        else
            memcpy(out + t * b->row, from + of[t] * b->row, (next - t) * b->row);
    }
}

static void border_part(void *work, int part, int slot)
{
    const Border *b = work;
    int64_t all = b->count[0] * b->count[1], last = (part + 1) * b->lines;
    for (int64_t i = part * b->lines; i < (last < all ? last : all); i++) {
        int64_t p = b->from[0][i / b->count[1]], q = b->from[1][i % b->count[1]];
        char *out = b->out + i * b->count[2] * b->row;
        if (p < 0 || q < 0)
            fill(b, out, b->count[2] * b->row);
        else
            line_of(b, out, b->in + (p * b->size[1] + q) * b->size[2] * b->row);
    }
}

static int border_fits(Border *b, const Py_buffer *out, const Py_buffer *in,
                       const Py_buffer *value, const Py_buffer *from)
{
    int zeros = 1;
    for (int axis = 0; axis < 3; axis++) {
        b->from[axis] = from[axis].buf;
        b->count[axis] = from[axis].len / 8;
        for (int64_t t = 0; t < b->count[axis]; t++)
            if (b->from[axis][t] < -1 || b->from[axis][t] >= b->size[axis])
                return 0;
    }
    b->item = value->len;
    for (int64_t i = 0; i < b->item; i++)
        zeros &= !((const char *)value->buf)[i];
    b->value = zeros ? NULL : value->buf;
    int64_t of_out[] = {b->count[0], b->count[1], b->count[2], b->row};
    int64_t of_in[] = {b->size[0], b->size[1], b->size[2], b->row};
    return b->item > 0 && b->row > 0 && b->row % b->item == 0 &&
           sizes_are(out->len, of_out, 4) && sizes_are(in->len, of_in, 4);
}

/* border(out, in, value, from, from, from, size, size, size, row): arrays of bytes; for
 * each of three axes int64s, -1 where the value goes. */
static PyObject *border(PyObject *module, PyObject *args)
{
    Border b = {0};
    Py_buffer out, in, value, from[3];
    if (!PyArg_ParseTuple(args, "w*y*y*y*y*y*LLLL", &out, &in, &value, &from[0], &from[1],
                          &from[2], &b.size[0], &b.size[1], &b.size[2], &b.row))
        return NULL;
    int good = border_fits(&b, &out, &in, &value, from);
    int64_t all = b.count[0] * b.count[1], line = b.count[2] * b.row;
    if (good && all && line) {
        b.lines = line < A_PART ? A_PART / line : 1;
        int64_t least = all / (1 << 20) + 1; /* parts are counted by an int */
        b.lines = b.lines < least ? least : b.lines;
        int threads = out.len < ALONE ? 1 : threads_now();
        b.out = out.buf, b.in = in.buf;
        Py_BEGIN_ALLOW_THREADS
        run_parts(border_part, &b, (int)((all + b.lines - 1) / b.lines), threads);
        Py_END_ALLOW_THREADS
    }
    for (int axis = 0; axis < 3; axis++)
        PyBuffer_Release(&from[axis]);
    PyBuffer_Release(&value);
    PyBuffer_Release(&in);
    PyBuffer_Release(&out);
    return good ? Py_NewRef(Py_None) : wrong_sizes("border");
}

PyMethodDef border_methods[] = {{"border", border, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
#else
PyMethodDef border_methods[] = {{NULL, NULL, 0, NULL}};
#endif
