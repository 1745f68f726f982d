# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.autodiff.recompute import recompute_grad as recompute_grad
