"""The words of TensorFlow for inputs of a node whose types do not agree."""

from collections.abc import Sequence
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.bind import Mismatch
from twinflow.base.convert import to_array
from twinflow.base.op import Op
from twinflow.base.tensor import Tensor, TensorLike


def type_error(op: Op, m: Mismatch, inputs: Sequence) -> TypeError:
    """What to raise where the types of an op's inputs do not agree.

    Args:
        m: which input has the wrong type. inputs: what was given.
    """
    names = [a.name for a in op.sig.inputs]
    arg, attr = op.sig.inputs[m.place], op.sig.inputs[m.place].type_attr
    if arg.is_list:
        before = [a for a in op.sig.inputs[: m.place] if attr and a.type_attr == attr]
        kinds = ", ".join(_kind_of(v) for v in inputs[m.place])
        rest = (
            f"do not match expected type {m.wanted.name}." if attr is None
            else f"do not match type {m.wanted.name} inferred from earlier arguments."
            if before else "don't all match."
        )  # fmt: skip
        return TypeError(
            f"Tensors in list passed to '{arg.name}' of '{op.type}' Op have types "
            f"[{kinds}] that {rest}"
        )
    name = m.first if attr is None else names[m.place]
    whose = f"Input '{name}' of '{op.type}' Op has type {m.found.name}"
    if attr is None:
        wanted = f"expected type of {m.wanted.name}."
    else:
        first = next(a.name for a in op.sig.inputs if a.type_attr == attr)
        wanted = f"type {m.wanted.name} of argument '{first}'."
    return advised(TypeError, f"{whose} that does not match {wanted}")


def _kind_of(value: Any) -> str:
    """The name of the dtype that `value` has as a tensor."""
    if isinstance(value, Tensor | TensorLike):
        return value.dtype.base_dtype.name
    try:
        return to_array(value, None)[1].name
    except (TypeError, ValueError):
        return "<NOT CONVERTIBLE TO TENSOR>"
