# Made by `make stubs` from the table of the index.
from twinflow.contrib.solvers.bidiagonal import bidiag_matmul as bidiag_matmul
from twinflow.contrib.solvers.bidiagonal import lanczos_bidiag as lanczos_bidiag

__all__ = [
"bidiag_matmul", "lanczos_bidiag"
]
