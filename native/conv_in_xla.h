/* The convolutions of conv.h as calls inside an XLA program: xla_calls.h. */

/* The attribute: int64[16], the kind and the sizes. */
static void *convolve_in_xla(XlaCall *call)
{
    XlaPair pair;
    void *error = NULL;
    if (!xla_pair(call, &pair, &error))
        return error;
    for (int i = 0; i < 3; i++)
        if (pair.buffers[i]->dtype != XLA_FLOAT32)
            return xla_error(call, "a convolution takes arrays of float32");
    int64_t facts[CONV_SIZES + 1] = {-1};
    if (pair.facts->count == CONV_SIZES + 1)
        memcpy(facts, pair.facts->data, sizeof facts);
    Conv s;
    memcpy(&s, facts + 1, sizeof s);
    if (!conv_fits(facts[0], &s, pair.counts[0], pair.counts[1], pair.counts[2]))
        return xla_error(call, "the sizes of a convolution do not fit its arrays");
    if (!run_conv(facts[0], &s, pair.buffers[0]->data, pair.buffers[1]->data,
                  pair.buffers[2]->data, xla_threads(call), share_in_xla, call))
        return xla_error(call, "no memory for a convolution");
    return NULL;
}

static PyObject *convolution_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(convolve_in_xla);
}
