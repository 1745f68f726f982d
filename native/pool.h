/* Threads that share out the parts of a job, and that nobody has to wait for: pool.c. */
#ifndef POOL_H
#define POOL_H
#ifndef _WIN32
#include <sched.h>
#include <stdatomic.h>

#define MOST_HELPERS 15

/* Does part `part` of `work`; no two threads at a time have the same slot. */
typedef void Part(void *work, int part, int slot);

typedef struct {
    Part *part;
    void *work;
    int parts, threads;
    atomic_int next, slots;
} Job;

/* Do what parts are left; how many that were. */
int do_parts(Job *j, int slot);

/* As a helper; slot 0 is the caller's. An earlier job may have had more helpers. */
int help_with(Job *j);

/* Do the parts on at most `threads` threads. Without the GIL. Another thread's job may
 * hold the pool: then this one does its own. */
void run_parts(Part *part, void *work, int parts, int threads);

/* How many threads a job may have: as many as OpenBLAS, or one a core. */
int threads_now(void);

/* OpenBLAS on one thread from here to there; how many a job may have instead. With or
 * without the GIL. */
int begin_alone(void);
void end_alone(void);

/* c = a @ b, of [m, k] and [k, n] floats, by OpenBLAS, between begin_alone and end_alone;
 * whether it is there at all is asked before. */
int has_products(void);
void rows_product(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                  float *c);

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    sched_yield();
#endif
}

#endif
#endif
