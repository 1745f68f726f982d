/* The loops of softmax.c, a row at a time. */
#include "row_ends.h"

#ifndef SOFTMAX_LOOPS_H
#define SOFTMAX_LOOPS_H
#define lanes_most OF_WIDTH(lanes_most_)
#define larger16 OF_WIDTH(larger16_)
#define exp_down16 OF_WIDTH(exp_down16_)
#define most_of OF_WIDTH(most_of_)
#define exp_row OF_WIDTH(exp_row_)
#define sum_exp OF_WIDTH(sum_exp_)
#define scale_row OF_WIDTH(scale_row_)
#define sum_product OF_WIDTH(sum_product_)
#define softmax_row OF_WIDTH(softmax_row_)
#define log_softmax_row OF_WIDTH(log_softmax_row_)
#define softmax_back OF_WIDTH(softmax_back_)
#define log_softmax_back OF_WIDTH(log_softmax_back_)
#define labels_row OF_WIDTH(labels_row_)

enum { SOFTMAX, LOG_SOFTMAX, SOFTMAX_BACK, LOG_SOFTMAX_BACK, SPARSE, DENSE };
#endif

INLINE float lanes_most(F16 v)
{
    float x[16];
    store16(x, v);
    for (int half = 8; half; half /= 2)
        for (int i = 0; i < half; i++)
            x[i] = x[i] > x[i + half] ? x[i] : x[i + half];
    return x[0];
}

INLINE F16 larger16(F16 a, F16 b) { return most16(b, a); }

/* The largest; NaN is passed over, the sum of the exponentials tells of it. */
INLINE float most_of(const float *x, int64_t n)
{
    F16 a = all16(-INFINITY), b = a, c = a, d = a;
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) {
        a = larger16(load16(x + i), a);
        b = larger16(load16(x + i + 16), b);
        c = larger16(load16(x + i + 32), c);
        d = larger16(load16(x + i + 48), d);
    }
    for (; i + 16 <= n; i += 16)
        a = larger16(load16(x + i), a);
    if (i < n)
        b = larger16(load_last(x, n, -INFINITY), b);
    return lanes_most(larger16(larger16(a, b), larger16(c, d)));
}

/* exp16 where x is at most 0, or NaN. */
INLINE F16 exp_down16(F16 x)
{
    x = choose16(above16(all16(-104), x), all16(-104), x);
    EXP_PARTS(F16, x)
    F16 power = (F16)(((I16)shifted - 0x4B400000 + 127 + 64) << 23);
    return p * power * 0x1p-64f; /* denormals are rounded once */
}

/* y = exp(x - top), where y is wanted; their sum. */
INLINE float exp_row(const float *x, float top, float *y, int64_t n)
{
    F16 sum = all16(0.0f), more = sum;
    int64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        F16 e = exp_down16(load16(x + i) - top), f = exp_down16(load16(x + i + 16) - top);
        sum += e;
        more += f;
        if (y) {
            store16(y + i, e);
            store16(y + i + 16, f);
        }
    }
    for (; i + 16 <= n; i += 16) {
        F16 e = exp_down16(load16(x + i) - top);
        sum += e;
        if (y)
            store16(y + i, e);
    }
    if (i < n) {
        F16 e = exp_down16(load_last(x, n, -INFINITY) - top);
        more += only_last(e, i, n);
        if (y)
            store_last(y, e, n);
    }
    return lanes_sum(sum + more);
}

#define SUMS 4096 /* floats whose exponentials are summed at a time */

/* The same for rows of any length, with sums of sums. */
static float sum_exp(const float *x, float top, float *y, int64_t n)
{
    if (n <= SUMS)
        return exp_row(x, top, y, n);
    int64_t half = (n / 2 + SUMS - 1) / SUMS * SUMS;
    float sum = sum_exp(x, top, y, half);
    return sum + sum_exp(x + half, top, y ? y + half : y, n - half);
}

/* y = y * by */
INLINE void scale_row(float *y, float by, int64_t n)
{
    F16 last = load_last(y, n, 0.0f) * by;
    for (int64_t i = 0; i + 16 <= n; i += 16)
        store16(y + i, load16(y + i) * by);
    store_last(y, last, n);
}

