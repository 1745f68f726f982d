/* FarmHash's fingerprints of strings (Geoff Pike, 2014: farmhashna's of 64 bits,
 * farmhashcc's of 128): ops/core/fingerprint.py and fingerprint128.py have the same on
 * arrays. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#include "pool.h"
#include <string.h>

#define K0 UINT64_C(0xC3A5C85C97CB3127)
#define K1 UINT64_C(0xB492B66FBE98F273)
#define K2 UINT64_C(0x9AE16A3B2F90404F)
#define PAIR UINT64_C(0x9DDFEA08EB382D69)

#ifdef __GNUC__
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PREFETCH(p) ((void)(p))
#endif
enum { AHEAD = 16, EACH = 1024 }; /* strings fetched before their turn; of a part */

typedef struct {
    uint64_t a, b;
} Two;

static inline uint64_t u64(const unsigned char *s)
{
    uint64_t x;
    memcpy(&x, s, sizeof x);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

static inline uint64_t u32(const unsigned char *s)
{
    return s[0] | (uint64_t)s[1] << 8 | (uint64_t)s[2] << 16 | (uint64_t)s[3] << 24;
}

static inline uint64_t turn(uint64_t x, int right) { return x >> right | x << (64 - right); }

static inline uint64_t shift_mix(uint64_t x) { return x ^ x >> 47; }

static inline uint64_t mix(uint64_t u, uint64_t v, uint64_t by)
{
    return shift_mix((v ^ shift_mix((u ^ v) * by)) * by) * by;
}

static uint64_t up_to_16(const unsigned char *s, size_t n)
{
    uint64_t by = K2 + 2 * n;
    if (n >= 8) {
        uint64_t a = u64(s) + K2, b = u64(s + n - 8);
        return mix(turn(b, 37) * by + a, (turn(a, 25) + b) * by, by);
    }
    if (n >= 4)
        return mix(n + (u32(s) << 3), u32(s + n - 4), by);
    if (!n)
        return K2;
    uint64_t y = s[0] + ((uint64_t)s[n >> 1] << 8), z = n + ((uint64_t)s[n - 1] << 2);
    return shift_mix(y * K2 ^ z * K0) * K2;
}

static uint64_t up_to_32(const unsigned char *s, size_t n)
{
    uint64_t by = K2 + 2 * n, a = u64(s) * K1, b = u64(s + 8);
    uint64_t c = u64(s + n - 8) * by, d = u64(s + n - 16) * K2;
    return mix(turn(a + b, 43) + turn(c, 30) + d, a + turn(b + K2, 18) + c, by);
}

static uint64_t up_to_64(const unsigned char *s, size_t n)
{
    uint64_t by = K2 + 2 * n, a = u64(s) * K2, b = u64(s + 8);
    uint64_t c = u64(s + n - 8) * by, d = u64(s + n - 16) * K2;
    uint64_t y = turn(a + b, 43) + turn(c, 30) + d;
    uint64_t z = mix(y, a + turn(b + K2, 18) + c, by);
    uint64_t e = u64(s + 16) * by, f = u64(s + 24);
    uint64_t g = (y + u64(s + n - 32)) * by, h = (z + u64(s + n - 24)) * by;
    return mix(turn(e + f, 43) + turn(g, 30) + h, e + turn(f + a, 18) + g, by);
}

static inline Two weak(const unsigned char *s, uint64_t a, uint64_t b)
{
    a += u64(s);
    b = turn(b + a + u64(s + 24), 21);
    uint64_t c = a;
    a += u64(s + 8) + u64(s + 16);
    return (Two){a + u64(s + 24), b + turn(a, 44) + c};
}

typedef struct {
    uint64_t x, y, z;
    Two v, w;
} Long;

/* A block of 64 bytes; `nine` is another factor in the last one. */
static inline void block(Long *h, const unsigned char *s, uint64_t by, uint64_t nine)
{
    h->x = turn(h->x + h->y + h->v.a + u64(s + 8), 37) * by;
    h->y = turn(h->y + h->v.b + u64(s + 48), 42) * by;
    h->x ^= h->w.b * nine;
    h->y += h->v.a * nine + u64(s + 40);
    h->z = turn(h->z + h->w.a, 33) * by;
    h->v = weak(s, h->v.b * by, h->x + h->w.a);
    h->w = weak(s + 32, h->z + h->w.b, h->y + u64(s + 16));
    uint64_t x = h->x;
    h->x = h->z, h->z = x;
}

static uint64_t farm64_of(const unsigned char *s, size_t n)
{
    if (n <= 32)
        return n <= 16 ? up_to_16(s, n) : up_to_32(s, n);
    if (n <= 64)
        return up_to_64(s, n);
    Long h = {81 * K2 + u64(s), 81 * K1 + 113, 0, {0, 0}, {0, 0}};
    h.z = shift_mix(h.y * K2 + 113) * K2;
    size_t end = (n - 1) / 64 * 64;
    for (size_t at = 0; at < end; at += 64)
        block(&h, s + at, K1, 1);
    uint64_t by = K1 + ((h.z & 0xFF) << 1);
    h.w.a += (n - 1) & 63;
    h.v.a += h.w.a;
    h.w.a += h.v.a;
    block(&h, s + n - 64, by, 9);
    return mix(mix(h.v.a, h.w.a, by) + shift_mix(h.y) * K0 + h.z,
               mix(h.v.b, h.w.b, by) + h.x, by);
}

static inline uint64_t scrambled(uint64_t x) { return shift_mix(x * K1) * K1; }

static Two short_128(const unsigned char *s, size_t n, uint64_t a, uint64_t b)
{
    uint64_t c, d;
    if (n <= 16) {
        a = scrambled(a);
        c = b * K1 + up_to_16(s, n);
        d = shift_mix(a + (n >= 8 ? u64(s) : c));
    } else {
        c = mix(u64(s + n - 8) + K1, a, PAIR);
        d = mix(b + n, c + u64(s + n - 16), PAIR);
        a += d;
        for (size_t at = 0; at + 16 < n; at += 16) {
            a = (a ^ scrambled(u64(s + at))) * K1;
            b ^= a;
            c = (c ^ scrambled(u64(s + at + 8))) * K1;
            d ^= c;
        }
    }
    a = mix(a, c, PAIR);
    b = mix(d, b, PAIR);
    return (Two){a ^ b, mix(b, a, PAIR)};
}

static Two long_128(const unsigned char *s, size_t n, uint64_t x, uint64_t y)
{
    Long h = {x, y, n * K1, {0, 0}, {0, 0}};
    h.v.a = turn(y ^ K1, 49) * K1 + u64(s);
    h.v.b = turn(h.v.a, 42) * K1 + u64(s + 8);
    h.w = (Two){turn(y + h.z, 35) * K1 + x, turn(x + u64(s + 88), 53) * K1};
    size_t end = n / 128 * 128;
    for (size_t at = 0; at < end; at += 64)
        block(&h, s + at, K1, 1);
    h.x += turn(h.v.a + h.z, 49) * K0;
    h.y = h.y * K0 + turn(h.w.b, 37);
    h.z = h.z * K0 + turn(h.w.a, 27);
    h.w.a *= 9;
    h.v.a *= K0;
    for (size_t done = 0; done < n - end;) { /* the last bytes, from the end */
        done += 32;
        const unsigned char *last = s + n - done;
        h.y = turn(h.x + h.y, 42) * K0 + h.v.b;
        h.w.a += u64(last + 16);
        h.x = h.x * K0 + h.w.a;
        h.z += h.w.b + u64(last);
        h.w.b += h.v.a;
        h.v = weak(last, h.v.a + h.z, h.v.b);
        h.v.a *= K0;
    }
    x = mix(h.x, h.v.a, PAIR), y = mix(h.y + h.z, h.w.a, PAIR);
    return (Two){mix(x + h.v.b, h.w.b, PAIR) + y, mix(x + h.w.b, y + h.v.b, PAIR)};
}

static Two farm128_of(const unsigned char *s, size_t n)
{
    uint64_t a = K0, b = K1;
    if (n >= 16)
        a = u64(s), b = u64(s + 8) + K0, s += 16, n -= 16;
    return n < 128 ? short_128(s, n, a, b) : long_128(s, n, a, b);
}

typedef struct {
    PyObject *const *texts;
    Py_ssize_t count;
    uint64_t *out;
    int words;
} Hashing;

static void hash_part(void *work, int part, int slot)
{
    const Hashing *w = work;
    Py_ssize_t start = (Py_ssize_t)part * EACH, count = w->count;
    for (Py_ssize_t i = start; i < count && i < start + EACH; i++) {
        if (i + AHEAD < count)
            PREFETCH(w->texts[i + AHEAD]), PREFETCH((char *)w->texts[i + AHEAD] + 64);
        const unsigned char *s = (const unsigned char *)PyBytes_AS_STRING(w->texts[i]);
        size_t n = (size_t)PyBytes_GET_SIZE(w->texts[i]);
        if (w->words == 1)
            w->out[i] = farm64_of(s, n);
        else
            ((Two *)w->out)[i] = farm128_of(s, n);
    }
}

/* The GIL is kept: nobody takes a text out of its list. */
static int hash_all(PyObject *const *texts, Py_ssize_t count, uint64_t *out, int words)
{
    Hashing w = {texts, count, out, words};
    Py_ssize_t parts = (count + EACH - 1) / EACH;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (i + AHEAD < count && texts[i + AHEAD])
            PREFETCH(texts[i + AHEAD]);
        if (!texts[i] || !PyBytes_Check(texts[i]))
            return 0;
    }
#ifndef _WIN32
    if (parts > 1 && parts <= INT32_MAX) {
        run_parts(hash_part, &w, (int)parts, threads_now());
        return 1;
    }
#endif
    for (Py_ssize_t part = 0; part < parts; part++)
        hash_part(&w, (int)part, 0);
    return 1;
}

