"""The hyperparameters of a random forest."""

from typing import Any

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
_KNOWN = {
    "model_name": ("all_dense", "all_sparse", "sparse_then_dense"),
    "split_finish_name": ("basic",), "split_pruning_name": ("none",),
    "split_name": ("less_or_equal",), "checkpoint_stats": (False,),
    "initialize_average_splits": (False,), "param_file": (None,),
}  # fmt: skip


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
        inference_tree_paths: whether predictions hold `tree_paths`, the leaves.
        model_name, split_finish_name, split_pruning_name, split_name, checkpoint_stats,
            initialize_average_splits, param_file: as they are: `fill` refuses others.
        dominate_method, dominate_fraction, early_finish_check_every_samples,
            prune_every_samples: of the other `split_finish_name` and
            `split_pruning_name`; max_fertile_nodes: of no effect in 1.12 either.
        collate_examples, use_running_stats_method: ways to the same numbers.
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
            ValueError: the features that a tree sees are none, or a parameter has a
                value that scikit-learn's trees have not.
        """
        known = self.__dict__
        for name, values in _KNOWN.items():
            if known[name] not in values:
                allowed = " or ".join(map(repr, values))
                raise ValueError(
                    f"{name}: got {known[name]!r}, expected {allowed}: trees are grown "
                    "by scikit-learn."
                )
        classes, features = self.num_classes, self.num_features
        regression = known.setdefault("regression", False)
        known.setdefault("base_random_seed", 0)
        known["num_outputs"] = classes if regression else 1
        known["num_output_columns"] = classes + 1
        known["bagged_num_features"] = int(self.feature_bagging_fraction * features)
        if not known["bagged_num_features"]:
            raise ValueError(
                f"feature_bagging_fraction: {self.feature_bagging_fraction} of "
                f"{features} features is none; expected at least one."
            )
        known["num_splits_to_consider"] = self.num_splits_to_consider or max(
            10, int(features**0.5)
        )
        return self
