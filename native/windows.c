/* Pooling, depthwise convolutions and padding of images, with their gradients.
 *
 * Each result is a sum (a maximum) over the entries that it meets, which two tables
 * list, one for lines, one for columns: so results are written once, in any order, and
 * strides, dilations and padding are no case of their own. Gradients are such sums as
 * well; only the one of a maximum goes from window to window, because the first of equal
 * entries takes all.
 */
#define PY_SSIZE_T_CLEAN
#include "array.h"
#include "kernels.h"

#if !defined(_WIN32) && defined(__GNUC__)
#include "pool.h"
#include "windows.h"
#include <stdlib.h>
#include <string.h>
#define LOOPS "windows_loops.h"
#include "each_width.h"

#define BAND 32768            /* floats of the result in a part, at best */
#define GROUPS 16             /* sums of the filters' gradient */
#define MOST_SUMS (1 << 19)   /* floats of all these sums */
#define ALONE (1 << 18)       /* entries met: a few us, for which nobody is called */

enum { MAX, MEAN, MEAN_GRAD, MAX_GRAD, WEIGH, WEIGH_BACK, FILTER, KINDS };

/* What the arrays of each kind are; the last is the result. */
static const char *const arrays_of[KINDS] = {"xy", "xy", "yx", "xyyx", "xwy", "ywx", "xyw"};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* The windows along one axis. */
typedef struct {
    int64_t size, count, k, stride, apart, before;
} Side;

/* Entries [first, last) of window i are there. */
static void there(const Side *s, int64_t i, int64_t *first, int64_t *last)
{
    int64_t start = i * s->stride - s->before, room = s->size - start;
    *first = start < 0 ? up(-start, s->apart) : 0;
    *last = room < 1 ? 0 : least(s->k, up(room, s->apart));
    *first = least(*first, *last = most(*last, 0));
}

/* What window t meets (`all` may be NULL); how many. */
static int64_t meet(const Side *s, int64_t t, Meeting *all)
{
    int64_t first, last;
    there(s, t, &first, &last);
    for (int64_t p = first; all && p < last; p++)
        *all++ = (Meeting){(int32_t)p,
                           (int32_t)(t * s->stride - s->before + p * s->apart)};
    return last - first;
}

/* The windows that entry t lies in. */
static int64_t meet_back(const Side *s, int64_t t, Meeting *all)
{
    int64_t high = t + s->before, low = high - (s->k - 1) * s->apart, count = 0;
    int64_t last = least(s->count - 1, high / s->stride);
    for (int64_t i = low > 0 ? up(low, s->stride) : 0; i <= last; i++)
        if ((high - i * s->stride) % s->apart == 0) {
            if (all)
                all[count] = (Meeting){(int32_t)((high - i * s->stride) / s->apart),
                                       (int32_t)i};
            count++;
        }
    return count;
}

static int is_next(const Axis *x, int64_t t, int64_t step)
{
    const Meeting *a = x->all + x->first[t], *b = x->all + x->first[t + 1];
    int64_t count = b - a;
    if (x->first[t + 2] - x->first[t + 1] != count)
        return 0;
    for (int64_t i = 0; i < count; i++)
        if (a[i].tap != b[i].tap || a[i].at + step != b[i].at)
            return 0;
    return 1;
}

