"""Estimators of gradient boosted decision trees."""

from typing import Any

from twinflow.contrib.boosted_trees.estimator_batch.model import (
    ModelBuilderOutputType,
    model_builder,
    ranking_model_builder,
)
from twinflow.contrib.boosted_trees.losses import per_example_maxent_loss
from twinflow.contrib.learn import heads
from twinflow.contrib.learn.estimator import Estimator
from twinflow.estimator.canned.multi_class_head import MultiClassHead
from twinflow.estimator.estimator import Estimator as CoreEstimator
from twinflow.losses.weighting import Reduction

__all__ = [
    "CoreGradientBoostedDecisionTreeEstimator", "CoreGradientBoostedDecisionTreeRanker",
    "GradientBoostedDecisionTreeClassifier", "GradientBoostedDecisionTreeEstimator",
    "GradientBoostedDecisionTreeRanker", "GradientBoostedDecisionTreeRegressor",
    "core_multiclass_head",
]  # fmt: skip

_MEAN = Reduction.SUM_OVER_NONZERO_WEIGHTS


def _maxent(n_classes):
    """A loss of several classes with slopes of its slopes."""

    def loss_fn(labels, logits):
        return per_example_maxent_loss(labels, None, logits, n_classes)[0]

    return loss_fn


def core_multiclass_head(n_classes: int, weight_column: Any = None) -> MultiClassHead:
    """The head of tf.estimator for trees of several classes.

    Args:
        n_classes: int. weight_column: the key of the weights among the features.
    """
    return MultiClassHead(
        n_classes, weight_column, None, _MEAN, loss_fn=_maxent(n_classes)
    )


def params_of(
    head: Any, learner_config: Any, examples_per_layer: Any, num_trees: Any,
    feature_columns: Any, center_bias: bool, **others: Any,
) -> dict[Any, Any]:  # fmt: skip
    """The parameters of a model function; see `model_builder`."""
    return {
        "head": head, "feature_columns": feature_columns,
        "learner_config": learner_config, "num_trees": num_trees,
        "examples_per_layer": examples_per_layer, "center_bias": center_bias, **others,
    }  # fmt: skip


class GradientBoostedDecisionTreeEstimator(Estimator):
    """Trees with a head.

    Args:
        learner_config: a LearnerConfig. examples_per_layer: how many examples a layer
            is grown of: int, or a function of the number of the layer.
        head: of tf.contrib.learn, or of tf.estimator. num_trees: how many, or None:
            as long as the training goes.
        feature_columns: columns that are made of the features, or None.
        weight_column_name: the key of the examples' weights among the features.
        model_dir, config, feature_engineering_fn: see tf.contrib.learn.Estimator.
        logits_modifier_function: (logits, features, mode) -> logits.
        center_bias: whether the first tree is a bias.
        use_core_libs: whether columns and heads are those of tf.estimator.
        output_leaf_index: whether predictions have "leaf_index", int32[batch, trees].
        override_global_step_value: what the global step is in the end.
        num_quantiles: how many buckets a number has.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any,
        num_trees: int | None = None, feature_columns: Any = None,
        weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True,
        use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        params = params_of(
            head, learner_config, examples_per_layer, num_trees, feature_columns,
            center_bias, weight_column_name=weight_column_name,
            logits_modifier_function=logits_modifier_function,
            use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value,
            num_quantiles=num_quantiles,
        )  # fmt: skip
        super().__init__(
            model_builder, model_dir, config, params, feature_engineering_fn
        )


class GradientBoostedDecisionTreeClassifier(GradientBoostedDecisionTreeEstimator):
    """Trees that tell classes apart.

    Args:
        n_classes: int. label_keys: the names of the classes, if labels are strings.
        The others: see GradientBoostedDecisionTreeEstimator.
    Raises:
        ValueError: learner_config says another number of classes.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, n_classes: int = 2,
        num_trees: int | None = None, feature_columns: Any = None,
        weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, label_keys: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True,
        use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        if not learner_config.num_classes:
            learner_config.num_classes = n_classes
        elif learner_config.num_classes != n_classes:
            raise ValueError(
                f"n_classes ({n_classes}) doesn't match learner_config "
                f"({learner_config.num_classes})."
            )
        head: Any
        if use_core_libs and n_classes > 2:
            head = core_multiclass_head(n_classes, weight_column_name)
        else:
            head = heads.multi_class_head(
                n_classes, weight_column_name=weight_column_name,
                loss_fn=_maxent(n_classes) if n_classes > 2 else None,
                label_keys=label_keys,
            )  # fmt: skip
        super().__init__(
            learner_config, examples_per_layer, head, num_trees, feature_columns,
            weight_column_name, model_dir, config, feature_engineering_fn,
            logits_modifier_function, center_bias, use_core_libs, output_leaf_index,
            override_global_step_value, num_quantiles,
        )  # fmt: skip


