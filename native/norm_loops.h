/* The loops of norm.c: rows of a part, whose columns fill whole vectors, or one by one. */
#include "row_ends.h"

#ifndef NORM_LOOPS_H
#define NORM_LOOPS_H
enum { MOMENTS, SCALE, SLOPES, BACK, ROW_MOMENTS, ROW_SCALE, ROW_NORMAL, ROW_BACK };

/* What is read and filled, by kind; [columns] or [rows] but for x, dy and out. */
typedef struct {
    int kind;
    const float *x, *dy, *mean, *factor, *offset, *bend;
    float *out, *p, *q; /* p and q: of each block, or of each row */
    float *s, *t;       /* ROW_BACK: of each block, by columns */
    int64_t rows, wide, block, apart;
    int onto; /* SCALE, ROW_SCALE: add it to what lies in `out` */
} Norm;

#define GROUP 8 /* rows whose sum is added to those before */

#define square_sums OF_WIDTH(square_sums_)
#define plain_sums OF_WIDTH(plain_sums_)
#define slope_sums OF_WIDTH(slope_sums_)
#define moments_of OF_WIDTH(moments_of_)
#define scale_columns OF_WIDTH(scale_columns_)
#define back_columns OF_WIDTH(back_columns_)
#define row_sum OF_WIDTH(row_sum_)
#define row_squares OF_WIDTH(row_squares_)
#define row_moments OF_WIDTH(row_moments_)
#define scale_row_by OF_WIDTH(scale_row_by_)
#define normal_row OF_WIDTH(normal_row_)
#define back_row OF_WIDTH(back_row_)
#endif

/* sum += x */
INLINE void plain_sums(const float *x, int64_t rows, int64_t wide, float *sum)
{
    for (int64_t v = 0; v < wide; v += 16) {
        F16 s = load16(x + v);
        for (int64_t r = 1; r < rows; r++)
            s += load16(x + r * wide + v);
        store16(sum + v, load16(sum + v) + s);
    }
}

/* sum += (x - mean) ** 2 */
INLINE void square_sums(const float *x, int64_t rows, int64_t wide, const float *mean,
                        float *sum)
{
    for (int64_t v = 0; v < wide; v += 16) {
        F16 m = load16(mean + v), s = all16(0.0f);
        for (int64_t r = 0; r < rows; r++) {
            F16 d = load16(x + r * wide + v) - m;
            s += d * d;
        }
        store16(sum + v, load16(sum + v) + s);
    }
}

/* p += dy; q += dy * (x - mean) */
INLINE void slope_sums(const Norm *j, int64_t first, int64_t rows, float *p, float *q)
{
    const float *x = j->x + first * j->wide, *dy = j->dy + first * j->wide;
    for (int64_t v = 0; v < j->wide; v += 16) {
        F16 m = load16(j->mean + v), s = all16(0.0f), t = s;
        for (int64_t r = 0; r < rows; r++) {
            F16 d = load16(dy + r * j->wide + v);
            s += d;
            t += d * (load16(x + r * j->wide + v) - m);
        }
        store16(p + v, load16(p + v) + s);
        store16(q + v, load16(q + v) + t);
    }
}

/* The mean of rows, and the sum of the squares of what is apart from it. */
static void moments_of(const float *x, int64_t rows, int64_t wide, float *mean,
                       float *squares)
{
    memset(mean, 0, wide * sizeof(float));
    memset(squares, 0, wide * sizeof(float));
    int64_t whole = rows / GROUP * GROUP;
    for (int64_t r = 0; r < whole; r += GROUP)
        plain_sums(x + r * wide, GROUP, wide, mean);
    if (whole < rows)
        plain_sums(x + whole * wide, rows - whole, wide, mean);
    for (int64_t v = 0; v < wide; v++)
        mean[v] /= (float)rows;
    for (int64_t r = 0; r < whole; r += GROUP)
        square_sums(x + r * wide, GROUP, wide, mean, squares);
    if (whole < rows)
        square_sums(x + whole * wide, rows - whole, wide, mean, squares);
}

