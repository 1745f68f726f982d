/* The loops of fourier.c: 16 transforms at a time, one in each lane. A buffer holds n
 * complex numbers, a vector of real parts and one of imaginary parts each.
 */
#include "vectors.h"

#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (I16){__VA_ARGS__})
#endif
#define FIRSTS(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define LASTS(a, b)                                                                     \
    SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define EVENS(a, b)                                                                     \
    SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS(a, b)                                                                      \
    SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

/* ------------------------------------------------------------------ stages */
/* (re + i im) times a turn, to y. */
INLINE void OF_WIDTH(put)(F16 *y, F16 re, F16 im, const float *turn, int last)
{
    if (last) {
        y[0] = re, y[1] = im;
        return;
    }
    y[0] = re * turn[0] - im * turn[1];
    y[1] = re * turn[1] + im * turn[0];
}

INLINE void OF_WIDTH(stage_2)(const F16 *x, F16 *y, int64_t m, int64_t s,
                              const float *turns, int last)
{
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < s; q++) {
            const F16 *a = x + 2 * (q + s * p), *b = a + 2 * s * m;
            F16 *out = y + 2 * (q + s * 2 * p);
            out[0] = a[0] + b[0];
            out[1] = a[1] + b[1];
            OF_WIDTH(put)(out + 2 * s, a[0] - b[0], a[1] - b[1], turns + 2 * p, last);
        }
}

INLINE void OF_WIDTH(stage_4)(const F16 *x, F16 *y, int64_t m, int64_t s,
                              const float *turns, int last)
{
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < s; q++) {
            const F16 *a = x + 2 * (q + s * p), *b = a + 2 * s * m, *c = b + 2 * s * m;
            const F16 *d = c + 2 * s * m;
            const float *turn = turns + 6 * p;
            F16 *out = y + 2 * (q + s * 4 * p);
            F16 r0 = a[0] + c[0], i0 = a[1] + c[1], r1 = a[0] - c[0], i1 = a[1] - c[1];
            F16 r2 = b[0] + d[0], i2 = b[1] + d[1], r3 = b[0] - d[0], i3 = b[1] - d[1];
            out[0] = r0 + r2;
            out[1] = i0 + i2;
            OF_WIDTH(put)(out + 2 * s, r1 + i3, i1 - r3, turn, last);
            OF_WIDTH(put)(out + 4 * s, r0 - r2, i0 - i2, turn + 2, last);
            OF_WIDTH(put)(out + 6 * s, r1 - i3, i1 + r3, turn + 4, last);
        }
}

/* An odd prime: sums and differences of what lies opposite each other. */
INLINE void OF_WIDTH(stage_odd)(const int r, const F16 *x, F16 *y, int64_t m, int64_t s,
                                const float *turns, int last, const float *cosine,
                                const float *sine)
{
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < s; q++) {
            const F16 *a = x + 2 * (q + s * p);
            F16 *out = y + 2 * (q + s * r * p), sum[2] = {a[0], a[1]};
            F16 plus[MOST_RADIX / 2][2], minus[MOST_RADIX / 2][2];
            for (int j = 1; j <= r / 2; j++) {
                const F16 *b = a + 2 * s * m * j, *c = a + 2 * s * m * (r - j);
                for (int part = 0; part < 2; part++) {
                    plus[j - 1][part] = b[part] + c[part];
                    minus[j - 1][part] = b[part] - c[part];
                    sum[part] += plus[j - 1][part];
                }
            }
            out[0] = sum[0], out[1] = sum[1];
            for (int k = 1; k <= r / 2; k++) {
                F16 re = a[0], im = a[1], across = {0}, along = {0};
                for (int j = 1; j <= r / 2; j++) {
                    int at = j * k % r;
                    re += plus[j - 1][0] * cosine[at];
                    im += plus[j - 1][1] * cosine[at];
                    across += minus[j - 1][1] * sine[at];
                    along += minus[j - 1][0] * sine[at];
                }
                const float *turn = turns + 2 * ((r - 1) * p - 1);
                OF_WIDTH(put)(out + 2 * s * k, re + across, im - along, turn + 2 * k, last);
                OF_WIDTH(put)(out + 2 * s * (r - k), re - across, im + along,
                              turn + 2 * (r - k), last);
            }
        }
}

#define STAGE(call, ...)                                                                \
    do {                                                                                \
        if (last)                                                                       \
            call(__VA_ARGS__, 1 ODD);                                                   \
        else                                                                            \
            call(__VA_ARGS__, 0 ODD);                                                   \
    } while (0)

