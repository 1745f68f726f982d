"""twinflow: one program, run eagerly or as a graph; the TensorFlow 1.12 API."""

import os as _os
import warnings

from twinflow.base import called_as_module as _called  # noqa: F401 - acts first
from twinflow.base import heap as _heap  # noqa: F401 - acts before arrays are made
from twinflow.base import openblas as _openblas  # noqa: F401 - acts before NumPy
from twinflow.base.public_index import attach
from twinflow.base.tracebacks import install as _shorten_tracebacks
from twinflow.base.versions import compat as _compat
from twinflow.eager.mode import MODE
from twinflow.graph.defaults import start
from twinflow.ops.core import operators as _operators  # noqa: F401 - puts them on Tensor

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = attach(__name__)

if _compat() < (1, 12):  # TWINFLOW_TF_COMPAT
    from twinflow.ops.variables.older import GraphVariable as Variable  # noqa: F401

# Overflow and 0/0 give inf and nan as in TensorFlow; NumPy's own settings stay as they
# are, so that the user's NumPy code still warns.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"twinflow\.")
start(MODE)
_shorten_tracebacks()
if _os.environ.get("TWINFLOW_CAPSULE"):
    from twinflow.capsules import everywhere as _everywhere  # noqa: F401 - acts now
