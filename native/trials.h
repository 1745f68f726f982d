/* What trials.c and its loops share. */
#ifndef TRIALS_H
#define TRIALS_H
#include "draws.h"

#define EACH 1024 /* elements in a part */
#define AHEAD 2   /* blocks that are made for LANES elements at once */
#define SUMS 64   /* of probabilities: P(more | rate 10) < 1e-28 */

enum { OUR_GAMMA, OUR_POISSON, GAMMA, POISSON };

/* out[i] is drawn for parameters[i % m]. */
typedef struct {
    Draw d;
    int kind;
    const double *parameters;
    double *out;
    int64_t m, n;
} Trials;

/* What follows from a parameter; neighbours often share it. */
typedef struct {
    double of, d, c; /* gamma: c is sqrt(9 d), in TensorFlow's its inverse */
    double b, a, v_limit, scale, log_rate, rare, sums[SUMS];
    int made, count;
} Known;

/* Pairs of numbers from the blocks of one element of TensorFlow's, the second first. */
typedef struct {
    const Draw *d;
    uint32_t (*ahead)[4][LANES];
    uint64_t first, taken;
    int lane, bells_left, left;
    double size, turn, pair[2];
} Numbers;
#endif
