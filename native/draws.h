/* What draws.c and its loops share. */
#ifndef DRAWS_H
#define DRAWS_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#define RESERVED 256       /* blocks for each element that draws by trial */
#define BLOCKS_A_PART 8192 /* of a job that threads share */
#define LANES 64           /* blocks at a time */

/* Of TensorFlow's draws, where block after block is laid out; of ours, where the first
 * words of all blocks come first. */
enum { WORDS, UNIFORM, NORMAL, TRUNCATED, OUR_WORDS, OUR_UNIFORM };

typedef struct {
    int kind;
    uint32_t *words; /* the result: uint32 or float32 */
    int64_t count;
    uint64_t position;
    uint32_t k0, k1, high0, high1; /* the key, and the upper half of the counter */
} Draw;

/* Normal numbers of uniform ones, in place: `half` first and `half` second ones. */
typedef struct {
    float *u;
    int64_t half;
} Bells;

/* low + a number below `span` for each word (or pair of words, a second array of them). */
typedef struct {
    const uint32_t *words, *second;
    uint32_t *out;
    int64_t count;
    uint64_t span;
    uint32_t low;
} Ranged;

/* Classes by the sums of exp(logits - the largest), for uniform numbers u: [rows][n]
 * logits, float64[rows][k] numbers, int64[rows][k] classes. */
typedef struct {
    const void *logits;
    const double *u;
    int64_t *out, rows, n, k, each; /* rows in a part */
    int wide;
    double *sums; /* n for each slot */
    int odd;      /* whether a row has NaN or no finite largest one */
} Chosen;

#define PAIRS_A_PART 16384

/* log of float32 as glibc computes it: the table and polynomial of Arm's Optimized
 * Routines (MIT licence), by Szabolcs Nagy. {1 / c, log c} for c in the middle of each
 * sixteenth of [0.7, 1.4). */
static const double log_table[2][16] = {
    {0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0,
     0x1.3c995b0b80385p+0, 0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0,
     0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0, 0x1.0953f419900a7p+0, 0x1p+0,
     0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1, 0x1.b2036576afce6p-1,
     0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1, 0x1.767dcf5534862p-1},
    {-0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2, -0x1.01eae7f513a67p-2,
     -0x1.b31d8a68224e9p-3, -0x1.6574f0ac07758p-3, -0x1.1aa2bc79c81p-3,
     -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4, -0x1.252f438e10c1ep-5, 0,
     0x1.aa5aa5df25984p-5, 0x1.c5e53aa362eb4p-4, 0x1.526e57720db08p-3,
     0x1.bc2860d22477p-3, 0x1.1058bc8a07ee1p-2, 0x1.4043057b6ee09p-2},
};
#endif
