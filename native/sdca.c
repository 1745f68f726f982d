/* Steps of dual coordinate ascent, an example after the other: ops/variables/sdca.py has
 * the same in Python. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#include <math.h>

enum { LOGISTIC, SQUARED, HINGE, SMOOTH_HINGE, POISSON };
enum { STATE = 4, NEWTON_STEPS = 10 };

typedef struct {
    const int64_t *order, *starts, *places; /* places: of an example's sparse features */
    const float *values, *dense, *weights, *labels, *importance;
    const double *norms;
    float *changes, *state;
    int64_t steps, examples, sparse, wide, features; /* wide: dense features */
    double shrinkage, l2, partitions;
    int loss;
} Ascent;

static inline double shrunk(double w, double by)
{
    double left = fabs(w) - by;
    return left > 0 ? copysign(left, w) : 0;
}

static double by_newton(const Ascent *a, double y, double wx, double step, double dual)
{
    double x = a->loss == POISSON ? log(0.5 + y) : 0;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double before = x;
        if (a->loss == POISSON) {
            double e = exp(x);
            x -= (x - wx - step * (y - dual - e)) / (1 + step * e);
        } else {
            double p = 1 / (1 + exp(-2 * x)), slope = -2 * y - step * 2 * p * (1 - p) / y;
            x -= (-2 * y * x - wx - step * (p / y - dual)) / slope;
        }
        if (fabs(x - before) < 1e-9) /* the next step would be its square */
            break;
    }
    return a->loss == POISSON ? y - exp(x) : 1 / (1 + exp(-2 * x)) / y;
}

/* The dual variable that is best where all others stay. */
static double better_dual(const Ascent *a, double y, double wx, double step, double dual)
{
    if (a->loss == SQUARED)
        return dual + (y - dual - wx) / (1 + step);
    if (a->loss == LOGISTIC || a->loss == POISSON)
        return by_newton(a, y, wx, step, dual);
    double soft = a->loss == SMOOTH_HINGE;
    double found = dual + (y - wx - soft * dual) / (step + soft);
    return y * found < 0 ? 0 : y * found > 1 ? y : found;
}

/* row * (the weights as they are now, shrunk), in four sums: one would wait for itself. */
static double dense_product(const Ascent *a, const float *row)
{
    const float *own = a->weights + a->sparse, *moved = a->changes + a->sparse;
    double sums[4] = {0, 0, 0, 0}, by = a->shrinkage, parts = a->partitions;
    int64_t k = 0;
    for (; k + 4 <= a->wide; k += 4)
        for (int j = 0; j < 4; j++)
            sums[j] += row[k + j] * shrunk(own[k + j] + moved[k + j] * parts, by);
    for (; k < a->wide; k++)
        sums[0] += row[k] * shrunk(own[k] + moved[k] * parts, by);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void one_step(const Ascent *a, int64_t i)
{
    const float *row = a->dense + i * a->wide;
    float *moved = a->changes + a->sparse;
    double wx = 0, by = a->shrinkage, parts = a->partitions;
    for (int64_t k = a->starts[i]; k < a->starts[i + 1]; k++) {
        int64_t at = a->places[k];
        wx += a->values[k] * shrunk(a->weights[at] + a->changes[at] * parts, by);
    }
    wx += dense_product(a, row);
    double important = a->importance[i], dual = a->state[i * STATE];
    double step = parts * a->norms[i] / a->l2 * important;
    double better = better_dual(a, a->labels[i], wx, step, dual);
    double change = (better - dual) * important / a->l2;
    for (int64_t k = a->starts[i]; k < a->starts[i + 1]; k++)
        a->changes[a->places[k]] += (float)(change * a->values[k]);
    for (int64_t k = 0; k < a->wide; k++)
        moved[k] += (float)(change * row[k]);
    a->state[i * STATE] = (float)better;
}

static int fits(const Ascent *a, const Py_buffer *b)
{
    int64_t n = a->examples, entries = b[2].len / 8;
    int64_t sizes[] = {n + 1, entries, n * a->wide, a->features, n, n, n, n * STATE};
    int64_t lengths[] = {b[1].len / 8, b[3].len / 4, b[4].len / 4, b[5].len / 4,
                         b[6].len / 4, b[7].len / 4, b[8].len / 8, b[10].len / 4};
    for (int i = 0; i < 8; i++)
        if (sizes[i] != lengths[i])
            return 0;
    if (a->sparse < 0 || a->sparse + a->wide != a->features || b[9].len != b[5].len ||
        a->starts[0] != 0 || a->starts[n] != entries)
        return 0;
    for (int64_t i = 0; i < n; i++)
        if (a->starts[i] > a->starts[i + 1])
            return 0;
    for (int64_t k = 0; k < entries; k++)
        if (a->places[k] < 0 || a->places[k] >= a->sparse)
            return 0;
    for (int64_t k = 0; k < a->steps; k++)
        if (a->order[k] < 0 || a->order[k] >= n)
            return 0;
    return 1;
}

/* sdca(loss, (examples, sparse features, dense features), (shrinkage, l2, partitions),
 * order, starts, places, values, dense, weights, labels, importance, norms, changes,
 * state): the last two are changed. */
static PyObject *sdca(PyObject *module, PyObject *args)
{
    Py_buffer b[11];
    Ascent a;
    if (!PyArg_ParseTuple(args, "i(LLL)(ddd)y*y*y*y*y*y*y*y*y*w*w*", &a.loss, &a.examples,
                          &a.sparse, &a.wide, &a.shrinkage, &a.l2, &a.partitions, &b[0],
                          &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &b[8], &b[9],
                          &b[10]))
        return NULL;
    a.order = b[0].buf, a.starts = b[1].buf, a.places = b[2].buf, a.values = b[3].buf;
    a.dense = b[4].buf, a.weights = b[5].buf, a.labels = b[6].buf;
    a.importance = b[7].buf, a.norms = b[8].buf, a.changes = b[9].buf;
    a.state = b[10].buf, a.steps = b[0].len / 8, a.features = b[5].len / 4;
    int good = a.examples >= 0 && a.examples <= b[10].len && fits(&a, b);
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        for (int64_t k = 0; k < a.steps; k++)
            one_step(&a, a.order[k]);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < 11; i++)
        PyBuffer_Release(&b[i]);
    if (!good)
        return wrong_sizes("sdca");
    Py_RETURN_NONE;
}

PyMethodDef sdca_methods[] = {
    {"sdca", sdca, METH_VARARGS, "Steps of dual coordinate ascent."},
    {NULL, NULL, 0, NULL},
};
