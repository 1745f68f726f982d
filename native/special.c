/* log |Gamma(x)| of float32, computed in double: what ops/special/gamma.py does by SciPy,
 * but for the last place. */
#define PY_SSIZE_T_CLEAN
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* lgamma_r */
#endif
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include "xla_calls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "uncontracted.h"

#define EACH 4096 /* elements in a part */
#define LANES 32

typedef struct {
    const float *x;
    float *out;
    int64_t n;
} Special;

static float odd_lgamma(float x, float found)
{
    int sign;
    if (x == 1 || x == 2)
        return 0; /* exactly */
    return x > 0 && x < 1e30f ? found : (float)lgamma_r(x, &sign);
}

#define LOOPS "special_loops.h"
#include "each_width.h"

static int parts_of(int64_t n) { return (int)((n + EACH - 1) / EACH); }

/* lgamma(x, out): float32. */
static PyObject *lgamma_of_all(PyObject *module, PyObject *args)
{
    Py_buffer x, out;
    if (!PyArg_ParseTuple(args, "y*w*", &x, &out))
        return NULL;
    Special w = {x.buf, out.buf, x.len / 4};
    int good = x.len == out.len && x.len % 4 == 0 && w.n / EACH < INT32_MAX;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        run_parts(FOR_WIDTH(lgamma_part), &w, parts_of(w.n), w.n > EACH ? threads_now() : 1);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&x);
    PyBuffer_Release(&out);
    return good ? Py_NewRef(Py_None) : wrong_sizes("lgamma");
}

/* The attribute is not read. */
static void *lgamma_in_xla(XlaCall *call)
{
    XlaPair pair;
    void *error = NULL;
    if (!xla_arrays(call, 1, 1, &pair, &error))
        return error;
    Special w = {pair.buffers[0]->data, pair.buffers[1]->data, pair.counts[0]};
    if (pair.counts[1] != w.n || pair.buffers[0]->dtype != XLA_FLOAT32 ||
        pair.buffers[1]->dtype != XLA_FLOAT32 || w.n / EACH >= INT32_MAX)
        return xla_error(call, "lgamma takes float32");
    share_in_xla(call, FOR_WIDTH(lgamma_part), &w, parts_of(w.n),
                 w.n > EACH ? xla_threads(call) : 1);
    return NULL;
}

static PyObject *lgamma_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(lgamma_in_xla);
}
#endif

PyMethodDef special_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"lgamma", lgamma_of_all, METH_VARARGS, "Logarithms of the gamma function."},
    {"lgamma_for_xla", lgamma_for_xla, METH_NOARGS, "It as XLA calls it."},
#endif
    {NULL, NULL, 0, NULL},
};
