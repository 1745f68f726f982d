/* The loops of lstm.c: a step of an LSTM after its product, and the way back. */
#include "vectors.h"

#ifndef LSTM_LOOPS_H
#define LSTM_LOOPS_H
#define load_upto OF_WIDTH(load_upto_)
#define store_upto OF_WIDTH(store_upto_)
#define added OF_WIDTH(added_)
#define sum_of OF_WIDTH(sum_of_)
#define within OF_WIDTH(within_)
#define gate_of OF_WIDTH(gate_of_)
#define lstm_units OF_WIDTH(lstm_units_)
#define lstm_units_back OF_WIDTH(lstm_units_back_)
#define EACH_UNIT(function)                                                             \
    for (int64_t r = first; r < last; r++) {                                            \
        int64_t u = 0;                                                                  \
        for (; u + 16 <= s->units; u += 16)                                             \
            function(s, r, u, 16);                                                      \
        if (u < s->units)                                                               \
            function(s, r, u, s->units - u);                                            \
    }

enum { I, J, F, O }; /* the gates, J what is to be remembered */
enum { OUT_I, OUT_CS, OUT_F, OUT_O, OUT_CI, OUT_CO, OUT_H };

/* A matrix whose rows may lie apart. */
typedef struct {
    const float *data;
    int64_t row; /* floats from one to the next */
} Matrix;

/* Matrices of `rows` rows: x, h and d_z of 4 * units columns, the others of units, those
 * of vectors (bias, peep) with one row. What is NULL is not there. */
typedef struct {
    int64_t rows, units, each;
    int64_t place[4]; /* of each gate in the columns of x, h and d_z */
    Matrix c;
    const float *x, *h, *bias, *peep[3];
    float forget_bias, clip; /* clip <= 0: none */
    float *out[7];
    Matrix d_c[2], d_h[2]; /* the way back */
    const float *gate[4], *co;
    float *d_z, *back;
} Step;
#endif

INLINE F16 load_upto(const float *p, int64_t count)
{
    return count == 16 ? load16(p) : load_some(p, count, 0.0f);
}

INLINE void store_upto(float *p, F16 v, int64_t count)
{
    if (count == 16)
        store16(p, v);
    else
        store_some(p, v, count);
}

/* v, and what lies at `at` of an array that may not be there. */
INLINE F16 added(F16 v, const float *to, int64_t at, int64_t count)
{
    return to ? v + load_upto(to + at, count) : v;
}

INLINE F16 sum_of(const Matrix *pair, int64_t r, int64_t u, int64_t count)
{
    F16 sum = all16(0.0f);
    for (int i = 0; i < 2; i++)
        sum = added(sum, pair[i].data, r * pair[i].row + u, count);
    return sum;
}

/* x in [-limit, limit]; NaN stays. */
INLINE F16 within(F16 x, float limit)
{
    return most16(least16(x, all16(limit)), all16(-limit));
}

/* A gate before its function. */
INLINE F16 gate_of(const Step *s, int gate, int64_t r, int64_t u, int64_t count)
{
    int64_t column = s->place[gate] * s->units + u, at = 4 * s->units * r + column;
    F16 z = added(load_upto(s->x + at, count), s->h, at, count);
    return added(z, s->bias, column, count);
}

INLINE void lstm_units(const Step *s, int64_t r, int64_t u, int64_t count)
{
    int64_t at = r * s->units + u;
    F16 i = gate_of(s, I, r, u, count), j = gate_of(s, J, r, u, count);
    F16 f = gate_of(s, F, r, u, count) + s->forget_bias, o = gate_of(s, O, r, u, count);
    F16 c = load_upto(s->c.data + r * s->c.row + u, count);
    if (s->peep[0]) {
        i += load_upto(s->peep[0] + u, count) * c;
        f += load_upto(s->peep[1] + u, count) * c;
    }
    i = sigmoid16(i);
    j = tanh16(j);
    f = sigmoid16(f);
    F16 cs = i * j + f * c;
    if (s->clip > 0)
        cs = within(cs, s->clip);
    if (s->peep[0])
        o += load_upto(s->peep[2] + u, count) * cs;
    o = sigmoid16(o);
    F16 co = tanh16(cs);
    store_upto(s->out[OUT_I] + at, i, count);
    store_upto(s->out[OUT_CS] + at, cs, count);
    store_upto(s->out[OUT_F] + at, f, count);
    store_upto(s->out[OUT_O] + at, o, count);
    store_upto(s->out[OUT_CI] + at, j, count);
    store_upto(s->out[OUT_CO] + at, co, count);
    store_upto(s->out[OUT_H] + at, o * co, count);
}

static void OF_WIDTH(lstm_rows)(const Step *s, int64_t first, int64_t last)
{
    EACH_UNIT(lstm_units)
}

INLINE void lstm_units_back(const Step *s, int64_t r, int64_t u, int64_t count)
{
    int64_t at = r * s->units + u, n = s->units;
    F16 i = load_upto(s->gate[I] + at, count), j = load_upto(s->gate[J] + at, count);
    F16 f = load_upto(s->gate[F] + at, count), o = load_upto(s->gate[O] + at, count);
    F16 c = load_upto(s->c.data + r * s->c.row + u, count);
    F16 d_c = sum_of(s->d_c, r, u, count), d_h = sum_of(s->d_h, r, u, count);
    F16 co = load_upto(s->co + at, count);
    F16 d_o = o * (1.0f - o) * d_h * co;
    F16 d_cs = (1.0f - co * co) * d_h * o + d_c;
    if (s->peep[0])
        d_cs += d_o * load_upto(s->peep[2] + u, count);
    F16 d_j = (1.0f - j * j) * d_cs * i;
    F16 d_f = f * (1.0f - f) * d_cs * c;
    F16 d_i = i * (1.0f - i) * d_cs * j;
    F16 back = d_cs * f;
    if (s->peep[0])
        back += d_i * load_upto(s->peep[0] + u, count) +
                d_f * load_upto(s->peep[1] + u, count);
    float *d_z = s->d_z + 4 * n * r + u;
    store_upto(d_z + s->place[I] * n, d_i, count);
    store_upto(d_z + s->place[J] * n, d_j, count);
    store_upto(d_z + s->place[F] * n, d_f, count);
    store_upto(d_z + s->place[O] * n, d_o, count);
    store_upto(s->back + at, back, count);
}

static void OF_WIDTH(lstm_rows_back)(const Step *s, int64_t first, int64_t last)
{
    EACH_UNIT(lstm_units_back)
}
