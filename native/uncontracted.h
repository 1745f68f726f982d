/* Products and sums below this line are rounded each, never made one instruction, so that
 * every machine and NumPy give the same bits. Include it after all other headers. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