/* (x - mean) * factor + offset */
static void scale_columns(const Norm *j, int64_t first, int64_t rows)
{
    const float *x = j->x + first * j->wide;
    float *y = j->out + first * j->wide;
    for (int64_t r = 0; r < rows; r++, x += j->wide, y += j->wide)
        for (int64_t v = 0; v < j->wide; v += 16) {
            F16 f = load16(j->factor + v), o = load16(j->offset + v);
            F16 d = (load16(x + v) - load16(j->mean + v)) * f + o;
            store16(y + v, j->onto ? load16(y + v) + d : d);
        }
}

/* dy * factor + (x - mean) * bend + offset */
static void back_columns(const Norm *j, int64_t first, int64_t rows)
{
    const float *x = j->x + first * j->wide, *dy = j->dy + first * j->wide;
    float *dx = j->out + first * j->wide;
    for (int64_t r = 0; r < rows; r++, x += j->wide, dy += j->wide, dx += j->wide)
        for (int64_t v = 0; v < j->wide; v += 16) {
            F16 h = (load16(x + v) - load16(j->mean + v)) * load16(j->bend + v);
            F16 d = load16(dy + v) * load16(j->factor + v) + load16(j->offset + v);
            store16(dx + v, h + d);
        }
}

/* ------------------------------------------------------------------ rows */
#define ROW_BLOCK 4096 /* floats of a long row that are summed at a time */

INLINE float row_sum(const float *x, int64_t n)
{
    double total = 0.0;
    for (int64_t start = 0, i = 0; start < n; start += ROW_BLOCK) {
        int64_t stop = n - start < ROW_BLOCK ? n : start + ROW_BLOCK;
        F16 s = all16(0.0f), t = s;
        for (; i + 32 <= stop; i += 32) {
            s += load16(x + i);
            t += load16(x + i + 16);
        }
        for (; i + 16 <= stop; i += 16)
            s += load16(x + i);
        if (i < stop)
            t += only_last(load_last(x, n, 0.0f), i, n);
        total += lanes_sum(s + t);
    }
    return (float)(total / (double)n);
}

INLINE float row_squares(const float *x, int64_t n, float mean)
{
    double total = 0.0;
    for (int64_t start = 0, i = 0; start < n; start += ROW_BLOCK) {
        int64_t stop = n - start < ROW_BLOCK ? n : start + ROW_BLOCK;
        F16 s = all16(0.0f), t = s;
        for (; i + 32 <= stop; i += 32) {
            F16 d = load16(x + i) - mean, e = load16(x + i + 16) - mean;
            s += d * d;
            t += e * e;
        }
        for (; i + 16 <= stop; i += 16)
            s += (load16(x + i) - mean) * (load16(x + i) - mean);
        if (i < stop) {
            F16 d = only_last(load_last(x, n, 0.0f) - mean, i, n);
            t += d * d;
        }
        total += lanes_sum(s + t);
    }
    return (float)(total / (double)n);
}

INLINE void scale_row_by(const float *x, int64_t n, float mean, float factor,
                         float offset, int onto, float *y)
{
    if (n % 16) { /* first, because it reads what the others write */
        F16 d = (load_last(x, n, 0.0f) - mean) * factor + offset;
        F16 last = onto ? load_last(y, n, 0.0f) + d : d;
        for (int64_t i = 0; i + 16 <= n; i += 16) {
            F16 e = (load16(x + i) - mean) * factor + offset;
            store16(y + i, onto ? load16(y + i) + e : e);
        }
        store_last(y, last, n);
        return;
    }
    for (int64_t i = 0; i + 16 <= n; i += 16) {
        F16 d = (load16(x + i) - mean) * factor + offset;
        store16(y + i, onto ? load16(y + i) + d : d);
    }
}

