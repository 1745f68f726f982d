"""What blocks of ops say though TensorFlow's OpDefs say it just so."""

import sys
from pathlib import Path

from twinflow.base import op, op_defs, signature
from twinflow.base.op_lookup import load_all


def restated(made: op.Op, line: str, types=None, attrs=None) -> list[str]:
    """The facts of an op that stand in its OpDef.

    Args:
        made: the op. line, types, attrs: what it was made from.
    """
    if op_defs.find(made.type) is None:
        return []
    host = " ".join(a.name for a in made.sig.inputs if a.host)
    known = signature.of_op_def(made.type, host)
    sides = (made.sig.inputs, made.sig.outputs)
    found = ["signature"] if "(" in line and sides == known[1:3] else []
    types = types if isinstance(types, dict) else {"T": types} if types else {}
    allowed = signature.allowed_types(made.type)
    found += [f"types:{k}" for k, v in types.items() if {*v} == {*allowed.get(k, ())}]
    attrs = attrs or {}
    same = [k for k in attrs.keys() & known.attrs.keys() if attrs[k] == known.attrs[k]]
    return found + [f"attrs:{k}" for k in same]


def print_all():
    """One word for each fact that a block restates; in a process of its own."""
    make = op.Op.__init__

    def watched(made, line, *rest, **facts):
        make(made, line, *rest, **facts)
        for fact in restated(made, line, facts.get("types"), facts.get("attrs")):
            print(f"{_place(sys._getframe(1))}:{made.type}:{fact}")

    op.Op.__init__ = watched  # type: ignore[method-assign]
    load_all()


def _place(frame):
    """The file and line of the block: the caller of what makes the Op."""
    while frame.f_code.co_name in ("define", "define_draw"):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
