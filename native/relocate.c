/* Elements put elsewhere: a copy between two arrays of one shape, whatever their strides.
 *
 * A transpose, a part, a repetition or a reversal is a view for NumPy; this lays it out.
 * Axes that run on into each other count as one. Where both arrays have their neighbours
 * along the same axis, runs are copied; where along different ones, square tiles turned
 * round, so that each line of the cache is read and written once.
 */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include <string.h>

#define MOST_AXES 32
#define SHARED_BYTES (1 << 19) /* from here on threads share the work */
#define SHARE_BYTES (1 << 17)
#define MOST_PARTS 64
#define TILE 16        /* elements along a side */
#define REPEATED 2048  /* bytes of a run of one element */
#define LENGTH 256     /* of a row of tiles */
#define MOST_RUN 16384 /* bytes of a run that is one block */

enum { RUNS, TILES, SINGLES };

typedef struct {
    int64_t size, to, from; /* strides in bytes */
} Axis;

typedef struct {
    char *to;
    const char *from;
    int64_t item;
    int nd, kind;
    Axis axes[MOST_AXES]; /* the last one or two are those of a block */
    int64_t most;           /* elements in a run that is one block */
    int64_t across, pieces; /* blocks along the last axis; along the last two */
    int64_t blocks, a_part; /* blocks in all; in a part */
} Copy;

/* Elements as numbers of their size: nothing is computed with them. */
typedef uint16_t Two __attribute__((aligned(1), may_alias));
typedef uint32_t Four __attribute__((aligned(1), may_alias));
typedef uint64_t Eight __attribute__((aligned(1), may_alias));
typedef struct {
    Eight a, b;
} Sixteen;

#define SINGLE(type)                                                                    \
    static void turn_##type(char *to, const char *from, Axis down, Axis along)          \
    {                                                                                   \
        for (int64_t i = 0; i < down.size; i++)                                         \
            for (int64_t k = 0; k < along.size; k++)                                    \
                *(type *)(to + i * down.to + k * along.to) =                            \
                    *(const type *)(from + i * down.from + k * along.from);             \
    }                                                                                   \
    static void singles_##type(char *to, const char *from, Axis along)                  \
    {                                                                                   \
        if (along.to == sizeof(type) && along.from == -(int64_t)sizeof(type)) {         \
            for (int64_t k = 0; k < along.size; k++)                                    \
                ((type *)to)[k] = ((const type *)from)[-k];                             \
        } else if (along.to == sizeof(type))                                            \
            for (int64_t k = 0; k < along.size; k++, from += along.from)                \
                ((type *)to)[k] = *(const type *)from;                                  \
        else                                                                            \
            for (int64_t k = 0; k < along.size; k++)                                    \
                *(type *)(to + k * along.to) = *(const type *)(from + k * along.from);  \
    }
SINGLE(uint8_t)
SINGLE(Two)
SINGLE(Four)
SINGLE(Eight)
SINGLE(Sixteen)

