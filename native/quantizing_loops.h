/* The loops of quantizing.c for one width of vectors. */

static void OF_WIDTH(quantized_part)(void *work, int part, int slot)
{
    const Quantizing *w = work;
    int64_t end = w->n < (int64_t)(part + 1) * EACH ? w->n : (int64_t)(part + 1) * EACH;
    float low = w->low, high = w->high, step = w->step, scale = 1 / step;
    for (int64_t i = (int64_t)part * EACH; i < end; i++) {
        float x = w->x[i];
        x = x < low ? low : x; /* NaN is neither */
        x = x > high ? high : x;
        w->out[i] = floorf((x - low) * scale + 0.5f) * step + low;
    }
}

static void OF_WIDTH(slopes_part)(void *work, int part, int slot)
{
    const Quantizing *w = work;
    int64_t end = w->n < (int64_t)(part + 1) * EACH ? w->n : (int64_t)(part + 1) * EACH;
    float low = w->low, high = w->high;
    double below[LANES] = {0}, above[LANES] = {0};
    for (int64_t i = (int64_t)part * EACH; i < end; i += LANES) {
        int count = end - i < LANES ? (int)(end - i) : LANES;
        float x[LANES], slopes[LANES] = {0}, within[LANES];
        for (int l = 0; l < LANES; l++)
            x[l] = low;
        memcpy(x, w->x + i, count * sizeof(float));
        memcpy(slopes, w->gradients + i, count * sizeof(float));
        for (int l = 0; l < LANES; l++) {
            float under = x[l] < low ? slopes[l] : 0, over = x[l] > high ? slopes[l] : 0;
            below[l] += under, above[l] += over;
            within[l] = x[l] < low || x[l] > high ? 0 : slopes[l];
        }
        memcpy(w->out + i, within, count * sizeof(float));
    }
    double sums[2] = {0};
    for (int l = 0; l < LANES; l++)
        sums[0] += below[l], sums[1] += above[l];
    memcpy(w->sums + 2 * part, sums, sizeof sums);
}