/* fingerprints(list or array of bytes, out, words): of 64 bits each, or of 128. */
static PyObject *fingerprints(PyObject *module, PyObject *args)
{
    PyObject *array;
    Py_buffer texts, out;
    int words;
    if (!PyArg_ParseTuple(args, "Ow*i", &array, &out, &words))
        return NULL;
    int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS, good = words == 1 || words == 2;
    if (good && PyList_Check(array)) {
        Py_ssize_t count = PyList_GET_SIZE(array);
        good = out.len == count * words * 8 &&
               hash_all(PySequence_Fast_ITEMS(array), count, out.buf, words);
    } else if (good && (good = PyObject_GetBuffer(array, &texts, flags) == 0)) {
        Py_ssize_t count = texts.len / (Py_ssize_t)sizeof(PyObject *);
        good = texts.format && !strcmp(texts.format, "O") &&
               out.len == count * words * 8 &&
               hash_all(texts.buf, count, out.buf, words);
        PyBuffer_Release(&texts);
    }
    PyBuffer_Release(&out);
    if (!good && !PyErr_Occurred())
        return wrong_sizes("fingerprints");
    return good ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef fingerprint_methods[] = {
    {"fingerprints", fingerprints, METH_VARARGS, "FarmHash's fingerprints."},
    {NULL, NULL, 0, NULL},
};
