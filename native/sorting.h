/* What sorting.c and its loops share. */
#ifndef SORTING_H
#define SORTING_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

enum { INTEGERS, FLOATS, FLOATS_WITHOUT_NAN }; /* the last: NaN counts as -inf */

#define PIECE 256          /* keys at a time */
#define BLOCK 32           /* of them, looked at for a new one */
#define FEW 16             /* kept in order while a row is read */
#define LONG_ROW 65536     /* rows that are cut into parts, */
#define FEW_ROWS 16        /* where there are fewer */
#define MOST_ROW_PARTS 16

/* Whether k of n are found by sorting all, not those that begin with a large digit. */
#define ALL(n, k) ((k) > (n) / 4)

/* The parts of a row of n >= LONG_ROW. */
static inline int row_parts(int64_t n)
{
    int64_t parts = n / 32768;
    return parts < MOST_ROW_PARTS ? (int)parts : MOST_ROW_PARTS;
}

/* The k largest of each of `rows` rows of n, 1 <= k <= n < 2^31. */
typedef struct {
    int kind;
    int64_t rows, n, k;
    const void *x;
    void *values;
    int32_t *places;
} Top;

/* in_top_k of float32[rows][n]; `length`: rows in a part. */
typedef struct {
    int64_t rows, n, k, length;
    const float *x;
    const int64_t *targets;
    char *out;
} InTop;
#endif
