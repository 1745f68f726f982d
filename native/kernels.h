/* The kernels for arrays at size: each family is a unit of its own with a table of what
 * Python calls, and kernels.c adds the tables to the module.
 *
 * A kernel takes contiguous arrays ("y*" to read, "w*" to fill) and their sizes, and
 * holds the sizes against the arrays' lengths before it touches them: a wrong one is a
 * ValueError, never a stray access. It lets go of the GIL and shares its parts out by
 * `run_parts`; what the parts are depends on the shape alone, and so does the result.
 * Loops are written once, in vectors of 16 floats (vectors.h), and compiled for each
 * width that the machine may have (each_width.h).
 */
#ifndef KERNELS_H
#define KERNELS_H
#include <Python.h>
#include <stdint.h>

/* Floats in the widest vectors that there are (4, 8, 16); TWINFLOW_VECTOR limits it. */
extern int vector_width;
void choose_width(void);

/* The loop of this name for the machine's vectors. */
#if defined(__x86_64__) && defined(__GNUC__)
#define FOR_WIDTH(name)                                                                 \
    (vector_width == 16 ? name##_16 : vector_width == 8 ? name##_8 : name##_4)
#else
#define FOR_WIDTH(name) name##_4
#endif

/* Add every family's functions; -1 with an error. */
int add_kernels(PyObject *module);

/* Whether sizes are at least 0 and their product is `count`. */
int sizes_are(int64_t count, const int64_t *sizes, int n);

/* A ValueError that names the kernel, and NULL. */
PyObject *wrong_sizes(const char *kernel);

extern PyMethodDef loop_methods[];
extern PyMethodDef movement_methods[];
extern PyMethodDef relocate_methods[];
extern PyMethodDef segment_methods[];
extern PyMethodDef sorting_methods[];
extern PyMethodDef draw_methods[], trial_methods[], sampling_methods[];
extern PyMethodDef special_methods[];
extern PyMethodDef fourier_methods[];
extern PyMethodDef matrix_methods[];
extern PyMethodDef reduce_methods[], softmax_methods[], norm_methods[];
extern PyMethodDef window_methods[], border_methods[], lstm_methods[], one_hot_methods[];
extern PyMethodDef update_methods[], resize_methods[], sdca_methods[];
extern PyMethodDef nearest_methods[], cluster_methods[], fingerprint_methods[];
extern PyMethodDef pick_methods[], quantizing_methods[], rectify_methods[];
int add_loops(PyObject *module);
#endif
