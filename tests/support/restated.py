"""What blocks of ops say though TensorFlow's OpDefs say it just so."""

import sys

from twinflow.base import op, op_defs, signature
from twinflow.base.op_lookup import load_all, registry

# A program with the words of `print_all`: importing twinflow makes the first ops.
PROGRAM = """
import os, sys

calls = []

def watch(frame, event, _):
    if event != "call" or frame.f_code.co_name != "__init__":
        return
    if not frame.f_code.co_filename.endswith(os.path.join("base", "op.py")):
        return
    told = dict(frame.f_locals)
    if "line" not in told:
        return
    while frame.f_code.co_name in ("__init__", "define", "define_draw"):
        frame = frame.f_back
    place = os.path.basename(frame.f_code.co_filename)
    calls.append({**told, "place": f"{place}:{frame.f_lineno}"})

sys.setprofile(watch)
from tests.support.restated import print_all
print_all(calls)
"""


def restated(made: op.Op, line: str, types=None, attrs=None) -> list[str]:
    """The facts of an op that stand in its OpDef.

    Args:
        made: the op. line, types, attrs: what it was made from.
    """
    if op_defs.find(made.type) is None:
        return []
    host = " ".join(a.name for a in made.sig.inputs if a.host)
    known = signature.of_op_def(made.type, host)
    found = ["signature"] if "(" in line and _alike(made.sig, known) else []
    types = types if isinstance(types, dict) else {"T": types} if types else {}
    allowed = signature.allowed_types(made.type)
    found += [f"types:{k}" for k, v in types.items() if {*v} == {*allowed.get(k, ())}]
    attrs = attrs or {}
    same = [k for k in attrs.keys() & known.attrs.keys() if attrs[k] == known.attrs[k]]
    return found + [f"attrs:{k}" for k in same]


def _alike(ours, theirs):
    """Whether two signatures have the same inputs and outputs, of the same dtypes."""
    sides = [(*sig.inputs, *sig.outputs) for sig in (ours, theirs)]
    fixed = all(a.dtype is b.dtype for a, b in zip(*sides, strict=False))
    return fixed and ours[1:3] == theirs[1:3]


def print_all(calls):
    """One word for each fact that a block restates.

    Args:
        calls: of `watch`, begun before anything of twinflow was imported.
    """
    load_all()
    sys.setprofile(None)
    made = {call["self"].type for call in calls}
    print(*(f"unseen:{t}" for t in registry.keys() - made))
    for call in calls:
        facts = restated(call["self"], call["line"], call["types"], call["attrs"])
        print(*(f"{call['place']}:{call['self'].type}:{fact}" for fact in facts))
