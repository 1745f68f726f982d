/* The loops of sorting.c, for one width of vectors. */
#define KEY uint32_t
#define PAIR uint64_t
#define MINUS_INFINITY 0xFF800000u
#define KEYED(name) OF_WIDTH(name##_of_32)
#include "sorting_keys.h"
#undef KEY
#undef PAIR
#undef MINUS_INFINITY
#undef KEYED

#define KEY uint64_t
#define PAIR unsigned __int128
#define MINUS_INFINITY 0xFFF0000000000000u
#define KEYED(name) OF_WIDTH(name##_of_64)
#include "sorting_keys.h"
#undef KEY
#undef PAIR
#undef MINUS_INFINITY
#undef KEYED

/* Of each row, whether fewer than k are above its target and all are finite. */
static void OF_WIDTH(in_top_part)(void *work, int part, int slot)
{
    const InTop *t = work;
    int64_t start = part * t->length, stop = start + t->length;
    for (int64_t row = start; row < (stop < t->rows ? stop : t->rows); row++) {
        const float *x = t->x + row * t->n;
        float own = x[t->targets[row]];
        int32_t above = 0, bad = 0;
        for (int64_t i = 0; i < t->n; i++) {
            above += x[i] > own;
            bad |= !(x[i] - x[i] == 0.0f);
        }
        t->out[row] = !bad && above < t->k;
    }
}
