/* Tiles of a product, for vectors of WIDTH floats: included once for each width.
 *
 * For each segment s and k in [0, length), with a moving on by `step` and b by `next`
 * after each k (b over all segments):
 *     c[r][:] += a[segments[s] + r * row + k * step] * b[:]
 * for up to MOST_ROWS rows of one or two vectors, whose sums stay in registers. `add`
 * adds them to what is in c; `between` lies between the rows of c.
 */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define VEC JOIN(Vector, WIDTH)
#define LOAD JOIN(load, WIDTH)
#define STORE JOIN(store, WIDTH)

typedef float VEC __attribute__((vector_size(WIDTH * 4)));

TARGET static inline VEC LOAD(const float *p)
{
    VEC v;
    memcpy(&v, p, sizeof v);
    return v;
}

TARGET static inline void STORE(float *p, VEC v, int add)
{
    if (add)
        v += LOAD(p);
    memcpy(p, &v, sizeof v);
}

/* A row's place: a pointer and a multiple of `row` that addresses can hold. */
#define P0 p[0]
#define P1 p[row]
#define P2 p[2 * row]
#define P3 p3[0]
#define P4 p3[row]
#define P5 p3[2 * row]
#define P6 p6[0]
#define P7 p6[row]
#define P8 p6[2 * row]
#define P9 p9[0]
#define P10 p9[row]
#define P11 p9[2 * row]
#define P12 p12[0]
#define P13 p12[row]

#define CLEAR_ONE(r) VEC x##r = {0};
#define CLEAR_TWO(r) VEC x##r = {0}, y##r = {0};
#define ONE(r) x##r += P##r * b0;
#define TWO(r)                                                                          \
    {                                                                                   \
        float v = P##r;                                                                 \
        x##r += v * b0;                                                                 \
        y##r += v * b1;                                                                 \
    }
#define KEEP_ONE(r) STORE(c + r * between, x##r, add);
#define KEEP_TWO(r)                                                                     \
    STORE(c + r * between, x##r, add);                                                  \
    STORE(c + r * between + WIDTH, y##r, add);

#define TILE(name, rows, vectors, SECOND)                                                \
    TARGET static void JOIN(JOIN(name, rows), WIDTH)(TILE_ARGUMENTS)                    \
    {                                                                                   \
        ROWS_##rows(CLEAR_##vectors);                                                   \
        for (int64_t s = 0; s < count; s++) {                                           \
            const float *p = a + segments[s], *p3 = p + 3 * row, *p6 = p + 6 * row,     \
                        *p9 = p + 9 * row, *p12 = p + 12 * row;                         \
            for (int64_t k = 0; k < length; k++) {                                      \
                VEC b0 = LOAD(b);                                                       \
                SECOND                                                                  \
                ROWS_##rows(vectors);                                                   \
                p += step, p3 += step, p6 += step, p9 += step, p12 += step;             \
                b += next;                                                              \
            }                                                                           \
        }                                                                               \
        ROWS_##rows(KEEP_##vectors);                                                    \
    }
#define BOTH(rows)                                                                      \
    TILE(slim, rows, ONE, )                                                             \
    TILE(tile, rows, TWO, VEC b1 = LOAD(b + WIDTH);)

BOTH(1)
BOTH(2)
BOTH(3)
BOTH(4)
BOTH(5)
BOTH(6)
#if MOST_ROWS > 6
BOTH(7)
BOTH(8)
BOTH(9)
BOTH(10)
BOTH(11)
BOTH(12)
BOTH(13)
BOTH(14)
#endif

#define NAMED(name, rows) JOIN(JOIN(name, rows), WIDTH)
#if MOST_ROWS > 6
#define MORE(name)                                                                      \
    NAMED(name, 7), NAMED(name, 8), NAMED(name, 9), NAMED(name, 10), NAMED(name, 11),   \
        NAMED(name, 12), NAMED(name, 13), NAMED(name, 14),
#else
#define MORE(name)
#endif
#define SET(name)                                                                       \
    {NAMED(name, 1), NAMED(name, 2), NAMED(name, 3), NAMED(name, 4), NAMED(name, 5),    \
     NAMED(name, 6), MORE(name)}
static const TileSet JOIN(tiles, WIDTH) = {WIDTH, MOST_ROWS, {SET(slim), SET(tile)}};

#undef WIDTH
#undef MOST_ROWS
#undef TARGET
#undef VEC
#undef LOAD
#undef STORE
#undef MORE
