/* What the loops over windows of images share: windows.c cuts the work, and
 * windows_loops.h has what each width of vectors does of it.
 *
 * x: [n, h, w, c], y: [n, rows, columns, c], w: [kh, kw, c], in float32.
 */
#ifndef WINDOWS_H
#define WINDOWS_H
#include <stdint.h>

typedef struct {
    int64_t n, h, w, c, rows, columns;    /* sizes of x and y */
    int64_t kh, kw, down, right;          /* the window, strides */
    int64_t apart_h, apart_w;             /* dilations */
    int64_t above, before;                /* padding; the rest follows from the sizes */
} Windows;

#define WINDOW_SIZES 14

/* An entry of the filter, and the line (or column) of the source that it meets. */
typedef struct {
    int32_t tap, at;
} Meeting;

/* What the results along one axis are sums of. */
typedef struct {
    Meeting *all;
    int64_t *first; /* [count + 1] of `all`: those of each result */
    int32_t *alike; /* [count] how many from this one on differ by `step` only */
    float *entries; /* [windows] how many entries of each window are there */
} Axis;

/* What all the threads that work on one call read. */
typedef struct {
    Windows s;
    Axis down, across;
    int64_t step; /* of the source from a column to the next that is alike */
    const float *a, *b, *given; /* the source; filters or y; dy */
    float *out, *sums;
    int64_t lines, columns, wide; /* of the result, of the result, of the source */
    int64_t high;                 /* lines of the source */
    int64_t band, per_image;      /* lines in a part; parts of an image */
    int64_t groups;               /* of lines, each with a sum of the filters' gradient */
    int apart, whole;             /* no entry lies in two windows; each in just one */
} WindowWork;

/* Result [line] of image [image]. */
typedef void WindowLine(const WindowWork *j, int64_t image, int64_t line);
#endif
