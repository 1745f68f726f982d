/* Random numbers as TensorFlow 1.12 draws them: what ops/random/original.py does on
 * arrays, see Note [Original numbers] there. Logarithms, sines and cosines are those of
 * the C library in float32, as they are in TensorFlow.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define RESERVED 256       /* blocks for each element that draws by trial */
#define BLOCKS_A_PART 8192 /* of a job that threads share */

enum { WORDS, UNIFORM, NORMAL, TRUNCATED };

typedef struct {
    int kind;
    uint32_t *words; /* the result: uint32 or float32 */
    int64_t count;
    uint64_t position;
    uint32_t k0, k1, high0, high1; /* the key, and the upper half of the counter */
} Draw;

static void philox_block(const Draw *d, uint64_t block, uint32_t out[4])
{
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32);
    uint32_t c2 = d->high0, c3 = d->high1, k0 = d->k0, k1 = d->k1;
    for (int i = 0; i < 10; i++) {
        uint64_t p0 = (uint64_t)0xD2511F53 * c0, p1 = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

static float fraction(uint32_t word)
{
    union {
        uint32_t bits;
        float value;
    } made = {(word & 0x7FFFFF) | 0x3F800000};
    return made.value - 1.0f;
}

/* Box and Muller's two numbers. */
static void bells(uint32_t a, uint32_t b, float out[2])
{
    float u = fraction(a);
    float size = sqrtf(-2.0f * logf(u < 1e-7f ? 1e-7f : u));
    float turn = (float)(6.283185307179586 * (double)fraction(b));
#ifdef __GLIBC__
    sincosf(turn, &out[0], &out[1]);
#else
    out[0] = sinf(turn);
    out[1] = cosf(turn);
#endif
    out[0] *= size;
    out[1] *= size;
}

/* Four numbers below 2 in size, from blocks of their own. */
static void truncated(const Draw *d, uint64_t block, float out[4])
{
    for (int have = 0; have < 4; block++) {
        uint32_t words[4];
        float z[4];
        philox_block(d, block, words);
        bells(words[0], words[1], z);
        bells(words[2], words[3], z + 2);
        for (int i = 0; i < 4 && have < 4; i++)
            if (fabsf(z[i]) < 2.0f)
                out[have++] = z[i];
    }
}

/* The four numbers (or words) of the group with this number. */
static void four(const Draw *d, uint64_t group, void *out)
{
    uint32_t words[4];
    if (d->kind == TRUNCATED) {
        truncated(d, d->position + group * RESERVED, out);
        return;
    }
    philox_block(d, d->position + group, words);
    for (int i = 0; i < 4; i++) {
        if (d->kind == WORDS)
            ((uint32_t *)out)[i] = words[i];
        else if (d->kind == UNIFORM)
            ((float *)out)[i] = fraction(words[i]);
        else if (i % 2 == 0)
            bells(words[i], words[i + 1], (float *)out + i);
    }
}

static void draw_part(void *work, int part, int slot)
{
    const Draw *d = work;
    int64_t whole = d->count / 4, start = (int64_t)part * BLOCKS_A_PART;
    int64_t stop = start + BLOCKS_A_PART < whole ? start + BLOCKS_A_PART : whole;
    for (int64_t group = start; group < stop; group++)
        four(d, group, d->words + 4 * group);
    if (stop == whole && d->count % 4) {
        uint32_t last[4];
        four(d, whole, last);
        memcpy(d->words + 4 * whole, last, 4 * (d->count % 4));
    }
}

/* draw(kind, array, position, k0, k1, high0, high1, threads): fill an array of 4 bytes an
 * element. */
static PyObject *draw(PyObject *module, PyObject *args)
{
    Py_buffer buffer;
    Draw d = {0};
    int threads;
    if (!PyArg_ParseTuple(args, "iw*KIIIIi", &d.kind, &buffer, &d.position, &d.k0, &d.k1,
                          &d.high0, &d.high1, &threads))
        return NULL;
    d.words = buffer.buf;
    d.count = buffer.len / 4;
    int64_t parts = (d.count / 4 + BLOCKS_A_PART - 1) / BLOCKS_A_PART;
    parts = parts ? parts : 1;
    Py_BEGIN_ALLOW_THREADS
#ifdef _WIN32
    for (int64_t part = 0; part < parts; part++)
        draw_part(&d, (int)part, 0);
#else
    run_parts(draw_part, &d, (int)parts, parts > 1 ? threads : 1);
#endif
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&buffer);
    Py_RETURN_NONE;
}
