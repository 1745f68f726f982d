"""From gradient rules to vector-Jacobian products, one per set of wanted inputs."""

import functools
from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from twinflow.base.op import Op

_FORMS = {
    "shape_": "{}._shape_value()",
    "dtype_": "{}.dtype",
    "num_": "len({})",
    "shapes_": "[t._shape_value() for t in {}]",
}


_CODES = {"ins[{}]": 0, "outs[{}]": 1, "ins[{}]._shape_value()": 2, "ins[{}].dtype": 3}


class Vjp(NamedTuple):
    """What a record keeps of an op, and how it turns ``dy`` into ``dx``.

    Args:
        keep: ``(inputs, outputs) -> kept``, just what the rules read, of eager tensors.
        keep_later: the same for the tensors of a graph.
        back: ``(kept, attrs, dy) -> tuple of dx`` in the order of ``wanted`` (``dy`` is
            a list where the op has several outputs).
        wanted: the positions of the inputs that get a gradient.
    """

    op: Any
    keep: Callable
    keep_later: Callable
    back: Callable
    wanted: tuple[int, ...]
    none_ok: bool = False  # whether missing gradients arrive as None, not as zeros
    codes: tuple | None = None  # `keep` for native/fast.c: 8 * place + kind, see _CODES


def vjp(op: "Op", mask: int) -> Vjp:
    """The product of `op` for the inputs whose bit is set in `mask`."""
    found = op.vjps.get(mask)
    if found is None:
        found = op.vjps[mask] = _build(op, mask)
    return found


def _build(op: "Op", mask: int) -> Vjp:
    wanted = tuple(i for i in range(len(op.sig.inputs)) if mask >> i & 1)
    kept: list[str] = []
    if op.joint:
        call = _call(op, "joint", op.joint, kept)
        picks = [i for i, a in enumerate(op.sig.inputs) if not a.host]
        result = f"tuple(r[i] for r in ({call},) for i in {_places(picks, wanted)})"
    else:
        calls = [_call(op, f"rule{i}", op.rules[i], kept) for i in wanted]
        result = "(" + "".join(f"{c}, " for c in calls) + ")"
    keeps = "(" + "".join(f"{k}, " for k in kept) + ")"
    scope = {f"rule{i}": rule for i, rule in enumerate(op.rules)}
    scope["joint"] = op.joint
    now = keeps.replace("._shape_value()", "._a.shape")
    text = (
        f"lambda ins, outs: {now}, lambda ins, outs: {keeps}, lambda k, a, d: {result}"
    )
    keep, later, back = eval(_compiled(text), scope)
    return Vjp(op, keep, later, back, wanted, op.none_ok, _codes(kept))


@functools.cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<twinflow gradient>", "eval")


def _codes(kept: list[str]) -> tuple[int, ...] | None:
    """What is kept as numbers; None if something is kept that has none."""
    known = {
        form.format(i): 8 * i + kind for form, kind in _CODES.items() for i in (0, 1)
    }
    return tuple(known[k] for k in kept) if all(k in known for k in kept) else None


def _places(picks: list[int], wanted: tuple[int, ...]) -> list[int]:
    return [picks.index(i) for i in wanted]


def _call(op: "Op", target: str, rule: Callable, kept: list[str]) -> str:
    code = rule.__code__
    names = code.co_varnames[: code.co_argcount]
    return f"{target}({', '.join(_source(op, n, kept) for n in names)})"


def _source(op: "Op", name: str, kept: list[str]) -> str:
    outputs = [a.name for a in op.sig.outputs]
    inputs = [a.name for a in op.sig.inputs]
    if name == "dy" and "dy" not in inputs:
        return "d"
    if name.startswith("d_") and name[2:] in outputs:
        return "d" if op.single else f"d[{_output_place(op, name[2:])}]"
    if name in op.sig.attrs:
        return f"a[{name!r}]"
    expression = _kept_expression(op, name, outputs)
    if expression not in kept:
        kept.append(expression)
    return f"k[{kept.index(expression)}]"


def _output_place(op: "Op", name: str) -> int:
    """The place among all output tensors; from the end, where a list comes before."""
    place = [a.name for a in op.sig.outputs].index(name)
    after_list = any(a.is_list for a in op.sig.outputs[:place])
    return place - len(op.sig.outputs) if after_list else place


def _kept_expression(op: "Op", name: str, outputs: list[str]) -> str:
    inputs = [a.name for a in op.sig.inputs]
    if name in inputs:
        place = inputs.index(name)
        return f"ins[{place}]"
    if name in outputs:
        return f"outs[{_output_place(op, name)}]"
    for prefix, form in _FORMS.items():
        if name.startswith(prefix) and name[len(prefix) :] in inputs:
            return form.format(f"ins[{inputs.index(name[len(prefix) :])}]")
    raise ValueError(
        f"The gradient rule of {op.type} reads {name!r}; it may read {inputs}, "
        f"{outputs}, their shape_ and dtype_, dy and {list(op.sig.attrs)}."
    )