/* Fill the tables of one axis; 0 if there is no memory. */
static int open_axis(Axis *x, const Side *s, int back, int64_t step)
{
    int64_t (*meets)(const Side *, int64_t, Meeting *) = back ? meet_back : meet;
    int64_t count = back ? s->size : s->count, total = 0, first, last;
    for (int64_t t = 0; t < count; t++)
        total += meets(s, t, NULL);
    x->all = malloc((total + 1) * sizeof *x->all);
    x->first = malloc((count + 1) * sizeof *x->first);
    x->alike = malloc((count + 1) * sizeof *x->alike);
    x->entries = malloc(s->count * sizeof *x->entries);
    if (!x->all || !x->first || !x->alike || !x->entries)
        return 0;
    x->first[0] = 0;
    for (int64_t t = 0; t < count; t++)
        x->first[t + 1] = x->first[t] + meets(s, t, x->all + x->first[t]);
    x->alike[count - 1] = 1;
    for (int64_t t = count - 2; t >= 0; t--)
        x->alike[t] = is_next(x, t, step) ? x->alike[t + 1] + 1 : 1;
    for (int64_t i = 0; i < s->count; i++) {
        there(s, i, &first, &last);
        x->entries[i] = (float)(last - first);
    }
    return 1;
}

static void close_axis(Axis *x)
{
    free(x->all);
    free(x->first);
    free(x->alike);
    free(x->entries);
}

