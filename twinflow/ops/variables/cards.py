"""What a notebook shows of a variable; see Note [Cards]."""

from typing import Any

from twinflow import drawing


def of_variable(variable: Any) -> str | None:
    """A large value of now as statistics; a small one is its repr: None.

    In a graph, what is known without running: where it lives and how it starts.
    """
    name = f"tf.Variable {variable.name!r}"
    if variable.graph is None:
        value = variable._cell.read()  # no tape is told of this
        return drawing.array_card(name, value, variable.dtype.base_dtype.name)
    kind = variable.dtype.base_dtype.name
    start = getattr(variable, "initializer", None)
    facts = [
        ("kind", f"{kind}{drawing.shape_text(variable._shape)}"),
        ("trainable", variable.trainable),
        ("starts by", getattr(start, "name", "?")),
        ("device", variable.op.device or "any"),
    ]
    return drawing.card(name, drawing.table(facts))
