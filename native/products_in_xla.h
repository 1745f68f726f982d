/* The products of products.h and batches.h as calls inside an XLA program: xla_calls.h.
 * Cut into the same parts, so that both give the same numbers.
 */

/* One product, or as many as the axes before the last two have; 0: they do not fit. */
static int take_product(const XlaPair *pair, Batch *j)
{
    const XlaBuffer *a = pair->buffers[0], *b = pair->buffers[1], *c = pair->buffers[2];
    int64_t rank = a->rank, size = pair->facts->count;
    if ((a->dtype != XLA_FLOAT32 && a->dtype != XLA_FLOAT64) || b->dtype != a->dtype ||
        c->dtype != a->dtype || rank < 2 || b->rank != rank || c->rank != rank ||
        size != 2 || !blas.sgemm)
        return 0;
    const int64_t *flips = pair->facts->data, *m = a->dims + rank - 2,
                  *n = b->dims + rank - 2;
    int wide = a->dtype == XLA_FLOAT64, ta = flips[0] != 0, tb = flips[1] != 0;
    j->each = (Product){.wide = wide, .ta = ta, .tb = tb, .m = m[ta], .n = n[!tb],
                        .k = m[!ta], .lda = m[1], .ldb = n[1], .a = a->data,
                        .b = b->data, .out = c->data};
    j->nd = j->cuts = 1;
    j->count = 1;
    for (int64_t d = 0; d < rank - 2; d++) {
        if (b->dims[d] != a->dims[d])
            return 0;
        j->count *= a->dims[d];
    }
    int64_t item = wide ? 8 : 4;
    j->shape[0] = j->count;
    j->a_strides[0] = m[0] * m[1] * item;
    j->b_strides[0] = n[0] * n[1] * item;
    return n[tb] == j->each.k && pair->counts[2] == j->count * j->each.m * j->each.n;
}

/* The attribute: int64[2], whether each of the two matrices is transposed. */
static void *multiply_in_xla(XlaCall *call)
{
    XlaPair pair;
    Batch j;
    void *error = NULL;
    if (!xla_pair(call, &pair, &error))
        return error;
    if (!take_product(&pair, &j))
        return xla_error(call, "the matrices of a product do not fit");
    Product *one = &j.each;
    if (!plan_batch(&j)) { /* one, or few large ones */
        one->by_row = one->m >= one->n;
        j.group = 1;
        j.cuts = parts_of((double)one->m * one->n * one->k, one->by_row ? one->m : one->n);
    }
    int parts = (int)((j.count + j.group - 1) / j.group) * j.cuts;
    begin_alone();
    share_in_xla(call, batch_part, &j, parts, xla_threads(call));
    end_alone();
    return NULL;
}

static PyObject *product_for_xla(PyObject *module, PyObject *unused)
{
    return handler_for_xla(multiply_in_xla);
}
