/* Random numbers as TensorFlow 1.12 draws them, what ops/random/original.py does on
 * arrays (Note [Original numbers]), and as ops/random/philox.py does. Logarithms, sines
 * and cosines are those of glibc in float32, which TensorFlow calls, to the last bit.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#include "draws.h"
#include "pool.h"
#include <stdlib.h>

#ifndef __GNUC__
#define __attribute__(x)
#endif
#ifdef _WIN32
typedef void Part(void *work, int part, int slot);
#endif
#define LOOPS "draws_loops.h"
#include "each_width.h"

static void share(Part *part, void *work, int64_t parts, int threads)
{
    parts = parts ? parts : 1;
#ifdef _WIN32
    for (int64_t i = 0; i < parts; i++)
        part(work, (int)i, 0);
#else
    run_parts(part, work, (int)parts, parts > 1 ? threads : 1);
#endif
}

/* draw(kind, array, position, k0, k1, high0, high1, threads): fill an array of 4 bytes an
 * element; ours have 4 a block. */
static PyObject *draw(PyObject *module, PyObject *args)
{
    Py_buffer buffer;
    Draw d = {0};
    int threads;
    if (!PyArg_ParseTuple(args, "iw*KIIIIi", &d.kind, &buffer, &d.position, &d.k0, &d.k1,
                          &d.high0, &d.high1, &threads))
        return NULL;
    d.words = buffer.buf;
    d.count = buffer.len / 4;
    if (buffer.len % 4 || (d.kind >= OUR_WORDS && d.count % 4)) {
        PyBuffer_Release(&buffer);
        return wrong_sizes("draw");
    }
    Part *part = d.kind >= OUR_WORDS ? FOR_WIDTH(our_part) : FOR_WIDTH(draw_part);
    int64_t groups = (d.count + 3) / 4;
    Py_BEGIN_ALLOW_THREADS
    share(part, &d, (groups + BLOCKS_A_PART - 1) / BLOCKS_A_PART, threads);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&buffer);
    Py_RETURN_NONE;
}

/* bells(u, threads): float32[2 half], uniform numbers that become normal ones. */
static PyObject *bells(PyObject *module, PyObject *args)
{
    Py_buffer u;
    int threads;
    if (!PyArg_ParseTuple(args, "w*i", &u, &threads))
        return NULL;
    Bells b = {u.buf, u.len / 8};
    if (u.len % 8) {
        PyBuffer_Release(&u);
        return wrong_sizes("bells");
    }
    Py_BEGIN_ALLOW_THREADS
    share(FOR_WIDTH(bells_part), &b, (b.half + PAIRS_A_PART - 1) / PAIRS_A_PART, threads);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&u);
    Py_RETURN_NONE;
}

/* ranged(words, out, low, span, threads): 32-bit integers of as many words (remainders),
 * or of twice as many. */
static PyObject *ranged(PyObject *module, PyObject *args)
{
    Py_buffer words, out;
    Ranged r = {0};
    int threads;
    if (!PyArg_ParseTuple(args, "y*w*IKi", &words, &out, &r.low, &r.span, &threads))
        return NULL;
    r.words = words.buf;
    r.out = out.buf;
    r.count = out.len / 4;
    PyObject *done = NULL;
    if (out.len % 4 || !r.span || r.span > UINT32_MAX ||
        (words.len != out.len && words.len != 2 * out.len))
        wrong_sizes("ranged");
    else {
        r.second = words.len > out.len ? r.words + r.count : NULL;
        Py_BEGIN_ALLOW_THREADS
        share(FOR_WIDTH(ranged_part), &r, (r.count + PAIRS_A_PART - 1) / PAIRS_A_PART,
              threads);
        Py_END_ALLOW_THREADS
        done = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&out);
    return done;
}

