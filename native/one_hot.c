/* Rows with one element set: ops/arrays/one_hot.py. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"

#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <string.h>

#define PART (1 << 18)   /* bytes of rows in a part */
#define SHARED (1 << 20) /* bytes for which other threads are called */

typedef struct {
    char *out;
    const void *ids;
    char on[16], off[16];
    int64_t rows, depth, item, each; /* each: rows in a part */
    int wide, blank;                 /* int64 ids; whether `off` is all zeros */
} Marks;

/* The rows of a part, none of which is on yet. */
static void blank(const Marks *m, char *rows, int64_t bytes)
{
    if (m->blank) {
        memset(rows, 0, bytes);
        return;
    }
    for (int64_t done = 0; done < bytes;) {
        int64_t next = done ? done < bytes - done ? done : bytes - done : m->item;
        memcpy(rows + done, done ? rows : m->off, next);
        done += next;
    }
}

static void mark_part(void *work, int part, int slot)
{
    const Marks *m = work;
    int64_t first = part * m->each, bytes = m->depth * m->item;
    int64_t last = first + m->each < m->rows ? first + m->each : m->rows;
    blank(m, m->out + first * bytes, (last - first) * bytes);
    for (int64_t r = first; r < last; r++) {
        int64_t id = m->wide ? ((const int64_t *)m->ids)[r] : ((const int32_t *)m->ids)[r];
        if (id >= 0 && id < m->depth)
            memcpy(m->out + r * bytes + id * m->item, m->on, m->item);
    }
}

/* one_hot(out, ids, on, off, whether ids are int64): `on` and `off` are single elements,
 * `out` has a row for each of the ids. */
static PyObject *one_hot(PyObject *module, PyObject *args)
{
    Py_buffer out, ids, on, off;
    int wide;
    if (!PyArg_ParseTuple(args, "w*y*y*y*p", &out, &ids, &on, &off, &wide))
        return NULL;
    Marks m = {.out = out.buf, .ids = ids.buf, .item = on.len, .wide = wide};
    m.rows = ids.len / (wide ? 8 : 4);
    int fits = on.len == off.len && on.len > 0 && on.len <= 16 && m.rows > 0 &&
               out.len % (m.rows * on.len) == 0;
    if (fits) {
        m.depth = out.len / m.rows / m.item;
        m.each = m.depth ? (PART + m.depth * m.item - 1) / (m.depth * m.item) : m.rows;
        memcpy(m.on, on.buf, m.item);
        memcpy(m.off, off.buf, m.item);
        m.blank = 1;
        for (int64_t i = 0; i < m.item; i++)
            m.blank &= !m.off[i];
        int parts = (int)((m.rows + m.each - 1) / m.each);
        int threads = out.len < SHARED ? 1 : threads_now();
        Py_BEGIN_ALLOW_THREADS
        run_parts(mark_part, &m, parts, threads < parts ? threads : parts);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&out);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&on);
    PyBuffer_Release(&off);
    if (!fits)
        return wrong_sizes("one_hot");
    Py_RETURN_NONE;
}

PyMethodDef one_hot_methods[] = {
    {"one_hot", one_hot, METH_VARARGS, "Rows with one element set."},
    {NULL, NULL, 0, NULL},
};
#else
PyMethodDef one_hot_methods[] = {{NULL, NULL, 0, NULL}};
#endif
