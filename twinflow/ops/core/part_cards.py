"""What notebooks show of a tensor that is made of others; see Note [Cards]."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import current_mode
from twinflow.drawing.cards import Markup, card, code, folded, shape_text, table

PARTS = "indices", "values", "dense_shape"
_SHOWN = 8  # elements, or rows


def of_parts(value: Any) -> Markup:
    """The card of a SparseTensor or IndexedSlices: its parts and first elements."""
    parts = [(name, getattr(value, name)) for name in PARTS]
    rows = [(name, part.dtype.name, shape_text(part.shape.as_list()))
            for name, part in parts if part is not None]  # fmt: skip
    shown = table(rows, head=("part", "dtype", "shape"))
    return card(f"tf.{type(value).__name__}", shown, _first(value))


def _first(value: Any) -> Markup:
    """The first elements with their places; "" in a graph."""
    arrays = [getattr(getattr(value, n), "_a", None) for n in PARTS[:2]]
    if not current_mode().eager or any(a is None for a in arrays):
        return Markup("")
    places, values = (np.asarray(a) for a in arrays)
    pairs = [(p.tolist(), np.array2string(v, threshold=_SHOWN))
             for p, v in zip(places[:_SHOWN], values[:_SHOWN])]  # fmt: skip
    made = table(pairs, head=("index", "value"), total=len(places))
    return folded("elements", made, shown=True) if pairs else code("no elements")
