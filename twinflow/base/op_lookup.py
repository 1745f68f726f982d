"""The ops by their types, and those whose modules have not been loaded yet."""

import functools
import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinflow.base.op import Op

registry: dict[str, "Op"] = {}  # filled by base.op.define

_PACKAGES = ("ops", "graph", "execute", "data", "summary", "checkpoint")


def known_op(kind: str) -> Any:
    """The Op of a type, or None; the modules that define ops are loaded if need be."""
    for package in _PACKAGES:
        if kind in registry:
            break
        _load(package)
    return registry.get(kind)


def load_all() -> None:
    """Load every module that defines ops."""
    for package in _PACKAGES:
        _load(package)


@functools.cache
def _load(package: str) -> None:
    name = f"twinflow.{package}"
    paths = pkgutil.resolve_name(name).__path__
    for found in pkgutil.walk_packages(paths, name + "."):
        pkgutil.resolve_name(found.name)
