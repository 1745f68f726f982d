/* Gamma and Poisson distributed numbers: what ops/random/rejection.py and
 * original_trials.py draw on arrays, one element after the other. A quick test that
 * implies the slow one stands before it (Marsaglia and Tsang). */
#define PY_SSIZE_T_CLEAN
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* lgamma_r */
#endif
#include "kernels.h"
#include "trials.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include "xla_calls.h"
#include <stdlib.h>
#include "uncontracted.h"

#define TURN 6.283185307179586
#define INVERTED 10.0 /* rates below this: by inversion, or by products */

static double lgamma_of(double x)
{
    extern double lgamma_r(double, int *); /* no other thread's sign */
    int sign;
    return lgamma_r(x, &sign);
}

static double number_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, 8);
    return x - 1.0;
}

static double our_number(uint32_t (*words)[LANES], int first, int lane)
{
    uint64_t word = (uint64_t)words[first][lane] << 32 | words[first + 1][lane];
    return number_of(word >> 12 | 0x3FF0000000000000);
}

static double their_number(uint32_t high, uint32_t low)
{
    return number_of((uint64_t)(high & 0xFFFFF) << 32 | low | 0x3FF0000000000000);
}

/* -------------------------------------------------------------- what parameters give */
static void know_gamma(Known *k, double alpha, int ours)
{
    k->of = alpha, k->made = 1;
    if (ours) {
        k->d = (alpha < 1 ? alpha + 1 : alpha) - 1.0 / 3;
        k->c = sqrt(9 * k->d);
    } else {
        k->d = alpha + (alpha < 1 ? 2.0 / 3 : -1.0 / 3);
        k->c = 1.0 / 3 / sqrt(k->d);
    }
}

static void know_rate(Known *k, double rate)
{
    k->of = rate, k->made = 1, k->count = 0;
    k->rare = exp(-rate);
    k->b = 0.931 + 2.53 * sqrt(rate);
    k->a = 0.02483 * k->b - 0.059;
    k->v_limit = 0.9277 - 3.6224 / (k->b - 2.0);
    k->scale = 1.1239 + 1.1328 / (k->b - 3.4);
    k->log_rate = log(rate);
}

/* How many sums of the first probabilities are at most u. */
static int inverted(Known *k, double u)
{
    double p = k->rare;
    if (!k->count) {
        k->sums[0] = p;
        for (int j = 1; j < SUMS; j++)
            k->sums[j] = k->sums[j - 1] + (p = p * k->of / j);
        k->count = SUMS - 1;
    }
    int found = 0;
    while (found < k->count && u >= k->sums[found])
        found++;
    return found;
}

/* Hormann's PTRS: whether u and v give a number. */
static int ptrs(const Known *k, double u, double v, double *found)
{
    u = u - 0.5;
    double s = 0.5 - fabs(u), rate = k->of;
    double x = *found = floor((2.0 * k->a / s + k->b) * u + rate + 0.43);
    if (s >= 0.07 && v <= k->v_limit)
        return 1;
    if (x < 0 || (s < 0.013 && v > s))
        return 0;
    double height = log(v * k->scale / (k->a / (s * s) + k->b));
    return height <= x * k->log_rate - rate - lgamma_of(x + 1);
}

static inline int gamma_fits(double d, double x, double v, double u)
{
    return u < 1 - 0.0331 * (x * x) * (x * x) ||
           log(u) < 0.5 * x * x + d * (1 - v + log(v));
}

/* ------------------------------------------------------------------------------- ours */
static int our_gamma(Known *k, double alpha, uint32_t words[2][4][LANES], int lane,
                     double *out)
{
    if (!(alpha > 0) || alpha == INFINITY) {
        *out = alpha > 0 ? alpha : NAN;
        return 1;
    }
    if (!k->made || k->of != alpha)
        know_gamma(k, alpha, 1);
    double a = our_number(words[0], 0, lane), b = our_number(words[0], 2, lane);
    double z = sqrt(-2 * log(1 - a)) * cos(TURN * b), v = 1 + z / k->c;
    if (!(v > 0))
        return 0;
    v = v * v * v;
    if (!gamma_fits(k->d, z, v, 1 - our_number(words[1], 0, lane)))
        return 0;
    *out = k->d * v;
    if (alpha < 1)
        *out *= pow(1 - our_number(words[1], 2, lane), 1 / alpha);
    return 1;
}

static int our_poisson(Known *k, double rate, uint32_t words[2][4][LANES], int lane,
                       double *out)
{
    double u = our_number(words[0], 0, lane);
    if (rate <= 0 || !(rate - rate == 0)) {
        *out = rate <= 0 ? 0 : rate;
        return 1;
    }
    if (!k->made || k->of != rate)
        know_rate(k, rate);
    if (!(rate < INVERTED))
        return ptrs(k, u, 1 - our_number(words[0], 2, lane), out);
    *out = inverted(k, u);
    return 1;
}

static int our_trial(const Trials *w, Known *known, int64_t element,
                     uint32_t words[2][4][LANES], int lane)
{
    double parameter = w->parameters[element % w->m], *out = w->out + element;
    return w->kind == OUR_GAMMA ? our_gamma(known, parameter, words, lane, out)
                                : our_poisson(known, parameter, words, lane, out);
}

/* ------------------------------------------------------------------------ TensorFlow's */
static void one_block(const Draw *d, uint64_t block, uint32_t *c)
{
    uint32_t k0 = d->k0, k1 = d->k1;
    c[0] = (uint32_t)block, c[1] = (uint32_t)(block >> 32), c[2] = d->high0, c[3] = d->high1;
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
        uint64_t p0 = (uint64_t)0xD2511F53 * c[0], p1 = (uint64_t)0xCD9E8D57 * c[2];
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
        c[1] = (uint32_t)p1, c[3] = (uint32_t)p0;
    }
}