static void softmax_row(const float *x, float *y, int64_t n)
{
    if (n < 16) { /* all of it stays in one vector */
        F16 v = load_some(x, n, -INFINITY);
        F16 e = exp_down16(v - lanes_most(v));
        store_some(y, e * (1.0f / lanes_sum(only_last(e, 0, n))), n);
        return;
    }
    scale_row(y, 1.0f / sum_exp(x, most_of(x, n), y, n), n);
}

static void log_softmax_row(const float *x, float *y, int64_t n)
{
    float top = most_of(x, n), size = logf(sum_exp(x, top, NULL, n));
    int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        store16(y + i, load16(x + i) - top - size);
    if (i < n)
        store_last(y, load_last(x, n, 0.0f) - top - size, n);
}

/* sum(a * b), or sum(a) without b */
static float sum_product(const float *a, const float *b, int64_t n)
{
    if (n > SUMS) {
        int64_t half = (n / 2 + SUMS - 1) / SUMS * SUMS;
        float sum = sum_product(a, b, half);
        return sum + sum_product(a + half, b ? b + half : b, n - half);
    }
    F16 sum = all16(0.0f), more = sum;
    int64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        sum += b ? load16(a + i) * load16(b + i) : load16(a + i);
        more += b ? load16(a + i + 16) * load16(b + i + 16) : load16(a + i + 16);
    }
    for (; i + 16 <= n; i += 16)
        sum += b ? load16(a + i) * load16(b + i) : load16(a + i);
    if (i < n) {
        F16 p = load_last(a, n, 0.0f);
        more += only_last(b ? p * load_last(b, n, 0.0f) : p, i, n);
    }
    return lanes_sum(sum + more);
}

/* dx = (dy - sum(dy * y)) * y */
static void softmax_back(const float *dy, const float *y, float *dx, int64_t n)
{
    float along = sum_product(dy, y, n);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        store16(dx + i, (load16(dy + i) - along) * load16(y + i));
    if (i < n)
        store_last(dx, (load_last(dy, n, 0.0f) - along) * load_last(y, n, 0.0f), n);
}

/* dx = dy - sum(dy) * exp(y) */
static void log_softmax_back(const float *dy, const float *y, float *dx, int64_t n)
{
    float along = sum_product(dy, NULL, n);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        store16(dx + i, load16(dy + i) - along * exp16(load16(y + i)));
    if (i < n)
        store_last(dx, load_last(dy, n, 0.0f) - along * exp16(load_last(y, n, 0.0f)), n);
}

/* back = softmax(x) - labels; sum(labels * (log(sum(exp(z))) - z)), z = x - top */
static float labels_row(const float *x, const float *labels, float *back, int64_t n)
{
    float top = most_of(x, n), sum = sum_exp(x, top, back, n), size = logf(sum);
    float part = 1.0f / sum, loss = 0.0f;
    F16 last = load_last(labels, n, 0.0f);
    F16 end = load_last(back, n, 0.0f) * part - last;
    for (int64_t start = 0, i = 0; start < n; start += SUMS) {
        int64_t stop = n - start < SUMS ? n : start + SUMS;
        F16 total = all16(0.0f);
        for (; i + 16 <= stop; i += 16) {
            F16 l = load16(labels + i);
            total += l * (size - (load16(x + i) - top));
            store16(back + i, load16(back + i) * part - l);
        }
        if (i < stop)
            total += only_last(last * (size - (load_last(x, n, top) - top)), i, n);
        loss += lanes_sum(total);
    }
    store_last(back, end, n);
    return loss;
}

/* A row of any kind: `a` is x or dy, `b` y or the labels. */
static void OF_WIDTH(softmax)(int kind, const float *a, const float *b, int64_t label,
                              float *out, float *loss, int64_t n)
{
    if (kind == SOFTMAX)
        softmax_row(a, out, n);
    else if (kind == LOG_SOFTMAX)
        log_softmax_row(a, out, n);
    else if (kind == SOFTMAX_BACK)
        softmax_back(a, b, out, n);
    else if (kind == LOG_SOFTMAX_BACK)
        log_softmax_back(a, b, out, n);
    else if (kind == DENSE)
        *loss = labels_row(a, b, out, n);
    else {
        float top = most_of(a, n), sum = sum_exp(a, top, out, n);
        scale_row(out, 1.0f / sum, n);
        *loss = logf(sum) - (a[label] - top);
        out[label] -= 1.0f;
    }
}
