/* Denormals count as zeros, and results that are denormal become zeros, from begin_flush
 * to end_flush in this thread: as in XLA's threads and those of TensorFlow's sessions. On
 * some machines a denormal takes as long as a hundred other numbers.
 */
#ifndef FLUSH_H
#define FLUSH_H
#include <stdint.h>
#ifdef __SSE2__
#include <xmmintrin.h>

static inline uint64_t begin_flush(void)
{
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    return before;
}

static inline void end_flush(uint64_t before) { _mm_setcsr((unsigned)before); }
#elif defined(__aarch64__)
static inline void end_flush(uint64_t before)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(before) : "memory");
}

static inline uint64_t begin_flush(void)
{
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    end_flush(before | 1 << 24);
    return before;
}
#else
static inline uint64_t begin_flush(void) { return 0; }
static inline void end_flush(uint64_t before) { (void)before; }
#endif
#endif
