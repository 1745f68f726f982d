/* Philox4x32-10 for one width of vectors. */
/* The words of LANES blocks: out[word][lane]. */
static void OF_WIDTH(philox)(const Draw *d, const uint64_t *blocks, uint32_t out[4][LANES])
{
    uint32_t *c0 = out[0], *c1 = out[1], *c2 = out[2], *c3 = out[3];
    uint32_t k0 = d->k0, k1 = d->k1;
    for (int i = 0; i < LANES; i++) {
        c0[i] = (uint32_t)blocks[i];
        c1[i] = (uint32_t)(blocks[i] >> 32);
        c2[i] = d->high0;
        c3[i] = d->high1;
    }
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < LANES; i++) {
            uint64_t p0 = (uint64_t)0xD2511F53 * c0[i], p1 = (uint64_t)0xCD9E8D57 * c2[i];
            uint32_t a = (uint32_t)(p1 >> 32) ^ c1[i] ^ k0;
            uint32_t b = (uint32_t)(p0 >> 32) ^ c3[i] ^ k1;
            c1[i] = (uint32_t)p1;
            c3[i] = (uint32_t)p0;
            c0[i] = a;
            c2[i] = b;
        }
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
}
