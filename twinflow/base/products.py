"""Products of two matrices, for each choice of transposes: `PRODUCTS[ta, tb](a, b)`;
`dot` is that of vectors, and of a vector and a matrix; `matmul` that of batches.

They are NumPy's, except where the C module was built and NumPy's OpenBLAS is the one of
its wheels: there native/products.h takes those of middling size, which do not stall
when other processes hold the cores (docs/decisions/0007-threads-of-products.md);
TWINFLOW_PRODUCTS=0 switches it off. A third argument is the array for the result.
"""

import ctypes
import os
import sys
from typing import Any

import numpy as np

from twinflow.base import native

_CORE = "numpy._core._multiarray_umath"
_NAMES = (
    "scipy_cblas_sgemm64_",
    "scipy_cblas_dgemm64_",
    "scipy_openblas_set_num_threads64_",
    "scipy_openblas_get_num_threads64_",
)
_IN_NUMPY = {
    (False, False): np.dot,
    (True, False): lambda a, b, out=None: np.dot(a.T, b, out),
    (False, True): lambda a, b, out=None: np.dot(a, b.T, out),
    (True, True): lambda a, b, out=None: np.dot(a.T, b.T, out),
}


def addresses_of(names: tuple[str, ...]) -> Any:
    """Where NumPy's OpenBLAS has these; None if it is another library."""
    try:
        library = ctypes.CDLL(sys.modules[_CORE].__file__)  # and what it is linked to
        found = [ctypes.cast(library[name], ctypes.c_void_p).value for name in names]
    except (AttributeError, KeyError, OSError):
        return None
    return found if all(found) else None


def _matmul(a: Any, b: Any) -> Any:
    """np.matmul, the pairs of matrices shared out among threads."""
    found = native.fast.product_of_batches(a, b)
    return np.matmul(a, b) if found is None else found


def _products() -> tuple[Any, Any, Any]:
    fast, addresses = native.fast, None
    if os.environ.get("TWINFLOW_PRODUCTS") != "0":
        addresses = addresses_of(_NAMES)
    if addresses is None or fast is None or not hasattr(fast, "dot_alone"):
        return _IN_NUMPY, np.dot, np.matmul  # no such BLAS, no module, or Windows
    fast.setup_products(np.dot, np.empty, *addresses)
    products = {
        (False, False): fast.product,
        (True, False): fast.product_ta,
        (False, True): fast.product_tb,
        (True, True): fast.product_both,
    }
    return products, fast.dot_alone, _matmul


PRODUCTS, dot, matmul = _products()
