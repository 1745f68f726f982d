/* What fourier.c and its loops share. */
#ifndef FOURIER_H
#define FOURIER_H
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

#define MOST_STAGES 20
#define MOST_RADIX 61

/* A transform of n numbers as stages of small transforms (Stockham's order). */
typedef struct {
    int64_t n;
    int users, stages, radix[MOST_STAGES];
    float *turns[MOST_STAGES]; /* exp(-2 pi i p k / length): [p][k - 1] pairs */
    float at[];
} Plan;

/* What is transformed: [outer][n][inner] complex numbers, along n. A line of the input
 * and of the output may be longer than n (rows), in floats. */
enum { COMPLEX, TO_HALF, FROM_HALF };
typedef struct {
    int kind, swap; /* the inverse swaps real and imaginary parts on both ends */
    int64_t outer, n, inner;
    int64_t line_in, line_out, count_in, count_out; /* complex numbers in a row */
    const float *x;
    float *y;
    float scale;
    const Plan *plan, *second; /* the second of a long row of n1 * n2, else NULL */
    const float *half;         /* exp(-2 pi i k / 2n), k <= n, between real and complex */
    int64_t n1, n2, each;      /* groups of 16 lines in a part */
    float *middle, *buffers;   /* of the long row; of each slot */
    int64_t room;              /* floats of a slot */
} Fourier;
#endif
