/* Products of many pairs of matrices: each by OpenBLAS on one thread, shared out by the
 * pool. NumPy gives OpenBLAS one pair after the other, each to all of its threads, which
 * wait for one another: see products.h.
 */
#ifndef _WIN32
#define MOST_BATCH_AXES 8
#define PART_WORK 1e6 /* multiplications in a part, at least */

typedef struct {
    Product each; /* of the first pair */
    int nd, cuts; /* parts of a pair */
    int64_t count, group; /* pairs in all; in a part */
    int64_t shape[MOST_BATCH_AXES], a_strides[MOST_BATCH_AXES],
        b_strides[MOST_BATCH_AXES];
} Batch;

static void batch_part(void *work, int part, int slot)
{
    const Batch *j = work;
    int64_t first = part / j->cuts * j->group, last = first + j->group;
    last = last < j->count ? last : j->count;
    int64_t size = j->each.m * j->each.n * (j->each.wide ? 8 : 4);
    for (int64_t i = first; i < last; i++) {
        Product one = j->each;
        int64_t rest = i;
        for (int k = j->nd - 1; k >= 0; k--) {
            int64_t at = rest % j->shape[k];
            rest /= j->shape[k];
            one.a += at * j->a_strides[k];
            one.b += at * j->b_strides[k];
        }
        one.out += i * size;
        one.parts = j->cuts;
        product_part(&one, part % j->cuts, slot);
    }
}

/* How the last two axes lie: 0 = plain rows, 1 = transposed, -1 = neither. */
static int layout_of(const Array *x, int64_t item, int64_t *ld)
{
    int64_t rows = x->shape[x->nd - 2], columns = x->shape[x->nd - 1];
    int64_t down = x->strides[x->nd - 2], right = x->strides[x->nd - 1];
    if ((right == item || columns == 1) && down % item == 0 &&
        (rows == 1 || down >= columns * item)) {
        *ld = rows == 1 ? columns : down / item;
        return 0;
    }
    if ((down == item || rows == 1) && right % item == 0 &&
        (columns == 1 || right >= rows * item)) {
        *ld = columns == 1 ? rows : right / item;
        return 1;
    }
    return -1;
}

/* The axes of batches, broadcast; 0: they do not fit. */
static int take_batches(Batch *j, const Array *a, const Array *b, Py_ssize_t *shape)
{
    j->nd = (a->nd > b->nd ? a->nd : b->nd) - 2;
    j->count = 1;
    if (j->nd > MOST_BATCH_AXES)
        return 0;
    for (int k = 0; k < j->nd; k++) {
        int p = k - (j->nd + 2 - a->nd), q = k - (j->nd + 2 - b->nd);
        int64_t n = p < 0 ? 1 : a->shape[p], m = q < 0 ? 1 : b->shape[q];
        if (n != m && n != 1 && m != 1)
            return 0;
        j->shape[k] = shape[k] = n == 1 ? m : n;
        j->a_strides[k] = p < 0 || n == 1 ? 0 : a->strides[p];
        j->b_strides[k] = q < 0 || m == 1 ? 0 : b->strides[q];
        j->count *= shape[k];
    }
    return 1;
}

/* Whether the pairs are for here, and how they are cut: by their shapes alone. */
static int plan_batch(Batch *j)
{
    double work = (double)j->each.m * j->each.n * j->each.k, total = work * j->count;
    if (total <= SMALL_VECTOR || j->count < 2 || (work >= HUGE_WORK && j->count < 8))
        return 0;
    int64_t longest = j->each.m >= j->each.n ? j->each.m : j->each.n;
    j->each.by_row = j->each.m >= j->each.n;
    j->cuts = 1;
    if (work >= MIDDLING && j->count < MOST_PARTS && longest >= 64)
        j->cuts = parts_of(work, longest);
    j->group = (int64_t)(PART_WORK / work);
    j->group = j->group < 1 ? 1 : j->group < j->count ? j->group : j->count;
    return j->count / j->group * j->cuts < INT32_MAX - 1;
}

/* product_of_batches(a, b): a @ b of floats with three or more axes; None: not for here. */
static PyObject *product_of_batches(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    const Array *a = n == 2 ? as_array(args[0]) : NULL;
    const Array *b = a ? as_array(args[1]) : NULL;
    if (!b || a->nd < 2 || b->nd < 2 || !blas.dot || !can_make_arrays())
        Py_RETURN_NONE;
    int number = number_of(a);
    if (number != number_of(b) || (number != FLOAT_NUMBER && number != DOUBLE_NUMBER))
        Py_RETURN_NONE;
    Batch j = {.each = {.wide = number == DOUBLE_NUMBER}};
    Py_ssize_t shape[MOST_BATCH_AXES + 2];
    int64_t item = j.each.wide ? 8 : 4;
    j.each.ta = layout_of(a, item, &j.each.lda);
    j.each.tb = layout_of(b, item, &j.each.ldb);
    j.each.m = a->shape[a->nd - 2];
    j.each.k = a->shape[a->nd - 1];
    j.each.n = b->shape[b->nd - 1];
    j.each.a = a->data;
    j.each.b = b->data;
    if (j.each.ta < 0 || j.each.tb < 0 || b->shape[b->nd - 2] != j.each.k || !j.each.k ||
        !take_batches(&j, a, b, shape) || !plan_batch(&j))
        Py_RETURN_NONE;
    shape[j.nd] = j.each.m;
    shape[j.nd + 1] = j.each.n;
    PyObject *out = new_array(j.nd + 2, shape, number, 0);
    if (!out)
        return NULL;
    j.each.out = as_array(out)->data;
    int parts = (int)((j.count + j.group - 1) / j.group * j.cuts);
    int threads = begin_alone();
    Py_BEGIN_ALLOW_THREADS
    run_parts(batch_part, &j, parts, parts > 1 ? threads : 1);
    Py_END_ALLOW_THREADS
    end_alone();
    return out;
}
#endif
