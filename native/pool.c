/* Threads that share out the parts of a job, and that nobody has to wait for.
 *
 * The caller takes part after part itself; helpers take some if they get to it. They
 * look out for work for a short while and then sleep.
 */
#ifndef _WIN32
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "pool.h"

#define LOOKOUT 100000 /* ns that a helper spins before it sleeps */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_uint number; /* of the job; changes when there is a new one */
    atomic_int inside;  /* helpers at work on it */
    int open, sleeping, helpers, busy;
    Job *job;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0, 0, 0, NULL};

int do_parts(Job *j, int slot)
{
    int part, done = 0;
    for (; (part = atomic_fetch_add(&j->next, 1)) < j->parts; done++)
        j->part(j->work, part, slot);
    return done;
}

int help_with(Job *j)
{
    int slot = atomic_fetch_add(&j->slots, 1) + 1;
    return slot < j->threads ? do_parts(j, slot) : 0;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *help(void *unused)
{
    unsigned seen = 0;
    for (;;) {
        int64_t end = now_ns() + LOOKOUT;
        while (atomic_load(&pool.number) == seen && now_ns() < end)
            pause_briefly();
        pthread_mutex_lock(&pool.lock);
        while (atomic_load(&pool.number) == seen) {
            pool.sleeping++;
            pthread_cond_wait(&pool.wake, &pool.lock);
            pool.sleeping--;
        }
        seen = atomic_load(&pool.number);
        Job *job = pool.open ? pool.job : NULL;
        if (job)
            atomic_fetch_add(&pool.inside, 1);
        pthread_mutex_unlock(&pool.lock);
        if (job) {
            help_with(job);
            atomic_fetch_sub(&pool.inside, 1);
        }
    }
    return NULL;
}

/* Threads do not survive a fork: the child starts its own. */
static void pool_after_fork(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    atomic_store(&pool.inside, 0);
    pool.open = pool.sleeping = pool.helpers = pool.busy = 0;
}

static void start_helpers(int wanted)
{
    static int heard;
    if (!heard)
        heard = !pthread_atfork(NULL, NULL, pool_after_fork);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    while (pool.helpers < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, &attr, help, NULL))
            break;
        pool.helpers++;
    }
    pthread_attr_destroy(&attr);
}

void run_parts(Part *part, void *work, int parts, int threads)
{
    Job ours = {.part = part, .work = work, .parts = parts, .threads = threads};
    Job *job = &ours;
    pthread_mutex_lock(&pool.lock);
    int mine = threads > 1 && !pool.busy;
    if (mine) {
        int wanted = threads - 1 < MOST_HELPERS ? threads - 1 : MOST_HELPERS;
        start_helpers(wanted);
        pool.busy = pool.open = 1;
        pool.job = job;
        atomic_fetch_add(&pool.number, 1);
        if (pool.sleeping)
            pthread_cond_broadcast(&pool.wake);
    }
    pthread_mutex_unlock(&pool.lock);
    do_parts(job, 0);
    if (!mine)
        return;
    pthread_mutex_lock(&pool.lock);
    pool.open = 0;
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; atomic_load(&pool.inside);)
        i < 4096 ? (void)i++, pause_briefly() : (void)sched_yield();
    pthread_mutex_lock(&pool.lock);
    pool.busy = 0;
    pthread_mutex_unlock(&pool.lock);
}
#endif
