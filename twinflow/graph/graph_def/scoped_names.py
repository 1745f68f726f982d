"""Names of nodes, tensors and colocations, with and without a name scope."""

import re
from typing import Any


def strip_name_scope(name: str, export_scope: Any) -> str:
    """`name` without the scope: "s/x:0", "^s/x" and "loc:@s/x" lose "s/"."""
    if not export_scope:
        return name
    scope = re.escape(export_scope.removesuffix("/"))
    return re.sub(rf"([\^]|loc:@|^){scope}[\/]+(.*)", r"\1\2", _text(name), count=1)


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """`name` inside the scope: the other way around."""
    if not import_scope:
        return name
    scope = import_scope.removesuffix("/").replace("\\", r"\\")
    return re.sub(r"([\^]|loc:@|^)(.*)", rf"\1{scope}/\2", _text(name), count=1)


def _text(name: str) -> str:
    return name.decode() if isinstance(name, bytes) else name
