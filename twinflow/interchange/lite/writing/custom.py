"""Ops without a counterpart, as custom ones that the interpreter has to know."""

from typing import Any

from twinflow.formats.flex_buffers import encode
from twinflow.interchange.lite.model import Value
from twinflow.interchange.lite.unknown import name_of
from twinflow.interchange.lite.writing.arrays import outs


def _custom(w: Any, node: Any) -> list[Value]:
    kind, attrs = name_of(node) or (node.type, node.attrs)
    found = w.ops(kind, w.values(node.inputs), outs(w, node))
    item = w.made_last()
    item.is_custom = True
    plain = {k: v for k, v in attrs.items() if type(v) in (bool, int, float, str)}
    item.content = encode(plain) if plain else b""
    return found


WRITERS = {None: _custom, "PyFunc": _custom}
