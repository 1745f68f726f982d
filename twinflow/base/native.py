"""The one importer of the compiled module; everything works without it, only slower.

`fast` is the module of native/fast.c, or None where it was not built (no C compiler at
installation) or TWINFLOW_NATIVE=0 is set.
"""

import importlib
import os

fast = None
if os.environ.get("TWINFLOW_NATIVE") != "0":
    try:
        fast = importlib.import_module("twinflow.base._fast")
    except ImportError:
        fast = None