/* Transform x in place or into `spare`: where the result is. */
static F16 *OF_WIDTH(transform)(const Plan *plan, F16 *x, F16 *spare)
{
    int64_t m = plan->n, s = 1;
    for (int i = 0; i < plan->stages; i++) {
        const int r = plan->radix[i], last = m == r;
        const float *t = plan->turns[i];
        float cosine[MOST_RADIX], sine[MOST_RADIX];
        for (int k = 0; r != 2 && r != 4 && k < r; k++) {
            cosine[k] = (float)cos(6.283185307179586 * k / r);
            sine[k] = (float)sin(6.283185307179586 * k / r);
        }
        m /= r;
#define ODD
        if (r == 4)
            STAGE(OF_WIDTH(stage_4), x, spare, m, s, t);
        else if (r == 2)
            STAGE(OF_WIDTH(stage_2), x, spare, m, s, t);
#undef ODD
#define ODD , cosine, sine
        else if (r == 3)
            STAGE(OF_WIDTH(stage_odd), 3, x, spare, m, s, t);
        else if (r == 5)
            STAGE(OF_WIDTH(stage_odd), 5, x, spare, m, s, t);
        else
            STAGE(OF_WIDTH(stage_odd), r, x, spare, m, s, t);
#undef ODD
        s *= r;
        F16 *other = x;
        x = spare, spare = other;
    }
    return x;
}

/* ------------------------------------------------------------------ in and out */
INLINE void OF_WIDTH(transpose)(F16 *v)
{
    F16 t[16];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 8; i++) {
            t[2 * i] = FIRSTS(v[i], v[i + 8]);
            t[2 * i + 1] = LASTS(v[i], v[i + 8]);
        }
        for (int i = 0; i < 16; i++)
            v[i] = t[i];
    }
}

/* 16 rows (fewer: the last one again) of `count` complex numbers to a buffer. */
static void OF_WIDTH(load_rows)(const float *x, int64_t line, int rows, int64_t count,
                                int swap, F16 *to)
{
    for (int64_t at = 0; at < count; at += 8) {
        int64_t some = count - at < 8 ? count - at : 8;
        F16 v[16];
        for (int i = 0; i < 16; i++) {
            const float *from = x + 2 * ((i < rows ? i : rows - 1) * line + at);
            v[i] = some == 8 ? load16(from) : load_some(from, 2 * some, 0);
        }
        OF_WIDTH(transpose)(v);
        for (int i = 0; i < 2 * some; i++)
            to[2 * at + (i ^ swap)] = v[i];
    }
}

static void OF_WIDTH(store_rows)(const F16 *from, int64_t line, int rows, int64_t count,
                                 int swap, float scale, float *y)
{
    for (int64_t at = 0; at < count; at += 8) {
        int64_t some = count - at < 8 ? count - at : 8;
        F16 v[16] = {{0}};
        for (int i = 0; i < 2 * some; i++)
            v[i] = from[2 * at + (i ^ swap)] * scale;
        OF_WIDTH(transpose)(v);
        for (int i = 0; i < rows; i++) {
            float *out = y + 2 * (i * line + at);
            if (some == 8)
                store16(out, v[i]);
            else
                store_some(out, v[i], 2 * some);
        }
    }
}

/* 16 adjacent columns (or fewer) of `count` rows, `line` complex numbers apart. */
static void OF_WIDTH(load_columns)(const float *x, int64_t line, int columns, int64_t count,
                                   int swap, F16 *to)
{
    for (int64_t i = 0; i < count; i++, x += 2 * line) {
        F16 a, b = {0};
        if (columns == 16)
            a = load16(x), b = load16(x + 16);
        else {
            a = load_some(x, columns < 8 ? 2 * columns : 16, 0);
            if (columns > 8)
                b = load_some(x + 16, 2 * columns - 16, 0);
        }
        to[2 * i + swap] = EVENS(a, b);
        to[2 * i + !swap] = ODDS(a, b);
    }
}

static void OF_WIDTH(store_columns)(const F16 *from, int64_t line, int columns,
                                    int64_t count, int swap, float scale, float *y)
{
    for (int64_t i = 0; i < count; i++, y += 2 * line) {
        F16 re = from[2 * i + swap] * scale, im = from[2 * i + !swap] * scale;
        F16 a = FIRSTS(re, im), b = LASTS(re, im);
        if (columns == 16) {
            store16(y, a);
            store16(y + 16, b);
            continue;
        }
        store_some(y, a, columns < 8 ? 2 * columns : 16);
        if (columns > 8)
            store_some(y + 16, b, 2 * columns - 16);
    }
}

/* ------------------------------------------------------------------ real numbers */
/* From the transform of n pairs of real numbers to the n + 1 first of 2n of them (or
 * back, before the inverse): the entries k and n - k of them go together. */
INLINE void OF_WIDTH(halves)(F16 *x, int64_t n, const float *half, int back)
{
    F16 re = x[0], im = x[1];
    if (back) { /* of the first and the last only the real parts count; halved below */
        F16 last = x[2 * n];
        x[0] = re + last;
        x[1] = re - last;
    } else {
        x[0] = re + im, x[1] = all16(0);
        x[2 * n] = re - im, x[2 * n + 1] = all16(0);
    }
    float sign = back ? -1.0f : 1.0f, part = back ? 1.0f : 0.5f;
    for (int64_t k = 1, l = n - 1; k <= l; k++, l--) {
        F16 sum = (x[2 * k] + x[2 * l]) * part, gap = (x[2 * k] - x[2 * l]) * part;
        F16 up = (x[2 * k + 1] + x[2 * l + 1]) * part;
        F16 across = (x[2 * k + 1] - x[2 * l + 1]) * part;
        float c = half[2 * k], s = half[2 * k + 1] * sign; /* of exp(-i pi k / n) */
        F16 re_turned = (up * c + gap * s) * sign, im_turned = (up * s - gap * c) * sign;
        x[2 * k] = sum + re_turned;
        x[2 * k + 1] = across + im_turned;
        x[2 * l] = sum - re_turned;
        x[2 * l + 1] = im_turned - across;
    }
}

