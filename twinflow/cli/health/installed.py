"""What is installed: twinflow, its C module, the packages, the caches on disk."""

import importlib.metadata
import os
import platform
import re
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from twinflow.base import compile_cache, native, products
from twinflow.cli.drawing import size
from twinflow.cli.health.trouble import Trouble
from twinflow.cli.samples import making

_REQUIRED = re.compile(  # (name, extra of its own, extra that needs it)
    r"^([\w.-]+)(?:\[([\w-]+)\])?[^;]*(?:;.*extra == [\"']([\w-]+)[\"'])?"
)
_LEFT_OUT = ("dev", "demo")


def versions() -> dict[str, str]:
    """The packages that twinflow needs, and what of its extras is there."""
    found = {"Python": f"{platform.python_version()} ({sys.executable})"}
    for name, version in _packages("").items():
        found[name] = version or "missing"
    return found


def extras() -> dict[str, str]:
    """The extras: their packages with versions, or how to install them."""
    text = importlib.metadata.metadata("twinflow").get_all("Provides-Extra") or []
    found = {}
    for extra in sorted(set(text) - set(_LEFT_OUT)):
        there = _packages(extra)
        missing = [name for name, version in there.items() if version is None]
        pairs = [f"{name} {version}" for name, version in there.items() if version]
        found[extra] = f"no {', '.join(missing)}" if missing else ", ".join(pairs)
    return found


def _packages(extra: str, whole: str = "twinflow") -> dict[str, str | None]:
    """{package: its version} of those that an extra ("": every program) needs."""
    found: dict[str, str | None] = {}
    for line in importlib.metadata.requires(whole) or []:
        match = _REQUIRED.match(line)
        if match is None or (match[3] or "") != extra or match[1] == "twinflow":
            continue
        found[match[1]] = _version(match[1])
        if match[2] and whole == "twinflow" and found[match[1]]:
            found |= _packages(match[2], match[1])
    return found


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def c_module() -> dict[str, str]:
    """Where it is, and how it was built."""
    if native.fast is None:
        return {"file": "none", "why": _why_not()}
    file = Path(native.fast.__file__)
    product = getattr(native.fast, "product", None)
    own = "own" if product in products.PRODUCTS.values() else "NumPy's"
    return {
        "file": str(file),
        "built": f"{size(file.stat().st_size)}, from sources {native.fast.sources:x}",
        "compiler of this Python": str(sysconfig.get_config_var("CC") or "not known"),
        "kernels": f"convolutions: {_own('convolve')}, products: {own}",
    }


def _own(name: str) -> str:
    return "own" if hasattr(native.fast, name) else "NumPy's and XLA's"


def _why_not() -> str:
    if os.environ.get("TWINFLOW_NATIVE") == "0":
        return "TWINFLOW_NATIVE=0"
    there = find_spec("twinflow.base._fast") is not None
    return "it was built from other sources" if there else "it was not built"


def caches() -> dict[str, str]:
    """The folders that twinflow keeps things in, with their sizes."""
    keras = Path(os.path.expanduser("~/.keras"))
    return {
        "compiled programs": _sized(compile_cache.root()),
        "made-up data sets": _sized(making.root()),
        "data sets of Keras": _sized(keras),
    }


def _sized(folder: Path) -> str:
    files = [p for p in folder.rglob("*") if p.is_file()] if folder.exists() else []
    total = sum(p.stat().st_size for p in files)
    return f"{folder} ({len(files)} files, {size(total)})"


def troubles() -> list[Trouble]:
    """What is missing or slow."""
    found = [
        Trouble(f"the package {name} is missing", f"python -m pip install {name}", True)
        for name, version in _packages("").items()
        if version is None
    ]
    if native.fast is None:
        fix = {"TWINFLOW_NATIVE=0": "unset TWINFLOW_NATIVE"}.get(
            _why_not(), "install a C compiler, and twinflow once more (python -m pip "
            "install --force-reinstall --no-deps, of its folder)",
        )  # fmt: skip
        found.append(Trouble(f"there is no C module ({_why_not()}): everything runs, "
                             "eager code slowest", fix))  # fmt: skip
    return found + _of_cache()


def _of_cache() -> list[Trouble]:
    try:
        usable = compile_cache.folder() is not None
    except ValueError:  # the environment says of it
        return []
    if usable or os.environ.get(compile_cache.SWITCH) == "off":
        return []
    return [Trouble(
        f"{compile_cache.root()} cannot be written: each run compiles anew",
        "let XDG_CACHE_HOME name a folder that you may write to",
    )]  # fmt: skip
