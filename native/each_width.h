/* Compile the file LOOPS once for each width of vectors: `OF_WIDTH(name)` in it is the
 * loop's name there, which FOR_WIDTH picks by. WIDTH: floats in a vector.
 */
#define OF_WIDTH_2(name, width) name##_##width
#define OF_WIDTH_1(name, width) OF_WIDTH_2(name, width)
#define OF_WIDTH(name) OF_WIDTH_1(name, WIDTH)

#define WIDTH 4
#include LOOPS
#undef WIDTH

#if defined(__x86_64__) && defined(__GNUC__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#define WIDTH 8
#include LOOPS
#undef WIDTH
#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute push(                                                           \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))),             \
    apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512")
#endif
#define WIDTH 16
#include LOOPS
#undef WIDTH
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
#undef LOOPS
