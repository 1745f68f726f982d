"""The one importer of the compiled module; everything works without it, only slower.

`fast` is the module of native/fast.c, or None where it was not built (no C compiler at
installation) or TWINFLOW_NATIVE=0 is set. TWINFLOW_NATIVE may also name the file of
another build of it, as `make sanitize` does.
"""

import importlib
import importlib.util
import os
from typing import Any


def _module() -> Any:
    choice = os.environ.get("TWINFLOW_NATIVE", "1")
    if choice == "0":
        return None
    name = "twinflow.base._fast"
    if os.sep not in choice:
        try:
            return importlib.import_module(name)
        except ImportError:
            return None
    spec: Any = importlib.util.spec_from_file_location(name, choice)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fast = _module()