/* ------------------------------------------------------------------ parts */
static void OF_WIDTH(rows_part)(void *work, int part, int slot)
{
    const Fourier *f = work;
    F16 *a = (F16 *)(f->buffers + slot * f->room), *b = a + 2 * (f->n + 1);
    for (int64_t group = part * f->each; group < (part + 1) * f->each; group++) {
        int64_t row = 16 * group;
        if (row >= f->outer)
            return;
        int rows = f->outer - row < 16 ? (int)(f->outer - row) : 16;
        int back = f->kind == FROM_HALF;
        OF_WIDTH(load_rows)(f->x + 2 * row * f->line_in, f->line_in, rows, f->count_in,
                            !back && f->swap, a);
        if (back) {
            OF_WIDTH(halves)(a, f->n, f->half, 1);
            for (int64_t i = 0; i < f->n; i++) {
                F16 re = a[2 * i];
                a[2 * i] = a[2 * i + 1], a[2 * i + 1] = re;
            }
        }
        F16 *y = OF_WIDTH(transform)(f->plan, a, b);
        if (f->kind == TO_HALF)
            OF_WIDTH(halves)(y, f->n, f->half, 0);
        OF_WIDTH(store_rows)(y, f->line_out, rows, f->count_out, f->swap, f->scale,
                             f->y + 2 * row * f->line_out);
    }
}

static void OF_WIDTH(columns_part)(void *work, int part, int slot)
{
    const Fourier *f = work;
    F16 *a = (F16 *)(f->buffers + slot * f->room), *b = a + 2 * (f->n + 1);
    int64_t groups = (f->inner + 15) / 16;
    for (int64_t group = part * f->each; group < (part + 1) * f->each; group++) {
        int64_t column = group % groups * 16, at = group / groups * f->n * f->inner;
        if (group >= groups * f->outer)
            return;
        int columns = f->inner - column < 16 ? (int)(f->inner - column) : 16;
        at = 2 * (at + column);
        OF_WIDTH(load_columns)(f->x + at, f->inner, columns, f->n, f->swap, a);
        F16 *y = OF_WIDTH(transform)(f->plan, a, b);
        OF_WIDTH(store_columns)(y, f->inner, columns, f->n, f->swap, f->scale, f->y + at);
    }
}

/* A long row as n1 rows of n2: transform the columns and turn them, */
static void OF_WIDTH(first_part)(void *work, int part, int slot)
{
    const Fourier *f = work;
    F16 *a = (F16 *)(f->buffers + slot * f->room), *b = a + 2 * (f->n1 + 1);
    int64_t column = 16 * (int64_t)part;
    int columns = f->n2 - column < 16 ? (int)(f->n2 - column) : 16;
    OF_WIDTH(load_columns)(f->x + 2 * column, f->n2, columns, f->n1, f->swap, a);
    F16 *y = OF_WIDTH(transform)(f->plan, a, b);
    double re[16], im[16], step_re[16], step_im[16];
    for (int i = 0; i < 16; i++) {
        double angle = -6.283185307179586 * (double)(column + i) / (double)f->n;
        step_re[i] = cos(angle), step_im[i] = sin(angle);
        re[i] = 1, im[i] = 0;
    }
    for (int64_t k = 0; k < f->n1; k++) {
        float c[16], s[16];
        for (int i = 0; i < 16; i++) {
            double was = re[i];
            c[i] = (float)was, s[i] = (float)im[i];
            re[i] = was * step_re[i] - im[i] * step_im[i];
            im[i] = was * step_im[i] + im[i] * step_re[i];
        }
        F16 p = y[2 * k], q = y[2 * k + 1], cosine = load16(c), sine = load16(s);
        y[2 * k] = p * cosine - q * sine;
        y[2 * k + 1] = p * sine + q * cosine;
    }
    OF_WIDTH(store_columns)(y, f->n2, columns, f->n1, 0, 1, f->middle + 2 * column);
}

/* then the rows, which become columns of the result. */
static void OF_WIDTH(second_part)(void *work, int part, int slot)
{
    const Fourier *f = work;
    F16 *a = (F16 *)(f->buffers + slot * f->room), *b = a + 2 * (f->n2 + 1);
    int64_t row = 16 * (int64_t)part;
    int rows = f->n1 - row < 16 ? (int)(f->n1 - row) : 16;
    OF_WIDTH(load_rows)(f->middle + 2 * row * f->n2, f->n2, rows, f->n2, 0, a);
    F16 *y = OF_WIDTH(transform)(f->second, a, b);
    OF_WIDTH(store_columns)(y, f->n1, rows, f->n2, f->swap, f->scale, f->y + 2 * row);
}
#undef STAGE
