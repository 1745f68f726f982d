/* Who computed, and how long, while somebody profiles: see marks.c. */
#ifndef MARKS_H
#define MARKS_H
#include <Python.h>

#if !defined(_WIN32) && defined(__GNUC__) && !defined(Py_GIL_DISABLED)
#define CAN_MARK
#include <stdint.h>

typedef struct {
    int64_t start, outer; /* ns; what the marks inside the one around it took so far */
} Mark;

extern int marking; /* whether anybody profiles */

void begin_mark(Mark *mark);

/* Note a run of `what`, with the user's line if `placed`. Exceptions stay as they are. */
void end_mark(const Mark *mark, PyObject *what, int placed);
#endif

int add_marks(PyObject *module);
#endif