#define BY_ITEM(item, name, ...)                                                        \
    (item == 4   ? name##_Four(__VA_ARGS__)                                             \
     : item == 8 ? name##_Eight(__VA_ARGS__)                                            \
     : item == 1 ? name##_uint8_t(__VA_ARGS__)                                          \
     : item == 2 ? name##_Two(__VA_ARGS__)                                              \
                 : name##_Sixteen(__VA_ARGS__))

typedef int32_t Quad __attribute__((vector_size(16)));
typedef int64_t Pair __attribute__((vector_size(16)));
#if defined(__clang__)
#define MIX(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIX(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif

static inline Quad quad_at(const char *p)
{
    Quad v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* One element again and again: a few of them, and runs of these. */
static void repeat(char *to, const char *from, int64_t item, int64_t count)
{
    int64_t some = count < REPEATED / item ? count : REPEATED / item;
    BY_ITEM(item, singles, to, from, (Axis){some, item, 0});
    for (int64_t done = some; done < count; done += some) {
        some = count - done < some ? count - done : some;
        memcpy(to + done * item, to, some * item);
    }
}

/* 16 x 16 elements of 4 bytes: `from` has its neighbours along the rows of the result. */
static void turn_tile(char *to, const char *from, int64_t to_row, int64_t from_row)
{
    char rows[TILE][64]; /* so that a line of the cache is read once */
    for (int k = 0; k < TILE; k++)
        memcpy(rows[k], from + k * from_row, 64);
    for (int part = 0; part < 64; part += 16, to += 4 * to_row)
        for (int k = 0; k < TILE; k += 4) {
            Quad a = quad_at(rows[k] + part), b = quad_at(rows[k + 1] + part);
            Quad c = quad_at(rows[k + 2] + part), d = quad_at(rows[k + 3] + part);
            Pair ab = (Pair)MIX(Quad, a, b, 0, 4, 1, 5);
            Pair cd = (Pair)MIX(Quad, c, d, 0, 4, 1, 5);
            Pair ab2 = (Pair)MIX(Quad, a, b, 2, 6, 3, 7);
            Pair cd2 = (Pair)MIX(Quad, c, d, 2, 6, 3, 7);
            Pair turned[4] = {MIX(Pair, ab, cd, 0, 2), MIX(Pair, ab, cd, 1, 3),
                              MIX(Pair, ab2, cd2, 0, 2), MIX(Pair, ab2, cd2, 1, 3)};
            for (int r = 0; r < 4; r++)
                memcpy(to + r * to_row + 4 * k, &turned[r], 16);
        }
}

/* A row of tiles; at the ends there is less than a tile. */
static void copy_tiles(const Copy *c, char *to, const char *from, int64_t piece)
{
    Axis down = c->axes[c->nd - 2], along = c->axes[c->nd - 1];
    int64_t rows = c->pieces / c->across, i = piece % rows * TILE, k = piece / rows * LENGTH;
    int64_t end = k + LENGTH < along.size ? k + LENGTH : along.size;
    down.size = down.size - i < TILE ? down.size - i : TILE;
    to += i * down.to + k * along.to;
    from += i * down.from + k * along.from;
    for (; k < end; k += TILE, to += TILE * along.to, from += TILE * along.from) {
        along.size = end - k < TILE ? end - k : TILE;
        if (c->item == 4 && down.size == TILE && along.size == TILE)
            turn_tile(to, from, down.to, along.from);
        else
            BY_ITEM(c->item, turn, to, from, down, along);
    }
}

static void copy_block(const Copy *c, char *to, const char *from, int64_t piece)
{
    Axis along = c->axes[c->nd - 1];
    if (c->kind == TILES) {
        copy_tiles(c, to, from, piece);
        return;
    }
    int64_t most = c->most, first = piece * most;
    to += first * along.to;
    from += first * along.from;
    along.size = along.size - first < most ? along.size - first : most;
    if (c->kind == RUNS)
        memcpy(to, from, along.size * c->item);
    else if (along.from == 0 && along.to == c->item)
        repeat(to, from, c->item, along.size);
    else
        BY_ITEM(c->item, singles, to, from, along);
}

/* Short runs: the pixels of an image that is turned round. */
#define COPY_SHORT(bytes)                                                               \
    case bytes:                                                                         \
        for (int64_t i = 0; i < n; i++)                                                 \
            memcpy(to + i * row.to, from + i * row.from, bytes);                        \
        break;

static void copy_runs(char *to, const char *from, Axis row, int64_t n, int64_t bytes)
{
    switch (bytes) {
        COPY_SHORT(3)
        COPY_SHORT(4)
        COPY_SHORT(8)
        COPY_SHORT(12)
        COPY_SHORT(16)
    default:
        for (int64_t i = 0; i < n; i++)
            memcpy(to + i * row.to, from + i * row.from, bytes);
    }
}

/* The first `n` blocks along an axis, each of which is one piece. */
static void copy_row(const Copy *c, char *to, const char *from, Axis row, int64_t n)
{
    int64_t bytes = c->axes[c->nd - 1].size * c->item;
    if (c->kind == RUNS)
        copy_runs(to, from, row, n, bytes);
    else
        for (int64_t i = 0; i < n; i++)
            copy_block(c, to + i * row.to, from + i * row.from, 0);
}

static void copy_part(void *work, int part, int slot)
{
    const Copy *c = work;
    int outer = c->nd - (c->kind == TILES ? 2 : 1);
    int64_t block = part * c->a_part, last = block + c->a_part, at[MOST_AXES];
    last = last < c->blocks ? last : c->blocks;
    int64_t piece = block % c->pieces, rest = block / c->pieces;
    char *to = c->to;
    const char *from = c->from;
    for (int k = outer - 1; k >= 0; k--) {
        at[k] = rest % c->axes[k].size;
        rest /= c->axes[k].size;
        to += at[k] * c->axes[k].to;
        from += at[k] * c->axes[k].from;
    }
    while (block < last) {
        if (outer && c->pieces == 1) { /* all of these blocks but one */
            int64_t n = last - block, left = c->axes[outer - 1].size - at[outer - 1];
            n = (n < left ? n : left) - 1;
            copy_row(c, to, from, c->axes[outer - 1], n);
            at[outer - 1] += n;
            block += n;
            to += n * c->axes[outer - 1].to;
            from += n * c->axes[outer - 1].from;
        }
        copy_block(c, to, from, piece);
        block++;
        if (++piece < c->pieces)
            continue;
        piece = 0;
        for (int k = outer - 1; k >= 0; k--) {
            const Axis *a = &c->axes[k];
            to += a->to;
            from += a->from;
            if (++at[k] < a->size)
                break;
            at[k] = 0;
            to -= a->size * a->to;
            from -= a->size * a->from;
        }
    }
}

/* ------------------------------------------------------------------ the plan */
static void add_axis(Copy *c, Axis a)
{
    Axis *last = c->nd ? &c->axes[c->nd - 1] : NULL;
    if (last && last->to == a.size * a.to && last->from == a.size * a.from)
        *last = (Axis){last->size * a.size, a.to, a.from};
    else
        c->axes[c->nd++] = a;
}

/* Short runs are elements of their size. */
static void widen(Copy *c)
{
    const Axis *last = &c->axes[c->nd - 1];
    int64_t bytes = last->size * c->item;
    int runs = last->to == c->item && last->from == c->item;
    if (c->nd > 1 && runs && (bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16)) {
        c->item = bytes;
        c->nd--;
    }
}

/* Put the axis along which `from` has its neighbours before the last; whether there is
 * one, so that tiles pay. */
static int find_tiles(Copy *c)
{
    for (int k = 0; k < c->nd - 1; k++) {
        Axis down = c->axes[k];
        if (down.from == c->item && c->axes[c->nd - 1].to == c->item) {
            memmove(&c->axes[k], &c->axes[k + 1], (c->nd - 2 - k) * sizeof down);
            c->axes[c->nd - 2] = down;
            return 1;
        }
    }
    return 0;
}

/* Cut the copy into blocks; into how many parts these go. */
static int64_t cut(Copy *c)
{
    const Axis *last = &c->axes[c->nd - 1];
    int64_t most = c->most = MOST_RUN / c->item, bytes = MOST_RUN;
    c->kind = last->to == c->item && last->from == c->item ? RUNS
              : find_tiles(c)                              ? TILES
                                                           : SINGLES;
    if (c->kind == TILES) {
        int64_t rows = c->axes[c->nd - 2].size;
        c->across = (last->size + LENGTH - 1) / LENGTH;
        c->pieces = (rows + TILE - 1) / TILE * c->across;
        bytes = (rows < TILE ? rows : TILE) * (last->size < LENGTH ? last->size : LENGTH);
        bytes *= c->item;
    } else {
        c->pieces = (last->size + most - 1) / most;
        bytes = last->size < most ? last->size * c->item : MOST_RUN;
    }
    c->blocks = c->pieces;
    for (int k = 0; k < c->nd - (c->kind == TILES ? 2 : 1); k++)
        c->blocks *= c->axes[k].size;
    c->a_part = (SHARE_BYTES + bytes - 1) / bytes;
    int64_t least = (c->blocks + MOST_PARTS - 1) / MOST_PARTS;
    c->a_part = c->a_part > least ? c->a_part : least;
    return (c->blocks + c->a_part - 1) / c->a_part;
}

/* Whether the arrays have one shape and size of elements that the loops know. */
static int fits(const Py_buffer *to, const Py_buffer *from)
{
    int64_t n = to->itemsize;
    if (to->ndim != from->ndim || to->ndim > MOST_AXES || n != from->itemsize)
        return 0;
    for (int i = 0; i < to->ndim; i++)
        if (to->shape[i] != from->shape[i])
            return 0;
    return n == 1 || n == 2 || n == 4 || n == 8 || n == 16;
}

static void relocate_all(const Py_buffer *to, const Py_buffer *from)
{
    Copy c = {.to = to->buf, .from = from->buf, .item = to->itemsize};
    for (int i = 0; i < to->ndim; i++)
        if (to->shape[i] != 1)
            add_axis(&c, (Axis){to->shape[i], to->strides[i], from->strides[i]});
    if (!c.nd)
        c.axes[c.nd++] = (Axis){1, c.item, c.item};
    widen(&c);
    int64_t parts = cut(&c);
    int threads = to->len < SHARED_BYTES || parts < 2 ? 1 : threads_now();
    run_parts(copy_part, &c, (int)parts, threads);
}

/* relocate(to, from): copy between two arrays of one shape and dtype, of any strides,
 * that share no memory. */
static PyObject *relocate(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    Py_buffer to, from;
    if (n != 2)
        return PyErr_Format(PyExc_TypeError, "relocate takes two arrays");
    if (PyObject_GetBuffer(args[0], &to, PyBUF_STRIDED) < 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &from, PyBUF_STRIDED_RO) < 0) {
        PyBuffer_Release(&to);
        return NULL;
    }
    PyObject *done = fits(&to, &from) ? Py_None : wrong_sizes("relocate");
    if (done && to.len) {
        Py_BEGIN_ALLOW_THREADS
        relocate_all(&to, &from);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&to);
    PyBuffer_Release(&from);
    return Py_XNewRef(done);
}
#endif

PyMethodDef relocate_methods[] = {
#if !defined(_WIN32) && defined(__GNUC__)
    {"relocate", (PyCFunction)(void (*)(void))relocate, METH_FASTCALL,
     "A copy between arrays of any strides."},
#endif
    {NULL, NULL, 0, NULL},
};
