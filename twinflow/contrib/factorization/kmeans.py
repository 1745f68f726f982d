"""The graph of k-means: distances, and steps that move the centers."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.contrib.factorization.initial_clusters import (
    KMC2_INIT,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    InitialClusters,
)
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.compare import less_equal
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import ones, ones_like, zeros_like
from twinflow.ops.core.elementwise import add_n, reciprocal
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.ops.math.clustering import NearestNeighbors
from twinflow.ops.nn.moments import l2_normalize
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.parts import scatter_add
from twinflow.ops.variables.state import assign, assign_sub

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"
CLUSTERS_VAR_NAME = "clusters"
_EPSILON = 1e-6


def check_choices(initial_clusters: Any, distance_metric: str) -> None:
    """Refuse another metric, or another way to begin, with a ValueError."""
    known = (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT)
    if isinstance(initial_clusters, str) and initial_clusters not in known:
        raise ValueError(f"Unsupported initialization algorithm '{initial_clusters}'")
    if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
        raise ValueError(f"Unsupported distance metric '{distance_metric}'")


class KMeans:
    """Clusters whose centers are the means of the points nearest to them.

    Args:
        inputs: float32[n, d], or a list of such.
        num_clusters: how many; ignored where the centers are given.
        initial_clusters: "random", "kmeans_plus_plus", "kmc2", a function (inputs, how
            many) -> centers, or the centers, float32[k, d].
        distance_metric: "squared_euclidean" or "cosine".
        use_mini_batch: move the centers a little for each batch, not to the means of
            all points.
        mini_batch_steps_per_iteration: after how many batches the centers are moved.
        random_seed: of the first centers.
        kmeans_plus_plus_num_retries: how many more points to try for each center.
        kmc2_chain_length: how many points to look at for each center.
    Raises:
        ValueError: another metric or way to begin.
    Example:
        points = tf.constant([[0., 0.], [0., 1.], [9., 9.], [9., 8.]])
        kmeans = tf.contrib.factorization.KMeans(points, 2)
        _, clusters, scores, ready, start, train = kmeans.training_graph()
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(start)
        sess.run(train)
    """

    def __init__(
        self, inputs: Any, num_clusters: Any, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1, random_seed: int = 0,
        kmeans_plus_plus_num_retries: int = 2, kmc2_chain_length: int = 200,
    ) -> None:  # fmt: skip
        check_choices(initial_clusters, distance_metric)
        self._inputs = [
            convert_to_tensor(x)
            for x in (inputs if isinstance(inputs, list) else [inputs])
        ]
        self._num_clusters, self._initial_clusters = num_clusters, initial_clusters
        self._cosine = distance_metric == COSINE_DISTANCE
        self._mini_batch, self._steps = use_mini_batch, mini_batch_steps_per_iteration
        self._seed, self._retries = random_seed, kmeans_plus_plus_num_retries
        self._chain = kmc2_chain_length

    @property
    def _normalized(self) -> bool:
        """Whether the centers are kept at length 1."""
        return self._cosine and (not self._mini_batch or self._steps > 1)

    # ---------------------------------------------------------------- distances
    def _infer(self, inputs: list, centers: Any) -> tuple:
        """All distances, those to the nearest centers, and which they are."""
        everything, nearest, places = [], [], []
        for x in inputs:
            everything.append(self._distances(x, centers))
            args = x, centers, constant(1, dtypes.int64)
            at, far = apply(NearestNeighbors, args)
            far = far * 0.5 if self._cosine else far
            nearest.append(squeeze(far, [-1]))
            places.append(squeeze(at, [-1]))
        return tuple(everything), tuple(nearest), tuple(places)

    def _distances(self, x: Tensor, centers: Any) -> Tensor:
        product = matmul(x, centers, transpose_b=True)
        if self._cosine:
            return 1 - product
        squares = reduce_sum(x * x, 1, keepdims=True)
        own = transpose(reduce_sum(centers * centers, 1, keepdims=True))
        return squares - 2 * product + own

    # ---------------------------------------------------------------- the graph
    def training_graph(self) -> tuple[Any, ...]:
        """The tensors and ops of training.

        Returns:
            all_scores: a tuple, for each input float32[n, k], all distances.
            cluster_idx: a tuple, for each input int64[n], the nearest cluster.
            scores: a tuple, for each input float32[n], how far its center is.
            cluster_centers_initialized: a bool variable.
            init_op: run it until that is true. training_op: moves the centers.
        """
        given = self._initial_clusters
        if not (isinstance(given, str) or callable(given)):
            self._num_clusters = convert_to_tensor(given).get_shape().as_list()[0]
        count = convert_to_tensor(self._num_clusters)
        centers, ready, updated, left, counts = self._variables(count)
        first = InitialClusters(
            self._inputs, count, given, self._cosine, self._seed, self._retries,
            self._chain, centers, updated, ready,
        ).op()  # fmt: skip
        seen, inputs = centers, self._inputs
        if self._cosine:
            inputs = [l2_normalize(x, 1) for x in inputs]
            if not self._normalized:
                seen = l2_normalize(centers, 1)
        everything, scores, places = self._infer(inputs, seen)
        if self._mini_batch:
            with control_dependencies([self._sync(left, centers, updated, counts)]):
                train = self._move(inputs, places, updated, counts)
        else:
            train = self._settle(inputs, count, places, centers)
        return everything, places, scores, ready, first, train

    def _variables(self, count: Any) -> tuple:
        none = constant([], dtypes.float32)
        centers = Variable(none, name=CLUSTERS_VAR_NAME, validate_shape=False)
        ready = Variable(False, dtype=dtypes.bool, name="initialized")
        if self._mini_batch and self._steps > 1:
            updated = Variable(none, name="clusters_updated", validate_shape=False)
            left = Variable(self._steps, dtype=dtypes.int64, name="update_in_steps")
            zero = zeros_like(ones([count], dtypes.int64))
            return centers, ready, updated, left, Variable(zero)
        counts = Variable(ones([count], dtypes.int64)) if self._mini_batch else None
        return centers, ready, centers, None, counts

    def _sync(self, left: Any, centers: Any, updated: Any, counts: Any) -> Any:
        """At the end of an iteration, the centers become what they were moved to."""
        if left is None:
            return group()

        def end() -> Any:
            found = updated.value()
            found = l2_normalize(found, 1) if self._cosine else found
            new = assign(centers, found, validate_shape=False)
            with control_dependencies([new]):
                reset = assign(counts, zeros_like(counts))
                again = assign(updated, identity(new), validate_shape=False)
                with control_dependencies([reset, again]):
                    return assign(left, self._steps - 1)

        return cond(less_equal(left, 0), end, lambda: assign_sub(left, 1)).op

    def _move(self, inputs: list, places: tuple, centers: Any, counts: Any) -> Any:
        """Move each center towards the mean of its points, less as time goes by."""
        ops = []
        for x, at in zip(inputs, places):
            at = reshape(at, [-1])
            own, which = unique(at)
            count = shape(own)[0]
            before = gather(counts.value(), own)
            with control_dependencies([before]):
                new = unsorted_segment_sum(ones_like(which, dtypes.int64), which, count)
            rate = reciprocal(cast(before + new, x.dtype))
            old = gather(centers.value(), own)
            sums = unsorted_segment_sum(x, which, count)
            with control_dependencies([old]):
                pull = sums - expand_dims(cast(new, x.dtype), 1) * old
            ops.append(scatter_add(counts, own, new))
            ops.append(scatter_add(centers, own, pull * expand_dims(rate, 1)))
        return group(*ops)

    def _settle(self, inputs: list, count: Any, places: tuple, centers: Any) -> Any:
        """Move each center to the mean of its points."""
        sums = [unsorted_segment_sum(x, at, count) for x, at in zip(inputs, places)]
        numbers = [
            unsorted_segment_sum(ones([shape(x)[0], 1], x.dtype), at, count)
            for x, at in zip(inputs, places)
        ]
        means = add_n(sums) / (add_n(numbers) + _EPSILON)
        if self._normalized:
            means = l2_normalize(means, 1)
        return assign(centers, means).op