static void next_pair(Numbers *n, double *u, double *v)
{
    uint32_t c[4];
    if (n->taken < AHEAD)
        for (int j = 0; j < 4; j++)
            c[j] = n->ahead[n->taken][j][n->lane];
    else
        one_block(n->d, n->first + n->taken, c);
    n->taken++;
    *u = their_number(c[0], c[1]), *v = their_number(c[2], c[3]);
}

static double next_number(Numbers *n)
{
    if (!n->left) {
        next_pair(n, &n->pair[0], &n->pair[1]);
        n->left = 2;
    }
    return n->pair[--n->left];
}

static double next_bell(Numbers *n)
{
    if (n->bells_left) {
        n->bells_left = 0;
        return sin(n->turn) * n->size;
    }
    double u, v;
    next_pair(n, &u, &v);
    n->size = sqrt(-2.0 * log(u < 1e-7 ? 1e-7 : u));
    n->turn = TURN * v;
    n->bells_left = 1;
    return cos(n->turn) * n->size;
}

static double their_gamma(Known *k, Numbers *n, double alpha)
{
    if (!(alpha > 0) || alpha == INFINITY)
        return NAN;
    if (alpha == 1)
        return -log(1.0 - next_number(n));
    if (!k->made || k->of != alpha)
        know_gamma(k, alpha, 0);
    for (;;) {
        double x = next_bell(n), v = 1 + k->c * x;
        if (!(v > 0))
            continue;
        double u = next_number(n);
        v = v * v * v;
        if (gamma_fits(k->d, x, v, u))
            return alpha < 1 ? k->d * v * pow(next_number(n), 1 / alpha) : k->d * v;
    }
}

static double their_poisson(Known *k, Numbers *n, double rate)
{
    if (!(rate - rate == 0))
        return rate < 0 ? 0 : rate;
    if (!k->made || k->of != rate)
        know_rate(k, rate);
    double product = 1, found = 0;
    if (!(rate < INVERTED)) {
        for (;;) {
            double u = next_number(n), v = next_number(n);
            if (ptrs(k, u, v, &found))
                return found;
        }
    }
    while ((product *= next_number(n)) > k->rare)
        found++;
    return found;
}

#define LOOPS "trials_loops.h"
#include "each_width.h"

/* Set the parts up; how many they are, or 0 where the sizes do not fit. */
static int begin_trials(Trials *w, const uint64_t *state, Part **part)
{
    if (w->kind < OUR_GAMMA || w->kind > POISSON || w->n < 0 ||
        (w->n && (w->m < 1 || w->n % w->m || w->n / EACH >= INT32_MAX)))
        return 0;
    uint32_t low = (uint32_t)state[1], high = (uint32_t)(state[1] >> 32);
    if (w->kind >= GAMMA) {
        w->d = (Draw){.position = state[0], .k0 = low, .high0 = high};
        *part = FOR_WIDTH(their_part);
    } else {
        w->d = (Draw){.k0 = low, .k1 = high, .high0 = (uint32_t)state[0],
                      .high1 = (uint32_t)(state[0] >> 32)};
        *part = FOR_WIDTH(our_part);
    }
    return w->n ? (int)((w->n + EACH - 1) / EACH) : 1;
}

/* trials(kind, parameters, state, out, threads): float64[n] for float64[m], sample after
 * sample; state: uint64[2], the position and the key of a stream. */
static PyObject *trials(PyObject *module, PyObject *args)
{
    Py_buffer parameters, state, out;
    Trials w = {.kind = -1};
    Part *part;
    int threads, parts;
    if (!PyArg_ParseTuple(args, "iy*y*w*i", &w.kind, &parameters, &state, &out, &threads))
        return NULL;
    w.parameters = parameters.buf, w.m = parameters.len / 8;
    w.out = out.buf, w.n = out.len / 8;
    int good = !(out.len % 8 || parameters.len % 8) && state.len == 16 &&
               (parts = begin_trials(&w, state.buf, &part));
    if (good && w.n) {
        Py_BEGIN_ALLOW_THREADS
        run_parts(part, &w, parts, parts > 1 ? threads : 1);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&parameters);
    PyBuffer_Release(&state);
    PyBuffer_Release(&out);
    return good ? Py_NewRef(Py_None) : wrong_sizes("trials");
}

/* The attribute: int64[1], the kind. */
static void *trials_inside_xla(XlaCall *call)
{
    XlaPair pair;
    void *error = NULL;
    if (!xla_pair(call, &pair, &error))
        return error;
    Trials w = {.kind = -1};
    Part *part;
    int parts = 0;
    if (pair.facts->count == 1 && pair.counts[1] == 2 &&
        pair.buffers[0]->dtype == XLA_FLOAT64 && pair.buffers[2]->dtype == XLA_FLOAT64) {
        w.kind = (int)*(const int64_t *)pair.facts->data;
        w.parameters = pair.buffers[0]->data, w.m = pair.counts[0];
        w.out = pair.buffers[2]->data, w.n = pair.counts[2];
        parts = begin_trials(&w, pair.buffers[1]->data, &part);
    }
    if (!parts)
        return xla_error(call, "the sizes of a draw do not fit its arrays");
    if (w.n)
        share_in_xla(call, part, &w, parts, parts > 1 ? xla_threads(call) : 1);
    return NULL;
}

static PyObject *trials_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(trials_inside_xla);
}
#endif

PyMethodDef trial_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"trials", trials, METH_VARARGS, "Numbers that are drawn by trial."},
    {"trials_for_xla", trials_for_xla, METH_NOARGS, "It as XLA calls it."},
#endif
    {NULL, NULL, 0, NULL},
};
