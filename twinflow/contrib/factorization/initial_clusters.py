"""The first centers of clusters, chosen from as many batches as it takes."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import range
from twinflow.ops.core.elementwise import minimum
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_min
from twinflow.ops.core.shape import shape
from twinflow.ops.math.clustering import NearestNeighbors
from twinflow.ops.nn.moments import l2_normalize
from twinflow.ops.random.choice import random_shuffle
from twinflow.ops.random.first_centers import (
    KMC2ChainInitialization,
    KmeansPlusPlusInitialization,
)
from twinflow.ops.variables.state import assign

RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"
KMC2_INIT = "kmc2"


class InitialClusters:
    """Makes the op that chooses centers; it is run until there are enough.

    Args:
        inputs: a list of tensors, float32[n, d]. count: how many centers.
        chosen: "random", "kmeans_plus_plus", "kmc2", a function (inputs, how many) ->
            centers, or the centers themselves.
        cosine: whether distances are cosines. seed, retries, chain: see KMeans.
        centers, updated, initialized: the variables.
    Raises:
        ValueError: another way to choose.
    """

    def __init__(
        self, inputs: list, count: Any, chosen: Any, cosine: bool, seed: int,
        retries: int, chain: int, centers: Any, updated: Any, initialized: Any,
    ) -> None:  # fmt: skip
        self.inputs, self.count, self.chosen = inputs, count, chosen
        self.cosine, self.seed, self.retries, self.chain = cosine, seed, retries, chain
        self.centers, self.updated = centers, updated
        self.initialized = initialized
        self.first, self.selected = inputs[0], shape(centers)[0]
        self.missing = cast(count, "int32") - self.selected

    def op(self) -> Any:
        """The op: nothing where there are enough centers already."""
        return cond(equal(self.missing, 0), lambda: no_op(), self._add)

    def _add(self) -> Any:
        data, missing = self.first, self.missing
        if isinstance(self.chosen, str) or callable(self.chosen):
            found = self._choose(data, missing)
        else:
            found = convert_to_tensor(self.chosen, data.dtype)
        if self.cosine:
            found = l2_normalize(found, 1)
        none = equal(self.selected, 0)
        centers = cond(
            none, lambda: found, lambda: concat([self.centers, found], 0)
        )  # fmt: skip
        saved = [assign(self.centers, centers, validate_shape=False)]
        if self.updated is not self.centers:
            saved.append(assign(self.updated, saved[0], validate_shape=False))
        enough = equal(missing, shape(found)[0])
        with control_dependencies([group(*saved)]):
            return assign(self.initialized, identity(enough)).op

    def _choose(self, data: Tensor, missing: Any) -> Tensor:
        if callable(self.chosen):
            return self.chosen(data, missing)
        ways = {
            RANDOM_INIT: self._random, KMEANS_PLUS_PLUS_INIT: self._plus_plus,
            KMC2_INIT: self._chains,
        }  # fmt: skip
        return ways[self.chosen](data, missing)

    def _random(self, data: Tensor, missing: Any) -> Tensor:
        count = minimum(missing, shape(data)[0])
        order = random_shuffle(range(shape(data)[0]), seed=self.seed)
        return gather(data, order[:count])

    def _plus_plus(self, data: Tensor, missing: Any) -> Tensor:
        points = l2_normalize(data, 1) if self.cosine else data
        numbers = (cast(n, "int64") for n in (missing, self.seed, self.retries))
        return apply(KmeansPlusPlusInitialization, (points, *numbers))

    def _chains(self, data: Tensor, missing: Any) -> Tensor:
        """One center after the other, each the end of a walk through the points."""
        points = l2_normalize(data, 1) if self.cosine else data
        shuffled = gather(points, random_shuffle(range(shape(data)[0]), seed=self.seed))
        batch = shuffled[: self.chain]
        first = cond(
            equal(self.selected, 0), lambda: shuffled[:1], lambda: self.centers.value()
        )
        first.set_shape([None, data.get_shape()[1]])

        def more(found: Tensor) -> Any:
            return shape(found)[0] < self.selected + minimum(missing, 1)

        def add(found: Tensor) -> Tensor:
            far = apply(NearestNeighbors, (batch, found, cast(1, "int64")))[1]
            seed = cast(self.seed, "int64")
            at = apply(KMC2ChainInitialization, (reduce_min(far, 1), seed))
            return concat([found, batch[at : at + 1]], 0)

        whole = while_loop(
            more, add, [first], back_prop=False,
            shape_invariants=[TensorShape([None, data.get_shape()[1]])],
        )  # fmt: skip
        return whole[self.selected :]
