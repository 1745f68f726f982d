"""What notebooks show of an optimizer; see Note [Cards]."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.drawing.cards import Markup, card, shape_text, table

_NUMBERS = (bool, int, float, str)


def card_of(optimizer: Any) -> Markup:
    """Its settings, and the slots that it keeps of variables."""
    own = {n.lstrip("_"): v for n, v in vars(optimizer).items() if n[-2:] != "_t"}
    settings = [(n, v) for n, v in own.items() if isinstance(v, _NUMBERS)]
    settings += [(n, f"a tensor {shape_text(v.shape.as_list())}")
                 for n, v in own.items() if isinstance(v, Tensor)]  # fmt: skip
    slots = [(name, len(of)) for name, of in optimizer._slots.items() if of]
    kept = table(slots, head=("slot", "variables"), numbers=[1]) if slots else ""
    return card(f"tf.train.{type(optimizer).__name__}", table(settings), kept)
