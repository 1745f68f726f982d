/* Arrays as a result of another shape sees them, element after element. */
#ifndef WALKS_H
#define WALKS_H
#include "array.h"
#include <stdint.h>

enum { MOST_AXES = 16 };

/* An input as the result sees it: axes without those of one entry, neighbours joined. */
typedef struct {
    const char *data;
    int nd, item, one, whole; /* one: a single element; whole: in the result's order */
    int64_t shape[MOST_AXES], strides[MOST_AXES];
} Walk;

/* The shape of the result; 0: they do not fit, or there are too many axes. */
int broadcast(const Array **in, int n, int *nd, Py_ssize_t *shape);

/* Whether all inputs but those without axes lie in Fortran's order, one of them only so. */
int lie_backwards(const Array **in, int n, int nd);

void walk_along(Walk *w, const Array *a, int nd, const Py_ssize_t *shape, int backwards,
                int item);

/* `count` elements that are `stride` bytes apart, one after the other. */
void copy_run(char *to, const char *from, int64_t count, int64_t stride, int item);

/* `count` elements of an input from number `first` on, one after the other: where they
 * lie, or copied to `room`. */
const char *elements(const Walk *w, int64_t first, int64_t count, char *room);
#endif
