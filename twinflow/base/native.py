"""The one importer of the compiled module; everything works without it, only slower.

`fast` is the module of native/fast.c, or None where it was not built (no C compiler at
installation) or TWINFLOW_NATIVE=0 is set. TWINFLOW_NATIVE may also name the file of
another build of it, as `make sanitize` does. A module that was built from other sources
than those of the checkout that it lies in is left out: Python and C change together.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import warnings
import zlib
from pathlib import Path
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


def _is_stale(module: Any) -> bool:
    """Whether a checkout holds other C sources than those of the module beside it."""
    folder = Path(__file__).resolve().parents[2] / "native"
    if not (folder / "fast.c").exists():
        return False
    sources = sorted(folder.glob("*.[ch]"))
    checksum = zlib.crc32(b"".join(path.read_bytes() for path in sources)) >> 1
    return getattr(module, "sources", 0) != checksum


fast: Any = None
_choice = os.environ.get("TWINFLOW_NATIVE", "")
if os.sep in _choice:
    fast = _from_file(_choice)
elif _choice != "0":
    try:
        fast = importlib.import_module(_NAME)
    except ImportError:
        fast = None
if fast is not None and os.sep not in _choice and _is_stale(fast):
    warnings.warn(
        f"{fast.__file__} was built from other C sources than those of this checkout "
        "and is left out: everything runs, only slower. Build it anew: "
        "pip install -e .",
        RuntimeWarning,
        stacklevel=2,
    )
    fast = None
