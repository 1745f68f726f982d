/* The loops of reduce.c: what rows come to, and what columns do. */
#include "row_ends.h"

#ifndef REDUCE_LOOPS_H
#define REDUCE_LOOPS_H
#define CHUNK 1024 /* floats: 16 in each of 64 sums */
#define NARROW 64  /* columns that do not fill vectors well */

enum { SUM, MOST, LEAST };

#define join16 OF_WIDTH(join16_)
#define join1 OF_WIDTH(join1_)
#define neutral OF_WIDTH(neutral_)
#define of_lanes OF_WIDTH(of_lanes_)
#define last_of OF_WIDTH(last_of_)
#define is_any OF_WIDTH(is_any_)
#define chunk OF_WIDTH(chunk_)
#define tree OF_WIDTH(tree_)
#define of_row OF_WIDTH(of_row_)
#define join_rows OF_WIDTH(join_rows_)
#define join_eight OF_WIDTH(join_eight_)
#define of_columns OF_WIDTH(of_columns_)
#define of_narrow OF_WIDTH(of_narrow_)
#define reduce_unit OF_WIDTH(reduce_unit_)
#define place_of OF_WIDTH(place_of_)
#endif

/* What changes nothing: 0 + -0. is 0, but -0. + -0. is -0. */
INLINE float neutral(int kind)
{
    return kind == SUM ? -0.0f : kind == MOST ? -INFINITY : INFINITY;
}

/* NaN is passed over by the extremes: `a` is none. */
INLINE F16 join16(int kind, F16 a, F16 x)
{
    if (kind == SUM)
        return a + x;
    return kind == MOST ? most16(a, x) : least16(a, x);
}

INLINE float join1(int kind, float a, float x)
{
    if (kind == SUM)
        return a + x;
    return (kind == MOST ? x > a : x < a) ? x : a;
}

/* Half of the lanes with the other half, and so on. */
INLINE float of_lanes(int kind, F16 v)
{
    float x[16];
    store16(x, v);
    for (int half = 8; half; half /= 2)
        for (int i = 0; i < half; i++)
            x[i] = join1(kind, x[i], x[i + half]);
    return x[0];
}

/* What no loop that ended at i has seen of n floats, and what changes nothing. */
INLINE F16 last_of(int kind, const float *x, int64_t i, int64_t n)
{
    F16 none = all16(neutral(kind));
    if (n < 16)
        return load_some(x, n, neutral(kind));
    return choose16(LANES >= (int)(16 - (n - i)), load16(x + n - 16), none);
}

INLINE F16 chunk(int kind, const float *x, int64_t n)
{
    F16 a = all16(neutral(kind)), b = a, c = a, d = a;
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) {
        a = join16(kind, a, load16(x + i));
        b = join16(kind, b, load16(x + i + 16));
        c = join16(kind, c, load16(x + i + 32));
        d = join16(kind, d, load16(x + i + 48));
    }
    for (; i + 16 <= n; i += 16)
        a = join16(kind, a, load16(x + i));
    if (i < n)
        a = join16(kind, a, last_of(kind, x, i, n));
    return join16(kind, join16(kind, a, b), join16(kind, c, d));
}

/* Chunks by pairs, so that the error grows with the logarithm of n. */
static void tree(const float *x, int64_t n, F16 *out)
{
    if (n <= CHUNK) {
        *out = chunk(SUM, x, n);
        return;
    }
    int64_t half = (n / 2 + CHUNK - 1) / CHUNK * CHUNK;
    F16 rest;
    tree(x, half, out);
    tree(x + half, n - half, &rest);
    *out += rest;
}

INLINE float of_row(int kind, const float *x, int64_t n)
{
    F16 lanes;
    if (kind == SUM && n > CHUNK)
        tree(x, n, &lanes);
    else
        lanes = chunk(kind, x, n);
    return of_lanes(kind, lanes);
}

/* Sums by pairs; extremes one by one, since NaN may only come second. */
INLINE F16 join_eight(int kind, F16 a, const F16 r[8])
{
    if (kind == SUM)
        return a + (((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7])));
    for (int i = 0; i < 8; i++)
        a = join16(kind, a, r[i]);
    return a;
}

