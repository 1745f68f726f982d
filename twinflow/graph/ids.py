"""The number that a node would have in a graph of TensorFlow's.

Note [Ids]: random ops without a seed of their own take the number of nodes that their
graph has so far for one, so what a seeded program of 2018 printed depends on how many
nodes each function of TensorFlow 1.12 made. Graphs are smaller here. Where a function
makes fewer nodes it leaves their numbers out (`leave_ids`), as far as random ops are
likely to follow: building a model. What gradients and optimizers make is not counted.
"""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twinflow.graph.node import Node, Region


class Ids:
    """How a graph counts.

    Attributes:
        left_ids: how many numbers were left out.
    """

    nodes: "list[Node]"
    left_ids: int
    region: "Region | None"

    @property
    def _last_id(self) -> int:
        return len(self.nodes) + self.left_ids

    _next_id_counter = _last_id

    def leave_ids(self, count: int) -> None:
        """Leave out the numbers of nodes that TensorFlow makes here."""
        self.left_ids += count

    @contextlib.contextmanager
    def counted(self, ids: int | None) -> Iterator[None]:
        """Let the nodes made in the block count as so many; None = as many as it is."""
        before = self._last_id
        yield
        if ids is not None:
            self.left_ids += before + ids - self._last_id

    def enter_as(self, found: Any, t: Any) -> None:
        """Where `found`, the shape of `t`, is used again TensorFlow takes a new one."""
        region = self.region
        self.enter(region, (t,))
        while region is not None:
            region.entered.add(found)
            region = region.parent

    def enter(self, region: "Region | None", tensors: Any) -> None:
        """Leave a number for each tensor that comes into a region for the first time:
        TensorFlow has an Enter or a Switch for it."""
        while region is not None:
            for t in tensors:
                inside = t.op.region is not None and t.op.region.inside(region)
                if not inside and t not in region.entered:
                    region.entered.add(t)
                    self.left_ids += 1
            region = region.parent
