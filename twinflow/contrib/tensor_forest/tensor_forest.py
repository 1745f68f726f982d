"""The graphs of a random forest whose trees grow by the ops of tensor_forest."""

from collections.abc import Iterator
from typing import Any

from twinflow.base import dtypes
from twinflow.contrib.tensor_forest import data_ops, model_ops, stats_ops
from twinflow.contrib.tensor_forest.hparams import (
    CLASSIFICATION_LEAF_MODEL_TYPES,
    FINISH_TYPES,
    PRUNING_TYPES,
    REGRESSION_MODEL_TYPE,
    SPLIT_TYPES,
    ForestHParams,
    build_params_proto,
    parse_number_or_string_to_proto,
)
from twinflow.formats import decision_protos
from twinflow.graph.scopes import control_dependencies, device, group
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import less
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.division import div
from twinflow.ops.core.elementwise import maximum, negative
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import stack
from twinflow.ops.core.reduction import reduce_mean, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.variables.collections import local_variables

__all__ = [
    "CLASSIFICATION_LEAF_MODEL_TYPES",
    "FINISH_TYPES",
    "PRUNING_TYPES",
    "REGRESSION_MODEL_TYPE",
    "SPLIT_TYPES",
    "ForestHParams",
    "ForestVariables",
    "RandomForestGraphs",
    "RandomTreeGraphs",
    "TreeVariables",
    "build_params_proto",
    "get_epoch_variable",
    "parse_number_or_string_to_proto",
]  # fmt: skip


def get_epoch_variable() -> Any:
    """int64[1], the epoch that `limit_epochs` counts, or [0] where nothing does."""
    for variable in local_variables():
        if "limit_epochs/epoch" in variable.op.name:
            return reshape(variable, [1])
    return [0]


class TreeVariables:
    """The resources of a tree: `tree` and, in training, `stats`.

    Args:
        params: a filled ForestHParams; it gets `params_proto` and
            `serialized_params_proto`.
        tree_num: the number of the tree. training: whether it is to grow.
        tree_config, tree_stat: a serialized tree and its serialized statistics.
    """

    def __init__(
        self, params: Any, tree_num: int, training: bool, tree_config: Any = "",
        tree_stat: Any = "",
    ) -> None:  # fmt: skip
        proto = getattr(params, "params_proto", None)
        if not isinstance(proto, decision_protos.forest.TensorForestParams):
            params.params_proto = build_params_proto(params)
        params.serialized_params_proto = params.params_proto.SerializeToString()
        self.stats = None
        if training:
            self.stats = stats_ops.fertile_stats_variable(
                params, tree_stat, self.get_tree_name("stats", tree_num)
            )
        self.tree = model_ops.tree_variable(
            params, tree_config, self.stats, self.get_tree_name("tree", tree_num)
        )

    def get_tree_name(self, name: str, num: int) -> str:
        """The name of a resource of a tree."""
        return f"{name}-{num}"


class ForestVariables:
    """The resources of all trees: `variables[i].tree`, `variables[i].stats`.

    Args:
        params: a filled ForestHParams. device_assigner: of tf.device, or None.
        training, tree_variables_class: see RandomForestGraphs.
        tree_configs, tree_stats: of each tree, see TreeVariables.
    """

    def __init__(
        self, params: Any, device_assigner: Any, training: bool = True,
        tree_variables_class: Any = TreeVariables, tree_configs: Any = None,
        tree_stats: Any = None,
    ) -> None:  # fmt: skip
        self.variables: list = []
        with device(device_assigner):
            self.device_dummies = [
                get_variable(f"device_dummy_{i}", [0]) for i in range(params.num_trees)
            ]
        for i, dummy in enumerate(self.device_dummies):
            given = {
                name: values[i]
                for name, values in (
                    ("tree_config", tree_configs), ("tree_stat", tree_stats)
                )
                if values is not None
            }  # fmt: skip
            with device(dummy.device):
                self.variables.append(
                    tree_variables_class(params, i, training, **given)
                )

    def __setitem__(self, t: int, val: Any) -> None:
        self.variables[t] = val

    def __getitem__(self, t: int) -> Any:
        return self.variables[t]


