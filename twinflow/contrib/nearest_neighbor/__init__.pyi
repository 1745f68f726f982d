# Made by `make stubs` from the table of the index.
from twinflow.ops.math.hyperplanes import hyperplane_lsh_probes as hyperplane_lsh_probes

__all__ = [
"hyperplane_lsh_probes"
]