/* exchanged(words, out): int64[n], a random order by exchanges from the front. */
static PyObject *exchanged(PyObject *module, PyObject *args)
{
    Py_buffer words, out;
    if (!PyArg_ParseTuple(args, "y*w*", &words, &out))
        return NULL;
    int64_t n = out.len / 8, *found = out.buf;
    const uint32_t *word = words.buf;
    PyObject *done = NULL;
    if (out.len % 8 || n < 1 || n > UINT32_MAX || words.len != 4 * (n - 1))
        wrong_sizes("exchanged");
    else {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t i = 0; i < n; i++)
            found[i] = i;
        for (int64_t i = 0; i < n - 1; i++) {
            int64_t j = i + word[i] % (uint32_t)(n - i), first = found[i];
            found[i] = found[j];
            found[j] = first;
        }
        Py_END_ALLOW_THREADS
        done = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&out);
    return done;
}

static void chosen_part(void *work, int part, int slot)
{
    Chosen *c = work;
    int64_t n = c->n, start = part * c->each, stop = start + c->each;
    double *sums = c->sums + slot * n;
    for (int64_t row = start; row < (stop < c->rows ? stop : c->rows); row++) {
        const float *x = (const float *)c->logits + row * n;
        const double *wide = (const double *)c->logits + row * n;
        double most = -INFINITY, total = 0;
        int nan = 0;
        for (int64_t i = 0; i < n; i++) {
            sums[i] = c->wide ? wide[i] : x[i];
            nan |= sums[i] != sums[i];
            most = sums[i] > most ? sums[i] : most;
        }
        if (nan || !(most - most == 0)) {
            c->odd = 1; /* whichever thread says it */
            continue;
        }
        for (int64_t i = 0; i < n; i++)
            sums[i] = exp(sums[i] - most);
        for (int64_t i = 0; i < n; i++)
            sums[i] = total += sums[i];
        for (int64_t i = row * c->k; i < (row + 1) * c->k; i++) {
            double wanted = c->u[i] * total;
            int64_t low = 0, high = n - 1; /* the last class takes what is left */
            while (low < high) {
                int64_t middle = (low + high) / 2;
                if (sums[middle] <= wanted)
                    low = middle + 1;
                else
                    high = middle;
            }
            c->out[i] = low;
        }
    }
}

/* chosen(logits, u, out, wide, n, threads): False where a row has NaN or infinity. */
static PyObject *chosen(PyObject *module, PyObject *args)
{
    Py_buffer logits, u, out;
    Chosen c = {0};
    long long n;
    int threads;
    if (!PyArg_ParseTuple(args, "y*y*w*pLi", &logits, &u, &out, &c.wide, &n, &threads))
        return NULL;
    PyObject *done = NULL;
    int64_t size = (c.wide ? 8 : 4) * (n > 0 && n < INT32_MAX ? n : 0);
    c.rows = size ? logits.len / size : 0;
    c.k = c.rows ? out.len / 8 / c.rows : 0;
    int64_t all[] = {c.rows, size}, each[] = {c.rows, c.k, 8};
    if (!c.rows || threads < 1 || !sizes_are(logits.len, all, 2) || u.len != out.len ||
        !sizes_are(out.len, each, 3)) {
        wrong_sizes("chosen");
        goto out;
    }
    c.logits = logits.buf, c.u = u.buf, c.out = out.buf, c.n = n;
    c.each = n < 8192 ? 8192 / n : 1;
    c.sums = malloc(n * threads * sizeof(double));
    if (c.sums) {
        Py_BEGIN_ALLOW_THREADS
        share(chosen_part, &c, (c.rows + c.each - 1) / c.each, threads);
        Py_END_ALLOW_THREADS
        done = PyBool_FromLong(!c.odd);
    } else
        PyErr_NoMemory();
    free(c.sums);
out:
    PyBuffer_Release(&logits);
    PyBuffer_Release(&u);
    PyBuffer_Release(&out);
    return done;
}

PyMethodDef draw_methods[] = {
    {"draw", draw, METH_VARARGS, "Random numbers of a kind."},
    {"bells", bells, METH_VARARGS, "Normal numbers of uniform ones."},
    {"ranged", ranged, METH_VARARGS, "Random integers of random words."},
    {"chosen", chosen, METH_VARARGS, "Classes of logits for uniform numbers."},
    {"exchanged", exchanged, METH_VARARGS, "A random order of random words."},
    {NULL, NULL, 0, NULL},
};