#define LINES(name)                                                                     \
    static void name##_part(void *work, int part, int slot)                             \
    {                                                                                   \
        const WindowWork *j = work;                                                     \
        WindowLine *line = FOR_WIDTH(name##_line);                                      \
        int64_t image = part / j->per_image, first = part % j->per_image * j->band;     \
        for (int64_t i = first; i < least(first + j->band, j->lines); i++)              \
            line(j, image, i);                                                          \
    }
LINES(max)
LINES(mean)
LINES(spread)
LINES(weigh)

/* A band of lines of dx, from all windows that reach into it. */
static void first_part(void *work, int part, int slot)
{
    const WindowWork *j = work;
    int64_t image = part / j->per_image, low = part % j->per_image * j->band;
    int64_t below = least(low + j->band, j->lines), line = j->columns * j->s.c;
    if (!j->whole)
        memset(j->out + (image * j->lines + low) * line, 0,
               (below - low) * line * sizeof(float));
    int64_t first = low + j->s.above - j->s.kh + 1;
    first = first > 0 ? up(first, j->s.down) : 0;
    int64_t last = least(j->s.rows, (below - 1 + j->s.above) / j->s.down + 1);
    for (int64_t i = first; i < last; i++)
        FOR_WIDTH(first_line)(j, image, i, low, below);
}

static void filter_part(void *work, int part, int slot)
{
    const WindowWork *j = work;
    int64_t all = j->s.n * j->s.rows, last = all * (part + 1) / j->groups;
    float *sums = j->sums + part * j->s.kh * j->s.kw * j->s.c;
    for (int64_t i = all * part / j->groups; i < last; i++)
        FOR_WIDTH(filter_line)(j, i / j->s.rows, i % j->s.rows, sums);
}

static int run_filter(WindowWork *j, int threads)
{
    int64_t size = j->s.kh * j->s.kw * j->s.c;
    j->groups = least(least(GROUPS, j->s.n * j->s.rows), most(1, MOST_SUMS / size));
    j->sums = calloc(j->groups * size, sizeof(float));
    if (!j->sums)
        return 0;
    run_parts(filter_part, j, (int)j->groups, threads);
    memcpy(j->out, j->sums, size * sizeof(float));
    for (int64_t g = 1; g < j->groups; g++)
        for (int64_t i = 0; i < size; i++)
            j->out[i] += j->sums[g * size + i];
    free(j->sums);
    return 1;
}

/* 0 if there is no memory. */
static int run_windows(WindowWork *j, int kind, int threads)
{
    static Part *const parts[KINDS] = {max_part, mean_part, spread_part, first_part,
                                       weigh_part, weigh_part, NULL};
    const Windows *s = &j->s;
    int back = kind == MEAN_GRAD || kind == WEIGH_BACK;
    Side down = {s->h, s->rows, s->kh, s->down, s->apart_h, s->above};
    Side across = {s->w, s->columns, s->kw, s->right, s->apart_w, s->before};
    int64_t to_x = back || kind == MAX_GRAD;
    j->lines = to_x ? s->h : s->rows, j->columns = to_x ? s->w : s->columns;
    j->high = back ? s->rows : s->h, j->wide = back ? s->columns : s->w;
    j->step = back ? 1 : s->right;
    j->apart = s->kh <= s->down && s->kw <= s->right;
    j->whole = s->kh == s->down && s->kw == s->right && s->rows * s->kh == s->h &&
               s->columns * s->kw == s->w && !s->above && !s->before && s->c % 16 == 0;
    j->band = up(most(1, BAND / (j->columns * s->c)), s->down) * s->down;
    j->per_image = up(j->lines, j->band);
    int good = open_axis(&j->down, &down, back, 0) &&
               open_axis(&j->across, &across, back, j->step);
    if (good) {
        double met = (double)j->down.first[back ? s->h : s->rows] * s->n * s->c;
        met *= j->across.first[back ? s->w : s->columns];
        threads = met < ALONE ? 1 : threads;
        if (kind == FILTER)
            good = run_filter(j, threads);
        else
            run_parts(parts[kind], j, (int)(s->n * j->per_image), threads);
    }
    close_axis(&j->down);
    close_axis(&j->across);
    return good;
}

static int windows_fit(int kind, const Windows *s, const Py_buffer *views)
{
    const int64_t *v = (const int64_t *)s;
    for (int i = 0; i < WINDOW_SIZES; i++)
        if (v[i] < (i < 12) || v[i] > INT32_MAX)
            return 0;
    if (s->c < 16 || s->n * most(s->rows, s->h) > INT32_MAX)
        return 0;
    if (kind < WEIGH && (s->apart_h > 1 || s->apart_w > 1))
        return 0;
    const int64_t x[] = {4, s->n, s->h, s->w, s->c}, w[] = {4, 1, s->kh, s->kw, s->c};
    const int64_t y[] = {4, s->n, s->rows, s->columns, s->c};
    for (int i = 0; arrays_of[kind][i]; i++) {
        char which = arrays_of[kind][i];
        const int64_t *of = which == 'x' ? x : which == 'y' ? y : w;
        if (views[i].len % 4 || !sizes_are(views[i].len / 4, of + 1, 4))
            return 0;
    }
    return 1;
}

/* windows(kind, sizes, array, ..., result): contiguous arrays of float32, 14 sizes. */
static PyObject *windows(PyObject *module, PyObject *args)
{
    int kind, good = 0;
    PyObject *sizes, *arrays[4] = {0};
    Py_buffer views[4];
    WindowWork j = {0};
    if (!PyArg_ParseTuple(args, "iO!OO|OO", &kind, &PyTuple_Type, &sizes, &arrays[0],
                          &arrays[1], &arrays[2], &arrays[3]))
        return NULL;
    int count = (int)PyTuple_GET_SIZE(args) - 2;
    if (kind < 0 || kind >= KINDS || (int)strlen(arrays_of[kind]) != count ||
        PyTuple_GET_SIZE(sizes) != WINDOW_SIZES)
        return wrong_sizes("windows");
    for (int i = 0; i < WINDOW_SIZES; i++)
        ((int64_t *)&j.s)[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, i));
    if (PyErr_Occurred())
        return NULL;
    if (!open_floats(arrays, count, views))
        return NULL;
    if (!windows_fit(kind, &j.s, views)) {
        wrong_sizes("windows");
        goto done;
    }
    j.a = views[0].buf, j.out = views[count - 1].buf;
    j.b = views[1].buf, j.given = views[kind == MAX_GRAD ? 2 : 1].buf;
    int threads = threads_now();
    Py_BEGIN_ALLOW_THREADS
    good = run_windows(&j, kind, threads);
    Py_END_ALLOW_THREADS
    if (!good)
        PyErr_NoMemory();
done:
    close_floats(count, views);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

PyMethodDef window_methods[] = {{"windows", windows, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
#else
PyMethodDef window_methods[] = {{NULL, NULL, 0, NULL}};
#endif
