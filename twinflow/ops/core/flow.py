"""What the flow of a tensor array holds, and its zero.

See Note [Tensor arrays] in ops.tensor_array.ops.
"""

import numpy as np

from twinflow.base.op import define


class Elements:
    """The elements of a tensor array at one point of a program; never changed.

    Args:
        items: dict from index to array. size: how many there are (None where nobody
            asks: the elements of a gradient).
    """

    __slots__ = ("items", "size")

    def __init__(self, items, size=None):
        self.items, self.size = items, size

    def with_items(self, more, size=None):
        """These elements and those of the dict `more`."""
        return Elements({**self.items, **more}, size or self.size)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """Two of them are added element by element; nothing else is asked."""
        if ufunc is not np.add or method != "__call__":
            return NotImplemented
        x, y = (i.items for i in inputs)
        if len(x) < len(y):
            x, y = y, x
        more = {i: x[i] + v if i in x else v for i, v in y.items()}
        return self.with_items({**x, **more})

    def __array__(self, dtype=None, copy=None):
        return np.zeros((), dtype or np.float32)  # what a session shows of a flow

    def __repr__(self):
        return f"<{len(self.items)} of {self.size} elements>"


NOTHING = Elements({})

Nothing = define(
    "TwinArrayNothing() -> (flow: flow)",
    infer=lambda: (),
    kernel=lambda xp: lambda: NOTHING,
)