/* Join 1 or 8 rows to those before. */
INLINE void join_rows(int kind, int rows, const float *x, int64_t stride, int64_t width,
                      float *out)
{
    F16 r[8];
    int64_t v = 0;
    for (; v + 16 <= width; v += 16) {
        for (int i = 0; i < rows; i++)
            r[i] = load16(x + i * stride + v);
        F16 before = load16(out + v);
        store16(out + v, rows == 8 ? join_eight(kind, before, r)
                                   : join16(kind, before, r[0]));
    }
    for (; v < width; v++)
        for (int i = 0; i < rows; i++)
            out[v] = join1(kind, out[v], x[i * stride + v]);
}

INLINE void of_columns(int kind, const float *x, int64_t rows, int64_t stride,
                       int64_t width, float *out)
{
    int64_t r = 0;
    for (int64_t v = 0; v < width; v++)
        out[v] = neutral(kind);
    for (; r + 8 <= rows; r += 8)
        join_rows(kind, 8, x + r * stride, stride, width, out);
    for (; r < rows; r++)
        join_rows(kind, 1, x + r * stride, stride, width, out);
}

/* Few columns: so many rows as fill whole vectors are taken for one. */
INLINE void of_narrow(int kind, const float *x, int64_t rows, int64_t width, float *out)
{
    float wide[16 * NARROW];
    int64_t fold = 16;
    while (fold > 1 && width * fold % 32 == 0 && width * fold / 2 >= NARROW)
        fold /= 2;
    int64_t whole = rows / fold;
    if (whole)
        of_columns(kind, x, whole, fold * width, fold * width, wide);
    for (int64_t v = 0; v < width; v++) {
        out[v] = whole ? wide[v] : neutral(kind);
        for (int64_t i = 1; whole && i < fold; i++)
            out[v] = join1(kind, out[v], wide[i * width + v]);
    }
    for (int64_t r = whole * fold; r < rows; r++)
        for (int64_t v = 0; v < width; v++)
            out[v] = join1(kind, out[v], x[r * width + v]);
}

/* One block of rows in one tile of columns; with one column, of a row. */
INLINE void reduce_unit(int kind, const float *x, int64_t rows, int64_t inner,
                        int64_t width, float *out)
{
    if (inner == 1)
        *out = of_row(kind, x, rows);
    else if (inner < NARROW)
        of_narrow(kind, x, rows, inner, out);
    else
        of_columns(kind, x, rows, inner, width, out);
}

static void OF_WIDTH(reduce)(int kind, const float *x, int64_t rows, int64_t inner,
                             int64_t width, float *out)
{
    if (kind == SUM)
        reduce_unit(SUM, x, rows, inner, width, out);
    else if (kind == MOST)
        reduce_unit(MOST, x, rows, inner, width, out);
    else
        reduce_unit(LEAST, x, rows, inner, width, out);
}

INLINE int is_any(I16 v)
{
    int64_t w[8];
    memcpy(w, &v, sizeof v);
    return ((w[0] | w[1]) | (w[2] | w[3])) || ((w[4] | w[5]) | (w[6] | w[7]));
}

/* The first place of the extreme; a row of NaN and the worst value has it at 0. */
INLINE int64_t place_of(int kind, const float *x, int64_t n)
{
    float found = of_row(kind, x, n);
    int64_t i = 0;
    if (found == neutral(kind))
        return 0;
    for (; i + 64 <= n; i += 64) {
        I16 here = equal16(load16(x + i), all16(found));
        I16 more = equal16(load16(x + i + 16), all16(found));
        here |= load16(x + i + 32) == found;
        more |= load16(x + i + 48) == found;
        if (is_any(here | more))
            break;
    }
    while (i < n && x[i] != found)
        i++;
    return i;
}

static void OF_WIDTH(place)(int kind, const float *x, int64_t n, int64_t *out)
{
    *out = kind == MOST ? place_of(MOST, x, n) : place_of(LEAST, x, n);
}
