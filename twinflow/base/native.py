"""The one importer of the compiled module; everything works without it, only slower.

`fast` is the module of native/fast.c, or None where it was not built (no C compiler at
installation) or TWINFLOW_NATIVE=0 is set. TWINFLOW_NATIVE may also name the file of
another build of it, as `make sanitize` does.
"""

import importlib
import importlib.machinery
import importlib.util
import os
from typing import Any

_NAME = "twinflow.base._fast"


def _from_file(path: str) -> Any:
    loader = importlib.machinery.ExtensionFileLoader(_NAME, path)
    spec = importlib.util.spec_from_loader(_NAME, loader)
    if spec is None:
        raise ImportError(f"{path} is no module", name=_NAME, path=path)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


fast: Any = None
_choice = os.environ.get("TWINFLOW_NATIVE", "")
if os.sep in _choice:
    fast = _from_file(_choice)
elif _choice != "0":
    try:
        fast = importlib.import_module(_NAME)
    except ImportError:
        fast = None
