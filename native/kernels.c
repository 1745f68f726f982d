/* What kernels.h declares. */
#define PY_SSIZE_T_CLEAN
#include "kernels.h"
#include "steps.h"
#include <stdlib.h>

int vector_width = 4;

void choose_width(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    const char *limit = getenv("TWINFLOW_VECTOR"); /* for tests of the others */
    int most = limit ? atoi(limit) : 16;
    __builtin_cpu_init();
    int skylake = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    int haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (skylake && most >= 16)
        vector_width = 16;
    else if (haswell && most >= 8)
        vector_width = 8;
#endif
}

int sizes_are(int64_t count, const int64_t *sizes, int n)
{
    int64_t product = 1;
    for (int i = 0; i < n; i++)
        if (sizes[i] < 0 || __builtin_mul_overflow(product, sizes[i], &product))
            return 0;
    return product == count;
}

PyObject *wrong_sizes(const char *kernel)
{
    return PyErr_Format(PyExc_ValueError, "%s: the sizes are not those of the arrays",
                        kernel);
}

int add_kernels(PyObject *module)
{
    PyMethodDef *families[] = {
        loop_methods,
        sorting_methods,
        draw_methods,
        trial_methods,
        special_methods,
        sampling_methods,
        matrix_methods,
        movement_methods,
        relocate_methods,
        segment_methods,
        reduce_methods,
        softmax_methods,
        norm_methods,
        fourier_methods,
        window_methods,
        border_methods,
        lstm_methods,
        one_hot_methods,
        update_methods,
        resize_methods,
        sdca_methods,
        nearest_methods,
        cluster_methods,
        fingerprint_methods,
        pick_methods,
        quantizing_methods,
        rectify_methods,
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (PyModule_AddFunctions(module, families[i]) < 0)
            return -1;
    return add_loops(module) < 0 ? -1 : add_steps(module);
}
