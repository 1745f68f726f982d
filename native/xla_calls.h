/* Calls of our kernels inside an XLA program, on the threads of XLA.
 *
 * What follows are the parts of XLA's C interface for such calls (its ABI 0.3, which
 * jaxlib carries as xla/ffi/api/c_api.h) that we use; others are left opaque. XLA asks
 * a handler for the version that it was written for, and refuses what it does not know.
 */
typedef struct {
    size_t size;
    void *extension;
    int major, minor;
} XlaVersion;

typedef struct {
    size_t size;
    XlaVersion version;
    uint32_t traits;
} XlaMetadata;

typedef struct {
    size_t size;
    int type;
    void *next;
    XlaMetadata *metadata; /* where the type is XLA_METADATA */
} XlaExtension;

typedef struct {
    size_t size;
    void *extension, *context;
    void (*task)(void *data);
    void *data;
} XlaSchedule;

typedef struct {
    size_t size;
    void *extension, *context;
    int64_t *threads;
} XlaThreads;

typedef struct {
    size_t size;
    void *extension;
    const char *message;
    int code;
} XlaFailure;

typedef struct {
    size_t size;
    void *extension, *error;
} XlaForget;

typedef struct {
    size_t size;
    void *extension;
    XlaVersion version;
    void *internal;
    void *(*fail)(XlaFailure *);
    void *get_message;
    void (*forget)(XlaForget *);
    void *others[8]; /* registration, streams, types, state, memory */
    void *(*schedule)(XlaSchedule *);
    void *(*threads)(XlaThreads *);
} XlaApi;

typedef struct {
    size_t size;
    void *extension;
    int64_t count;
    int *types;
    void **values;
} XlaValues;

typedef struct {
    size_t size;
    void *extension;
    int64_t count;
    int *types;
    void **names, **values;
} XlaAttributes;

typedef struct {
    size_t size;
    void *extension;
    int dtype;
    void *data;
    int64_t rank, *dims;
} XlaBuffer;

typedef struct {
    int dtype;
    size_t count;
    void *data;
} XlaArray;

typedef struct {
    size_t size;
    XlaExtension *extension;
    const XlaApi *api;
    void *context;
    int stage;
    XlaValues arguments, results;
    XlaAttributes attributes;
} XlaCall;

enum { XLA_METADATA = 1, XLA_EXECUTE = 3, XLA_FLOAT32 = 11, XLA_FLOAT64 = 12, XLA_INTERNAL = 13 };

static void *xla_error(const XlaCall *call, const char *message)
{
    XlaFailure failure = {sizeof failure, NULL, message, XLA_INTERNAL};
    return call->api->fail(&failure);
}

/* A job whose tasks may still be in XLA's queue when the caller is gone. */
typedef struct {
    Job job;
    atomic_int done, users;
} XlaJob;

static void leave(XlaJob *j)
{
    if (atomic_fetch_sub(&j->users, 1) == 1)
        free(j);
}

static void xla_task(void *data)
{
    XlaJob *j = data;
    atomic_fetch_add(&j->done, help_with(&j->job));
    leave(j);
}

static void share_in_xla(void *with, Part *part, void *work, int parts, int threads)
{
    const XlaCall *call = with;
    XlaJob *j = threads > 1 ? calloc(1, sizeof *j) : NULL;
    if (!j) { /* no others, or no memory for them */
        for (int i = 0; i < parts; i++)
            part(work, i, 0);
        return;
    }
    j->job = (Job){.part = part, .work = work, .parts = parts, .threads = threads};
    atomic_store(&j->users, threads);
    for (int i = 1; i < threads; i++) {
        XlaSchedule task = {sizeof task, NULL, call->context, xla_task, j};
        void *error = call->api->schedule(&task);
        if (error) { /* there is no pool */
            XlaForget forget = {sizeof forget, NULL, error};
            call->api->forget(&forget);
            leave(j);
        }
    }
    atomic_fetch_add(&j->done, do_parts(&j->job, 0));
    for (int i = 0; atomic_load(&j->done) < parts;)
        i < 4096 ? (void)i++, pause_briefly() : (void)sched_yield();
    leave(j);
}

static int xla_threads(const XlaCall *call)
{
    int64_t count = 1;
    XlaThreads ask = {sizeof ask, NULL, call->context, &count};
    void *error = call->api->threads(&ask);
    if (error) {
        XlaForget forget = {sizeof forget, NULL, error};
        call->api->forget(&forget);
    }
    return error ? 1 : (int)(count < MOST_HELPERS + 1 ? count : MOST_HELPERS + 1);
}

#define XLA_MOST 6

/* Arrays in and out, one attribute of integers. */
typedef struct {
    const XlaBuffer *buffers[XLA_MOST];
    int64_t counts[XLA_MOST]; /* of their items */
    const XlaArray *facts;
} XlaPair;

/* Whether a call is to be computed: not one that asks for the version, nor one that is
 * built otherwise, which `error` says. */
static int xla_arrays(XlaCall *call, int in, int out, XlaPair *found, void **error)
{
    if (call->extension && call->extension->type == XLA_METADATA) {
        call->extension->metadata->version.major = 0;
        call->extension->metadata->version.minor = 3;
        return 0;
    }
    if (call->stage != XLA_EXECUTE)
        return 0;
    if (call->arguments.count != in || call->results.count != out ||
        call->attributes.count != 1) {
        *error = xla_error(call, "other arrays and one attribute were expected");
        return 0;
    }
    found->facts = call->attributes.values[0];
    for (int i = 0; i < in + out; i++) {
        const XlaBuffer *b = found->buffers[i] =
            i < in ? call->arguments.values[i] : call->results.values[i - in];
        found->counts[i] = 1;
        for (int64_t d = 0; d < b->rank; d++)
            found->counts[i] *= b->dims[d];
    }
    return 1;
}

static int xla_pair(XlaCall *call, XlaPair *found, void **error)
{
    return xla_arrays(call, 2, 1, found, error);
}

static PyObject *handler_for_xla(void *(*handler)(XlaCall *))
{
    return PyCapsule_New((void *)(uintptr_t)handler, "xla._CUSTOM_CALL_TARGET", NULL);
}