class RandomForestGraphs:
    """The graphs of a random forest.

    Trees, checkpoints and predictions are those of TensorFlow 1.12.

    Args:
        params: a filled ForestHParams.
        tree_configs, tree_stats: serialized trees and statistics to begin with.
        device_assigner: where the trees are, of tf.device.
        variables: a ForestVariables, in place of a new one.
        tree_variables_class, tree_graphs: classes like TreeVariables and
            RandomTreeGraphs.
        training: whether trees are to grow here.
    Example:
        forest = tf.contrib.tensor_forest.tensor_forest
        params = forest.ForestHParams(
            num_classes=2, num_features=1, num_trees=3, split_after_samples=4,
            num_splits_to_consider=4, base_random_seed=1).fill()
        x, y = tf.constant([[0.], [1.], [8.], [9.]]), tf.constant([0, 0, 1, 1])
        graphs = forest.RandomForestGraphs(params)
        train, found = graphs.training_graph(x, y), graphs.inference_graph(x)[0]
        with tf.train.SingularMonitoredSession() as sess:
            for _ in range(10):
                sess.run(train)
            classes = np.argmax(sess.run(found), 1)
        classes  # [0, 0, 1, 1]
    """

    def __init__(
        self, params: Any, tree_configs: Any = None, tree_stats: Any = None,
        device_assigner: Any = None, variables: Any = None,
        tree_variables_class: Any = TreeVariables, tree_graphs: Any = None,
        training: bool = True,
    ) -> None:  # fmt: skip
        self.params, self.device_assigner = params, device_assigner
        self.variables = variables or ForestVariables(
            params, device_assigner, training, tree_variables_class, tree_configs,
            tree_stats,
        )  # fmt: skip
        make = tree_graphs or RandomTreeGraphs
        count = range(params.num_trees)
        self.trees = [make(self.variables[i], params, i) for i in count]

    def _placed(self, trees: Any = None) -> Iterator[tuple]:
        """(number, graphs) of trees, each on its device."""
        for i in range(len(self.trees)) if trees is None else trees:
            with device(self.variables.device_dummies[i].device):
                yield i, self.trees[i]

    def get_all_resource_handles(self) -> list:
        """The handles of all trees, then those of all statistics."""
        parts = [self.variables[i] for i in range(len(self.trees))]
        return [part.tree for part in parts] + [part.stats for part in parts]

    def _bagged(self, number: int, dense: Any, sparse: Any, spec: Any) -> tuple:
        """The features that a tree sees, and their columns."""
        if not self.params.bagged_features:
            return dense, spec
        if sparse is not None:
            raise NotImplementedError(
                "Feature bagging not supported with sparse features."
            )
        chosen = self.params.bagged_features[number]
        kinds = [c.original_type for c in spec.dense.cols for _ in range(c.size)]
        bag = data_ops.TensorForestDataSpec()
        bag.dense_features_size = len(chosen)
        for feature in chosen:
            column = bag.dense.add()
            column.name, column.size = f"feature_{feature}", 1
            column.original_type = kinds[feature]
        return gather(dense, chosen, axis=1), bag

    # ---------------------------------------------------------------- training
    def training_graph(
        self, input_data: Any, input_labels: Any, num_trainers: int = 1,
        trainer_id: int = 0, **tree_kwargs: Any,
    ) -> Any:  # fmt: skip
        """An op that shows the forest a batch, and lets its trees grow.

        Args:
            input_data: number[n, features], a SparseTensor, or a dict of them.
            input_labels: classes [n], or numbers [n, outputs].
            num_trainers, trainer_id: how many share the trees, and which this is.
            **tree_kwargs: of RandomTreeGraphs.training_graph: `input_weights`.
        Raises:
            NotImplementedError: bagging is on, and features are sparse.
        """
        dense, sparse, spec = data_ops.ParseDataTensorOrDict(input_data)
        labels = data_ops.ParseLabelTensorOrDict(input_labels)
        share = self.params.num_trees / num_trainers
        chosen = range(int(trainer_id * share), int((trainer_id + 1) * share))
        grown = []
        for i, tree in self._placed(chosen):
            seed = self.params.base_random_seed
            seed += i if seed else 0
            x, y, kwargs = self._some(dense, sparse, labels, seed, tree_kwargs)
            x, columns = self._bagged(i, x, sparse, spec)
            grown.append(
                tree.training_graph(
                    x, y, seed, data_spec=columns, sparse_features=sparse, **kwargs
                )
            )
        return group(*grown, name="train")

    def _some(
        self, dense: Any, sparse: Any, labels: Any, seed: int, kwargs: Any
    ) -> Any:
        """The examples that a tree sees of a batch."""
        share = self.params.bagging_fraction
        if share >= 1.0:
            return dense, labels, kwargs
        if sparse is not None:
            raise NotImplementedError("Bagging not supported with sparse features.")
        mask = less(random_uniform(shape(dense)[:1], seed=seed or None), share)
        weights = kwargs.get("input_weights")
        if weights is not None:
            kwargs = {**kwargs, "input_weights": boolean_mask(weights, mask)}
        return boolean_mask(dense, mask), boolean_mask(labels, mask), kwargs

    # ---------------------------------------------------------------- predictions
    def inference_graph(self, input_data: Any, **inference_args: Any) -> tuple:
        """What the forest says of examples.

        Args:
            input_data: as in `training_graph`. **inference_args: for the trees.
        Returns:
            probabilities: float32[n, classes], or [n, outputs] of a regression.
            tree_paths: string[n, trees], serialized TreePaths; string[0, trees] unless
                `inference_tree_paths` is set.
            variance: float32[n, outputs], between the trees.
        Raises:
            NotImplementedError: features are bagged, and sparse.
        """
        dense, sparse, spec = data_ops.ParseDataTensorOrDict(input_data)
        found = []
        for i, tree in self._placed():
            x, columns = self._bagged(i, dense, sparse, spec)
            found.append(
                tree.inference_graph(
                    x, columns, sparse_features=sparse, **inference_args
                )
            )
        every, paths = (stack(part, axis=1) for part in zip(*found))
        count = self.params.num_trees
        average = div(reduce_sum(every, 1), count, name="probabilities")
        squares = div(reduce_sum(every * every, 1), count)
        return average, paths, maximum(0.0, squares - average * average)

    def average_size(self) -> Any:
        """float32, the mean number of nodes of a tree."""
        sizes = stack([tree.size() for _, tree in self._placed()])
        return reduce_mean(cast(sizes, dtypes.float32))

    def training_loss(
        self, features: Any, labels: Any, name: str = "training_loss"
    ) -> Any:
        """float32, minus the mean size of the trees."""
        return negative(self.average_size(), name=name)

    def validation_loss(self, features: Any, labels: Any) -> Any:
        """float32, minus the mean size of the trees."""
        return negative(self.average_size())

    def average_impurity(self) -> Any:
        """float32, the mean of the trees' `average_impurity`, of `tree_graphs`."""
        return reduce_mean(stack([t.average_impurity() for _, t in self._placed()]))

    def feature_importances(self) -> Any:
        """float64[features], the shares of the splits that ask for each."""
        counts = stack([tree.feature_usage_counts() for _, tree in self._placed()], 0)
        total = reduce_sum(counts, 0)
        return total / reduce_sum(total)


