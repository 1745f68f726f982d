/* Fake quantisation of float32: what ops/math/fake_quant.py does on arrays. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "uncontracted.h"

#define EACH 16384 /* elements in a part */
#define LANES 16

typedef struct {
    const float *x, *gradients;
    float *out, low, high, step;
    int64_t n;
    double *sums; /* of each part: below, above */
} Quantizing;

#define LOOPS "quantizing_loops.h"
#include "each_width.h"

static int parts_of(int64_t n) { return (int)((n + EACH - 1) / EACH); }

static void run_all(Part *part, Quantizing *w)
{
    Py_BEGIN_ALLOW_THREADS
    run_parts(part, w, parts_of(w->n), w->n > EACH ? threads_now() : 1);
    Py_END_ALLOW_THREADS
}

/* fake_quantized(x, low, high, step, out): float32; step is not 0. */
static PyObject *fake_quantized(PyObject *module, PyObject *args)
{
    Py_buffer x, out;
    Quantizing w;
    if (!PyArg_ParseTuple(args, "y*fffw*", &x, &w.low, &w.high, &w.step, &out))
        return NULL;
    w.x = x.buf, w.out = out.buf, w.n = x.len / 4;
    int good = x.len == out.len && x.len % 4 == 0 && w.n / EACH < INT32_MAX;
    if (good)
        run_all(FOR_WIDTH(quantized_part), &w);
    PyBuffer_Release(&x);
    PyBuffer_Release(&out);
    return good ? Py_NewRef(Py_None) : wrong_sizes("fake_quantized");
}

/* fake_quant_slopes(gradients, x, low, high, out): the sums of gradients where x is below
 * and above the range, and in `out` those within, float32. */
static PyObject *fake_quant_slopes(PyObject *module, PyObject *args)
{
    Py_buffer gradients, x, out;
    Quantizing w;
    if (!PyArg_ParseTuple(args, "y*y*ffw*", &gradients, &x, &w.low, &w.high, &out))
        return NULL;
    w.gradients = gradients.buf, w.x = x.buf, w.out = out.buf, w.n = x.len / 4;
    int good = x.len == out.len && gradients.len == x.len && x.len % 4 == 0 &&
               w.n / EACH < INT32_MAX;
    int parts = good ? parts_of(w.n) : 0;
    double below = 0, above = 0;
    w.sums = malloc((parts + 1) * 2 * sizeof(double));
    if (good && w.sums)
        run_all(FOR_WIDTH(slopes_part), &w);
    for (int i = 0; i < parts && w.sums; i++)
        below += w.sums[2 * i], above += w.sums[2 * i + 1];
    int enough = w.sums != NULL;
    free(w.sums);
    PyBuffer_Release(&gradients);
    PyBuffer_Release(&x);
    PyBuffer_Release(&out);
    if (!good)
        return wrong_sizes("fake_quant_slopes");
    return enough ? Py_BuildValue("dd", below, above) : PyErr_NoMemory();
}
#endif

PyMethodDef quantizing_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"fake_quantized", fake_quantized, METH_VARARGS, "Numbers that few bits can say."},
    {"fake_quant_slopes", fake_quant_slopes, METH_VARARGS, "The gradients of these."},
#endif
    {NULL, NULL, 0, NULL},
};