class GradientBoostedDecisionTreeRegressor(GradientBoostedDecisionTreeEstimator):
    """Trees that predict numbers.

    Args:
        label_dimension: how many numbers. label_name: the key of the labels, where
            these are a dict. The others: see GradientBoostedDecisionTreeEstimator.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, label_dimension: int = 1,
        num_trees: int | None = None, feature_columns: Any = None,
        label_name: str | None = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True,
        use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        learner_config.num_classes = max(label_dimension, 2)
        head = heads.regression_head(label_name, weight_column_name, label_dimension)
        super().__init__(
            learner_config, examples_per_layer, head, num_trees, feature_columns,
            weight_column_name, model_dir, config, feature_engineering_fn,
            logits_modifier_function, center_bias, use_core_libs, output_leaf_index,
            override_global_step_value, num_quantiles,
        )  # fmt: skip


class GradientBoostedDecisionTreeRanker(Estimator):
    """Trees that order examples: they learn which one of a pair is before the other.

    Args:
        ranking_model_pair_keys: ("a", "b") where the features of a pair are "a.x" and
            "b.x". label_keys: unused. The others: see
            GradientBoostedDecisionTreeEstimator.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any,
        ranking_model_pair_keys: Any, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None,
        feature_engineering_fn: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = False, use_core_libs: bool = False,
        output_leaf_index: bool = False, override_global_step_value: int | None = None,
        num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        params = params_of(
            head, learner_config, examples_per_layer, num_trees, feature_columns,
            center_bias, weight_column_name=weight_column_name,
            logits_modifier_function=logits_modifier_function,
            use_core_libs=use_core_libs, output_leaf_index=output_leaf_index,
            override_global_step_value=override_global_step_value,
            num_quantiles=num_quantiles,
            ranking_model_pair_keys=ranking_model_pair_keys,
        )  # fmt: skip
        super().__init__(
            ranking_model_builder, model_dir, config, params, feature_engineering_fn
        )


def _core_model_fn(builder, params):
    def model_fn(features, labels, mode, config):
        return builder(
            features, labels, mode, params, config,
            output_type=ModelBuilderOutputType.ESTIMATOR_SPEC,
        )  # fmt: skip

    return model_fn


class CoreGradientBoostedDecisionTreeEstimator(CoreEstimator):
    """Trees with a head, as an Estimator of tf.estimator.

    Args:
        label_keys, feature_engineering_fn: unused. The others: see
            GradientBoostedDecisionTreeEstimator.
    Example:
        pb = tf.contrib.boosted_trees.proto.learner_pb2
        learner = pb.LearnerConfig(num_classes=2)
        learner.constraints.max_tree_depth = 1
        learner.learning_rate_tuner.fixed.learning_rate = 1.0
        head = tf.contrib.estimator.regression_head()
        trees = tf.contrib.boosted_trees.estimator_batch.estimator
        estimator = trees.CoreGradientBoostedDecisionTreeEstimator(
            learner, 4, head, num_trees=1, feature_columns=[
                tf.feature_column.numeric_column("x")])
        data = {"x": np.array([[0.], [1.], [2.], [3.]], "float32")}
        labels = np.array([[1.], [1.], [3.], [3.]], "float32")
        estimator.train(lambda: tf.data.Dataset.from_tensors((data, labels)).repeat())
        found = estimator.predict(lambda: tf.data.Dataset.from_tensors(data))
        [float(p["predictions"][0]) for p in found]  # [1.0, 1.0, 3.0, 3.0]
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any,
        num_trees: int | None = None, feature_columns: Any = None,
        weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, label_keys: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True,
        output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        params = params_of(
            head, learner_config, examples_per_layer, num_trees, feature_columns,
            center_bias, weight_column_name=weight_column_name,
            logits_modifier_function=logits_modifier_function, use_core_libs=True,
            output_leaf_index=output_leaf_index, num_quantiles=num_quantiles,
        )  # fmt: skip
        super().__init__(_core_model_fn(model_builder, params), model_dir, config)


class CoreGradientBoostedDecisionTreeRanker(CoreEstimator):
    """Trees that order examples, as an Estimator of tf.estimator.

    Args: see GradientBoostedDecisionTreeRanker.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any,
        ranking_model_pair_keys: Any, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = False,
        output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        params = params_of(
            head, learner_config, examples_per_layer, num_trees, feature_columns,
            center_bias, weight_column_name=weight_column_name,
            logits_modifier_function=logits_modifier_function, use_core_libs=True,
            output_leaf_index=output_leaf_index, num_quantiles=num_quantiles,
            ranking_model_pair_keys=ranking_model_pair_keys,
        )  # fmt: skip
        super().__init__(
            _core_model_fn(ranking_model_builder, params), model_dir, config
        )
