"""The hyperparameters of a random forest."""

import math
import numbers
import random
from typing import Any

from google.protobuf import text_format

from twinflow.formats import decision_protos

_FLAGS = (
    "collate_examples", "checkpoint_stats", "use_running_stats_method",
    "initialize_average_splits", "inference_tree_paths",
)  # fmt: skip

_DEFAULTS = {
    "num_trees": 100, "max_nodes": 10000, "bagging_fraction": 1.0,
    "num_splits_to_consider": 0, "feature_bagging_fraction": 1.0,
    "max_fertile_nodes": 0, "split_after_samples": 250, "valid_leaf_threshold": 1,
    "dominate_method": "bootstrap", "dominate_fraction": 0.99,
    "model_name": "all_dense", "split_finish_name": "basic",
    "split_pruning_name": "none", "prune_every_samples": 0,
    "early_finish_check_every_samples": 0, "collate_examples": False,
    "checkpoint_stats": False, "use_running_stats_method": False,
    "initialize_average_splits": False, "inference_tree_paths": False,
    "param_file": None, "split_name": "less_or_equal",
}  # fmt: skip


# What else 1.12 can do, which trees that scikit-learn grows have not: {name: values
# that make no difference to them}.
_FITTED = {
    "model_name": ("all_dense", "all_sparse", "sparse_then_dense"),
    "split_finish_name": ("basic",), "split_pruning_name": ("none",),
    "split_name": ("less_or_equal",), "checkpoint_stats": (False,),
    "initialize_average_splits": (False,), "param_file": (None,),
}  # fmt: skip
CLASSIFICATION_LEAF_MODEL_TYPES = {
    "all_dense": (0, 0), "all_sparse": (1, 1), "sparse_then_dense": (3, 3),
}  # fmt: skip
REGRESSION_MODEL_TYPE = 2, 2, 0
FINISH_TYPES = {"basic": 0, "hoeffding": 2, "bootstrap": 3}
PRUNING_TYPES = {"none": 0, "half": 1, "quarter": 2, "10_percent": 3, "hoeffding": 4}
SPLIT_TYPES = {"less_or_equal": 0, "less": 1}


def _chosen(name: str, value: Any, kinds: dict) -> Any:
    if value not in kinds:
        allowed = " or ".join(map(repr, kinds))
        raise ValueError(f"{name}: got {value!r}, expected {allowed}.")
    return kinds[value]


def check_fitted(params: Any) -> None:
    """Raises ValueError for parameters that scikit-learn's trees have not."""
    for name, values in _FITTED.items():
        if getattr(params, name) not in values:
            allowed = " or ".join(map(repr, values))
            raise ValueError(
                f"{name}: got {getattr(params, name)!r}, expected {allowed}: trees are "
                "grown by scikit-learn; pass graph_builder_class="
                "tensor_forest.RandomForestGraphs for those of the ops."
            )


def parse_number_or_string_to_proto(proto: Any, param: Any) -> None:
    """Write a number, or the text of a DepthDependentParam, into a message.

    Args:
        proto: a DepthDependentParam. param: a number, or a str.
    """
    if isinstance(param, numbers.Number) or param.isdigit():
        proto.constant_value = float(param)
    else:
        text_format.Merge(param, proto)


def build_params_proto(params: Any) -> Any:
    """The TensorForestParams of hyperparameters.

    Args:
        params: a filled ForestHParams.
    Raises:
        ParseError: a parameter is no text of a DepthDependentParam.
    """
    proto = decision_protos.forest.TensorForestParams(
        num_trees=params.num_trees, max_nodes=params.max_nodes,
        is_regression=params.regression, num_outputs=params.num_classes,
        num_features=params.num_features, leaf_type=params.leaf_model_type,
        stats_type=params.stats_model_type, inequality_test_type=params.split_type,
        **{name: getattr(params, name) for name in _FLAGS},
    )  # fmt: skip
    proto.pruning_type.type = params.pruning_type
    proto.finish_type.type = params.finish_type
    early = params.early_finish_check_every_samples
    for part, value in (
        (proto.pruning_type.prune_every_samples, params.prune_every_samples),
        (proto.finish_type.check_every_steps, early),
        (proto.split_after_samples, params.split_after_samples),
        (proto.num_splits_to_consider, params.num_splits_to_consider),
        (proto.dominate_fraction, params.dominate_fraction),
    ):
        parse_number_or_string_to_proto(part, value)
    if params.param_file:
        with open(params.param_file, encoding="utf-8") as file:
            text_format.Merge(file.read(), proto)
    return proto