/* (x - mean) * rate * factor + offset */
INLINE void normal_row(const Norm *j, const float *x, float mean, float rate, float *y)
{
    const float *f = j->factor, *o = j->offset;
    int64_t n = j->wide;
    for (int64_t i = 0; i + 16 <= n; i += 16)
        store16(y + i, (load16(x + i) - mean) * rate * load16(f + i) + load16(o + i));
    if (n % 16) {
        F16 h = (load_last(x, n, 0.0f) - mean) * rate;
        store_last(y, h * load_last(f, n, 0.0f) + load_last(o, n, 0.0f), n);
    }
}

/* dx = dy * factor * rate, and what comes by way of mean and rate; p: the sum of
 * dy * factor, q: that times h; dy and dy * h are added to s and t, the sums of columns;
 * h = (x - mean) * rate. */
INLINE void back_row(const Norm *j, int64_t r, float *sums, float *turned)
{
    int64_t n = j->wide, i = 0;
    const float *x = j->x + r * n, *dy = j->dy + r * n;
    float *dx = j->out + r * n, mean = j->mean[r], rate = j->bend[r];
    F16 s = all16(0.0f), t = s;
    for (; i + 16 <= n; i += 16) {
        F16 d = load16(dy + i), h = (load16(x + i) - mean) * rate;
        F16 g = d * load16(j->factor + i);
        s += g;
        t += g * h;
        store16(dx + i, g * rate);
        store16(sums + i, load16(sums + i) + d);
        store16(turned + i, load16(turned + i) + d * h);
    }
    if (i < n) {
        F16 g = load_last(dy, n, 0.0f) * load_last(j->factor, n, 0.0f);
        F16 h = (load_last(x, n, 0.0f) - mean) * rate;
        s += only_last(g, i, n);
        t += only_last(g * h, i, n);
        store_last(dx, g * rate, n);
    }
    for (; i < n; i++) {
        sums[i] += dy[i];
        turned[i] += dy[i] * ((x[i] - mean) * rate);
    }
    float p = j->p[r] = lanes_sum(s), q = j->q[r] = lanes_sum(t), each = 1.0f / (float)n;
    scale_row_by(x, n, mean, q * rate * rate * -0.5f * (2.0f * each), -p * rate * each, 1,
                 dx);
}

/* ------------------------------------------------------------------ parts */
static void OF_WIDTH(norm_columns)(const Norm *j, int64_t first, int64_t rows, int part)
{
    if (j->kind == SCALE || j->kind == BACK) {
        if (j->kind == SCALE)
            scale_columns(j, first, rows);
        else
            back_columns(j, first, rows);
        return;
    }
    float *p = j->p + part * j->wide, *q = j->q + part * j->wide;
    if (j->kind == MOMENTS) {
        moments_of(j->x + first * j->wide, rows, j->wide, p, q);
        return;
    }
    memset(p, 0, j->wide * sizeof(float));
    memset(q, 0, j->wide * sizeof(float));
    int64_t whole = rows / GROUP * GROUP;
    for (int64_t r = 0; r < whole; r += GROUP)
        slope_sums(j, first + r, GROUP, p, q);
    if (whole < rows)
        slope_sums(j, first + whole, rows - whole, p, q);
}

static void OF_WIDTH(norm_row)(const Norm *j, int64_t r, int part)
{
    const float *x = j->x + r * j->wide;
    int64_t n = j->wide;
    if (j->kind == ROW_MOMENTS) {
        j->p[r] = row_sum(x, n);
        j->q[r] = row_squares(x, n, j->p[r]);
    } else if (j->kind == ROW_SCALE)
        scale_row_by(x, n, j->mean[r], j->factor[r], j->offset[r], j->onto,
                     j->out + r * n);
    else if (j->kind == ROW_NORMAL)
        normal_row(j, x, j->mean[r], j->bend[r], j->out + r * n);
    else
        back_row(j, r, j->s + part * j->apart, j->t + part * j->apart);
}
