"""The graphs of a random forest: training steps, and predictions from its arrays."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.contrib.tensor_forest.growing import Grower, stump
from twinflow.contrib.tensor_forest.hparams import ForestHParams
from twinflow.execute.py_func import py_func
from twinflow.graph.scopes import control_dependencies, group
from twinflow.graph.variable_scope import variable_scope
from twinflow.graph.while_loop import while_loop
from twinflow.ops.core.compare import less, less_equal, where
from twinflow.ops.core.constant import cast, constant, convert_to_tensor, identity
from twinflow.ops.core.creation import range as range_of
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.index import gather
from twinflow.ops.core.index_vectors import gather_nd
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign

__all__ = ["ForestHParams", "RandomForestGraphs"]


def check_alone(num_trainers: int, trainer_id: int) -> None:
    """Raises ValueError where processes are to share out the trees."""
    if (num_trainers, trainer_id) != (1, 0):
        raise ValueError(
            f"num_trainers, trainer_id: got {num_trainers} and {trainer_id}, expected "
            "1 and 0: one process grows all trees, from the examples that it sees."
        )


class RandomForestGraphs:
    """The graphs of a random forest.

    Trees grow from all examples that the training op has seen in this graph, by
    scikit-learn; predictions are ops on the variables that hold the trees.

    Args:
        params: a filled ForestHParams.
        tree_configs, tree_stats, device_assigner, variables, tree_variables_class,
            tree_graphs: accepted as None alone. training: as in TensorFlow.
    Raises:
        ValueError: one of those that must be None is not.
    Example:
        forest = tf.contrib.tensor_forest.tensor_forest
        params = forest.ForestHParams(
            num_classes=2, num_features=1, num_trees=3, split_after_samples=2).fill()
        x, y = tf.constant([[0.], [1.], [8.], [9.]]), tf.constant([0, 0, 1, 1])
        graphs = forest.RandomForestGraphs(params)
        train, found = graphs.training_graph(x, y), graphs.inference_graph(x)[0]
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        sess.run(tf.argmax(found, 1))  # [0, 0, 1, 1]
    """

    def __init__(
        self, params: Any, tree_configs: Any = None, tree_stats: Any = None,
        device_assigner: Any = None, variables: Any = None,
        tree_variables_class: Any = None, tree_graphs: Any = None,
        training: bool = True,
    ) -> None:  # fmt: skip
        given = {
            "tree_configs": tree_configs, "tree_stats": tree_stats,
            "device_assigner": device_assigner, "variables": variables,
            "tree_variables_class": tree_variables_class, "tree_graphs": tree_graphs,
        }  # fmt: skip
        for name, value in given.items():
            if value is not None:
                raise ValueError(
                    f"{name}: got {value!r}, expected None: trees are grown by "
                    "scikit-learn and live in variables of their own."
                )
        self.params, self._training = params, training
        self._grower: Grower | None = None
        self.distinct_examples: Any = None
        first = stump(params)
        with variable_scope("forest"):
            self._variables = [
                Variable(
                    value, trainable=False, validate_shape=False, name=name,
                    collections=[GraphKeys.GLOBAL_VARIABLES],
                )
                for name, value in first._asdict().items()
            ]  # fmt: skip
        self._types = [dtypes.as_dtype(np.asarray(value).dtype) for value in first]

    # ---------------------------------------------------------------- training
    def training_graph(
        self, input_data: Any, input_labels: Any, num_trainers: int = 1,
        trainer_id: int = 0, input_weights: Any = None, **tree_kwargs: Any,
    ) -> Any:  # fmt: skip
        """An op that shows the forest a batch.

        Args:
            input_data: float[n, features]. input_labels: classes [n], or numbers
                [n, outputs]. num_trainers, trainer_id: 1 and 0: one process grows.
            input_weights: float[n], of the examples. **tree_kwargs: for subclasses.
        Raises:
            ValueError: there are several trainers.
            UnimplementedError: scikit-learn is missing.
        """
        check_alone(num_trainers, trainer_id)
        grower = self._grower = Grower(self.params)

        def see(x, y, weights):
            grower.add(x, y, weights)
            return [np.int64(grower.distinct), *grower.forest]

        weights = constant(1.0) if input_weights is None else input_weights
        given = [cast(convert_to_tensor(v), dtypes.float32)
                 for v in (input_data, input_labels, weights)]  # fmt: skip
        self.distinct_examples, *found = py_func(
            see, given, [dtypes.int64, *self._types], name="see"
        )
        return self._assigned(found)

    def grow(self) -> Any:
        """An op that grows the trees of all examples that there have been."""
        if self._grower is None:
            return group()
        grower = self._grower
        found = py_func(lambda: list(grower.grow()), [], self._types, name="grow")
        return self._assigned(found)

    def _assigned(self, found):
        return group(*[
            assign(to, value, validate_shape=False)
            for to, value in zip(self._variables, found)
        ])  # fmt: skip

    # ---------------------------------------------------------------- predictions
    def inference_graph(
        self, input_data: Any, grown: bool = True, **inference_args: Any
    ) -> tuple[Any, ...]:
        """What the forest says of examples.

        Args:
            input_data: float[n, features].
            grown: whether trees first grow from what the training op has seen.
        Returns:
            probabilities: float32[n, classes], or [n, outputs] of a regression.
            tree_paths: int32[n, trees], the leaves of the examples.
            variance: float32[n, outputs], between the trees.
        """
        with control_dependencies([self.grow()] if grown and self._grower else []):
            nodes, thresholds, values, roots, depth, _ = map(identity, self._variables)
        x = cast(convert_to_tensor(input_data), dtypes.float32)
        leaves = _leaves(x, reshape(nodes, [-1, 3]), thresholds, roots, depth)
        found = gather(reshape(values, [-1, self.params.num_classes]), leaves)
        average = reduce_mean(found, 1, name="probabilities")
        variance = reduce_mean(found * found, 1) - average * average
        return average, leaves, maximum(variance, 0.0)

    def average_size(self) -> Any:
        """float32, the mean number of nodes of a tree."""
        nodes, _, _, roots, *_ = self._variables
        total = cast(shape(nodes)[0], dtypes.float32)
        return total / cast(shape(roots)[0], dtypes.float32)

    def training_loss(
        self, features: Any, labels: Any, name: str = "training_loss"
    ) -> Any:
        """float32, minus the mean size of the trees."""
        return identity(-self.average_size(), name=name)

    def validation_loss(self, features: Any, labels: Any) -> Any:
        """float32, the mean size of the trees."""
        return self.average_size()

    def feature_importances(self) -> Any:
        """float32[features], the shares by which splits lessen the impurity."""
        found = identity(self._variables[-1])
        found.set_shape([self.params.num_features])
        return found


def _leaves(x, nodes, thresholds, roots, depth):
    """int32[n, trees], where the examples end."""
    count = shape(x)[0]
    rows = expand_dims(range_of(count), 1) + zeros(
        stack([1, shape(roots)[0]]), dtypes.int32
    )

    def down(step, at):
        feature, left, right = (gather(nodes[:, i], at) for i in (0, 1, 2))
        below = less_equal(gather_nd(x, stack([rows, feature], 2)),
                           gather(thresholds, at))  # fmt: skip
        return step + 1, where(below, left, right)

    start = expand_dims(roots, 0) + zeros(stack([count, 1]), dtypes.int32)
    first = constant(0), reshape(start, stack([count, -1]))
    depth = reshape(depth, [])
    _, found = while_loop(lambda step, _: less(step, depth), down, first)
    return found