class ForestHParams:
    """The hyperparameters of a random forest.

    Args:
        num_trees, max_nodes: how many trees, of at most how many nodes each.
        bagging_fraction, feature_bagging_fraction: the shares of the examples and of
            the features that a tree sees.
        num_splits_to_consider: how many random splits a node chooses from; 0 for the
            square root of the features, at least 10.
        split_after_samples: how many examples a node sees before it splits.
        valid_leaf_threshold: the fewest examples of a leaf.
        model_name: how classes are counted, "all_dense" or "all_sparse"; the third of
            1.12, "sparse_then_dense", ends 1.12 when a tree is made.
        split_finish_name, early_finish_check_every_samples, dominate_fraction: whether
            a node splits early, once a candidate is much better than the others, by
            "hoeffding" or "bootstrap", and how often that is looked at. It needs
            `min_split_samples`, which only a `param_file` sets.
        split_pruning_name, prune_every_samples: which candidates go, how often.
        split_name: "less_or_equal" or "less".
        initialize_average_splits: whether a threshold is the mean of two examples.
        collate_examples, use_running_stats_method: other ways to count.
        checkpoint_stats: whether checkpoints hold what was counted.
        inference_tree_paths: whether predictions hold `tree_paths`.
        param_file: a file with the text of a TensorForestParams, merged at last.
        max_fertile_nodes, dominate_method: of no effect, as in 1.12.
        **kwargs: `num_classes` and `num_features`, which `fill` needs, `regression`,
            and values of your own.
    Example:
        make = tf.contrib.tensor_forest.tensor_forest.ForestHParams
        make(num_classes=3, num_features=4).fill().num_splits_to_consider  # 10
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(_DEFAULTS):
            raise TypeError(
                f"ForestHParams takes at most {len(_DEFAULTS)} positional arguments, "
                f"got {len(args)}."
            )
        given = dict(zip(_DEFAULTS, args))
        twice = sorted(given.keys() & kwargs)
        if twice:
            raise TypeError(f"ForestHParams got several values for {twice}.")
        self.__dict__.update({**_DEFAULTS, **given, **kwargs})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"ForestHParams has no {name!r}: pass {name}=... when you make it, or call "
            "fill() for the values that follow from others."
        )

    def values(self) -> dict[str, Any]:
        """All values by their names."""
        return dict(self.__dict__)

    def fill(self) -> "ForestHParams":
        """Set what follows from the other values.

        Returns:
            This object.
        Raises:
            AttributeError: `num_classes` or `num_features` is missing.
            ValueError: the features that a tree sees are none, or a name is unknown.
        """
        known = self.__dict__
        classes, features = self.num_classes, self.num_features
        regression = known.setdefault("regression", False)
        known.setdefault("base_random_seed", 0)
        known["num_outputs"] = classes if regression else 1
        known["num_output_columns"] = classes + 1
        known["num_splits_to_consider"] = self.num_splits_to_consider or min(
            max(10, math.floor(math.sqrt(features))), 1000
        )
        self._fill_bags(features)
        self._fill_types(regression)
        self._fill_checks()
        return self

    def _fill_bags(self, features: int) -> None:
        """Set which features the trees see."""
        known = self.__dict__
        count = known["bagged_num_features"] = int(
            self.feature_bagging_fraction * features
        )
        if not count:
            raise ValueError(
                f"feature_bagging_fraction: {self.feature_bagging_fraction} of "
                f"{features} features is none; expected at least one."
            )
        known["bagged_features"] = None
        if self.feature_bagging_fraction < 1.0:
            known["bagged_features"] = [
                random.sample(range(features), count) for _ in range(self.num_trees)
            ]

    def _fill_types(self, regression: bool) -> None:
        """Set the kinds of leaves, statistics and splits."""
        known = self.__dict__
        leaf, stats = _chosen(
            "model_name", self.model_name, CLASSIFICATION_LEAF_MODEL_TYPES
        )
        if regression:
            leaf, stats, _ = REGRESSION_MODEL_TYPE
        known["leaf_model_type"], known["stats_model_type"] = leaf, stats
        finish = _chosen("split_finish_name", self.split_finish_name, FINISH_TYPES)
        known["finish_type"] = 0 if regression else finish
        known["pruning_type"] = _chosen(
            "split_pruning_name", self.split_pruning_name, PRUNING_TYPES
        )
        known["split_type"] = _chosen("split_name", self.split_name, SPLIT_TYPES)

    def _fill_checks(self) -> None:
        """Set how often candidates are compared, from when a node splits."""
        known = self.__dict__
        for name, kind, parts in (
            ("prune_every_samples", self.pruning_type, 2),
            ("early_finish_check_every_samples", self.finish_type, 4),
        ):
            if not kind:
                known[name] = 0
            elif not known[name]:
                known[name] = self._part_of_samples(name, parts)

    def _part_of_samples(self, name: str, parts: int) -> float:
        try:
            return int(self.split_after_samples) / parts
        except ValueError:
            raise ValueError(
                f"{name}: expected a value where split_after_samples depends on the "
                f"depth: {self.split_after_samples!r}."
            ) from None
