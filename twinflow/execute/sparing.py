"""Kernels that leave out what nothing reads.

Note [Spared outputs]: an op with several outputs computes all of them, while a graph
may read one: training an LSTM needs no gradient of its inputs, a sixth of the products.
XLA drops such parts; here a kernel that has `spares` takes one more argument, `spared`:
the places of the outputs that nothing reads, for which it gives None. Which these are
is known with the lifetimes of values. While somebody watches the steps, all is
computed.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any


class Sparing:
    """A kernel of one step, told by `let_go` what nothing reads.

    Args:
        kernel: the function. attrs: of the node. outs: the slots of its outputs.
    """

    def __init__(self, kernel: Callable, attrs: dict, outs: Sequence[int]) -> None:
        self._all, self._outs = partial(kernel, **attrs), outs
        self.let_go(())

    def let_go(self, dying: tuple[int, ...]) -> None:
        """Nothing reads these slots after the step."""
        spared = frozenset(i for i, slot in enumerate(self._outs) if slot in dying)
        self._run = partial(self._all, spared=spared)

    def __call__(self, *arrays: Any) -> list:
        return self._run(*arrays)