class RandomTreeGraphs:
    """The graphs of a tree.

    Args:
        variables: its TreeVariables. params: a filled ForestHParams.
        tree_num: its number.
    """

    def __init__(self, variables: Any, params: Any, tree_num: int) -> None:
        self.variables, self.params, self.tree_num = variables, params, tree_num

    def _inputs(self, input_data: Any, data_spec: Any, sparse: Any) -> tuple:
        """The inputs that tell examples, and the attributes of the ops."""
        parts: tuple = [], [], []
        if sparse is not None:
            parts = sparse.indices, sparse.values, sparse.dense_shape
        attrs = {
            "input_spec": data_spec.SerializeToString(),
            "params": self.params.serialized_params_proto,
        }
        return ([] if input_data is None else input_data, *parts), attrs

    def training_graph(
        self, input_data: Any, input_labels: Any, random_seed: int, data_spec: Any,
        sparse_features: Any = None, input_weights: Any = None,
    ) -> Any:  # fmt: skip
        """An op that shows the tree a batch, and lets it grow.

        Args:
            input_data: float32[n, features], or None.
            input_labels: float32[n] or [n, outputs].
            random_seed: see `stats_ops.process_input_v4`.
            data_spec: a data_ops.TensorForestDataSpec.
            sparse_features: a SparseTensor, or None.
            input_weights: float32[n], or None.
        """
        data, attrs = self._inputs(input_data, data_spec, sparse_features)
        weights = [] if input_weights is None else convert_to_tensor(input_weights)
        tree, stats = self.variables.tree, self.variables.stats
        params = attrs["params"]
        leaves = model_ops.traverse_tree_v4(tree, *data, **attrs)
        counted = model_ops.update_model_v4(tree, leaves, input_labels, weights, params)
        finished = stats_ops.process_input_v4(
            tree, stats, *data, input_labels, weights, leaves, random_seed, **attrs
        )
        with control_dependencies([] if counted is None else [counted]):
            return stats_ops.grow_tree_v4(tree, stats, finished, params)

    def inference_graph(
        self, input_data: Any, data_spec: Any, sparse_features: Any = None
    ) -> Any:
        """(probabilities, tree_paths) of examples, see `model_ops.tree_predictions_v4`.

        Args: see `training_graph`.
        """
        data, attrs = self._inputs(input_data, data_spec, sparse_features)
        return model_ops.tree_predictions_v4(self.variables.tree, *data, **attrs)

    def size(self) -> Any:
        """int32, how many nodes the tree has."""
        return model_ops.tree_size(self.variables.tree)

    def feature_usage_counts(self) -> Any:
        """int32[features], how many nodes ask for each."""
        params = self.params.serialized_params_proto
        return model_ops.feature_usage_counts(self.variables.tree, params=params)
