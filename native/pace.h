/* A thread that works in the background gives way, see execute/background.py: a profile
 * function of that thread looks at the clock, and pauses without the GIL where the other
 * threads of the process want to run as well. */
#ifndef _WIN32
#include <time.h>

#define RUN 1e-3        /* seconds that it goes on for */
#define PAUSE 3000000L /* nanoseconds that it leaves to the others then */
#define BUSY 0.2        /* share of the time from which on others count as running */

static _Thread_local struct {
    double wall, own, all;
    unsigned events;
} since;

static inline double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin_to_count(void)
{
    since.wall = seconds(CLOCK_MONOTONIC);
    since.own = seconds(CLOCK_THREAD_CPUTIME_ID);
    since.all = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static int pace(PyObject *nothing, PyFrameObject *frame, int event, PyObject *arg)
{
    (void)nothing, (void)frame, (void)event, (void)arg;
    if (++since.events % 32)
        return 0;
    double wall = seconds(CLOCK_MONOTONIC) - since.wall;
    if (wall < RUN)
        return 0;
    double own = seconds(CLOCK_THREAD_CPUTIME_ID) - since.own;
    double all = seconds(CLOCK_PROCESS_CPUTIME_ID) - since.all;
    if (all - own > BUSY * wall) {
        struct timespec pause = {0, PAUSE};
        Py_BEGIN_ALLOW_THREADS;
        nanosleep(&pause, NULL);
        Py_END_ALLOW_THREADS;
    }
    begin_to_count();
    return 0;
}

/* set_pace(bool): whether the calling thread gives way from now on */
static PyObject *set_pace(PyObject *module, PyObject *on)
{
    (void)module;
    int paced = PyObject_IsTrue(on);
    if (paced < 0)
        return NULL;
    begin_to_count();
    PyEval_SetProfile(paced ? pace : NULL, NULL);
    Py_RETURN_NONE;
}
#define CAN_PACE
#endif
