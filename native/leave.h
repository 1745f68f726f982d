/* Leaving a thread behind at exit, see execute/exit.py: when it comes back from C++,
 * the finalising Python unwinds its frames, and these call std::terminate or abort. That
 * thread alone pauses for ever; what else terminates or aborts does so as before. */
#ifdef __linux__
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*Terminate)(void);

static pthread_t left_behind;
static struct sigaction abort_before;
static Terminate terminate_before;

static void pause_if_left_behind(void)
{
    while (pthread_equal(pthread_self(), left_behind))
        pause();
}

static void on_abort(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code == SI_TKILL) /* of this thread itself, not of another process */
        pause_if_left_behind();
    sigaction(number, &abort_before, NULL);
    raise(number); /* arrives when this handler returns */
}

static void on_terminate(void)
{
    pause_if_left_behind();
    if (terminate_before)
        terminate_before();
    abort();
}

/* leave_behind(ident of the thread, address of std::set_terminate) */
static PyObject *leave_behind(PyObject *module, PyObject *args)
{
    unsigned long ident, address;
    struct sigaction action = {.sa_sigaction = on_abort, .sa_flags = SA_SIGINFO};
    (void)module;
    if (!PyArg_ParseTuple(args, "kk", &ident, &address))
        return NULL;
    left_behind = (pthread_t)ident;
    sigemptyset(&action.sa_mask);
    sigaction(SIGABRT, &action, &abort_before);
    terminate_before = ((Terminate(*)(Terminate))address)(on_terminate);
    Py_RETURN_NONE;
}
#define CAN_LEAVE_BEHIND
#endif
