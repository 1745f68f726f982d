"""The model functions of boosted trees, alone and in pairs for ranking."""

from typing import Any

from twinflow.base import logging
from twinflow.contrib.boosted_trees.ensemble_variable import tree_ensemble_variable
from twinflow.contrib.boosted_trees.estimator_batch.conversions import (
    estimator_spec_to_model_fn_ops,
)
from twinflow.contrib.boosted_trees.estimator_batch.trainer_hooks import StopAfterNTrees
from twinflow.contrib.boosted_trees.training import (
    LEAF_INDEX,
    PREDICTIONS,
    GradientBoostedDecisionTreeModel,
)
from twinflow.estimator.model_fn import ModeKeys
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.variables.state import assign_add
from twinflow.train.training_util import get_global_step

__all__ = ["ModelBuilderOutputType", "model_builder", "ranking_model_builder"]


class ModelBuilderOutputType:
    """What a model function gives: for tf.contrib.learn, or for tf.estimator."""

    MODEL_FN_OPS = 0
    ESTIMATOR_SPEC = 1


def _checked(features, config):
    if features is None:
        raise ValueError("At least one feature must be specified.")
    if config is None:
        raise ValueError("Missing estimator RunConfig.")


def _model(params, config, ensemble_handle, features):
    """The trees of the parameters of an estimator."""
    features = dict(features)
    features.pop(params["weight_column_name"], None)
    return GradientBoostedDecisionTreeModel(
        is_chief=config.is_chief, num_ps_replicas=config.num_ps_replicas,
        ensemble_handle=ensemble_handle, center_bias=params["center_bias"],
        examples_per_layer=params["examples_per_layer"],
        learner_config=params["learner_config"],
        feature_columns=params["feature_columns"],
        logits_dimension=params["head"].logits_dimension, features=features,
        use_core_columns=params.get("use_core_libs", False),
        output_leaf_index=params.get("output_leaf_index", False),
        num_quantiles=params.get("num_quantiles", 100),
    )  # fmt: skip


def add_step(update: Any) -> Any:
    """The op that counts a step, after the update."""
    with control_dependencies([update]):
        return assign_add(get_global_step(), 1).op


def stop_hooks(
    params: dict[Any, Any], model: GradientBoostedDecisionTreeModel
) -> list[Any]:
    """The hook that stops when there are enough trees, if a number is given."""
    count = params["num_trees"]
    if not count:
        return []
    finalized, attempted = model.get_number_of_trees_tensor()
    count += bool(params["center_bias"])
    last = params.get("override_global_step_value")
    return [StopAfterNTrees(count, attempted, finalized, last)]


def ops_of_head(
    head: Any, output_type: int, hooks: list[Any], leaves: Any, **parts: Any
) -> Any:
    """What a head makes of logits, with hooks, and where examples end.

    Args:
        head: of tf.contrib.learn or tf.estimator. output_type: of
            ModelBuilderOutputType. hooks: SessionRunHooks. leaves: a tensor, or None.
        parts: features, mode, labels, train_op_fn and logits.
    """
    core = getattr(head, "create_estimator_spec", None)
    if core is None:
        found = head.create_model_fn_ops(**parts)
        if leaves is not None:
            found.predictions[LEAF_INDEX] = leaves
        found.training_hooks.extend(hooks)
        return found
    spec = core(**parts)
    if leaves is not None and spec.predictions is not None:
        spec.predictions[LEAF_INDEX] = leaves
    spec = spec._replace(training_hooks=(*hooks, *spec.training_hooks))
    if output_type == ModelBuilderOutputType.MODEL_FN_OPS:
        return estimator_spec_to_model_fn_ops(spec)
    return spec


def model_builder(
    features: dict[Any, Any], labels: Any, mode: str, params: dict[Any, Any],
    config: Any, output_type: int = ModelBuilderOutputType.MODEL_FN_OPS,
) -> Any:  # fmt: skip
    """The model function of boosted trees.

    Args:
        features: {name: tensor}. labels: a tensor, or None. mode: a ModeKeys.
        params: dict of head, feature_columns, learner_config, examples_per_layer,
            num_trees, weight_column_name, center_bias and, if they are wanted,
            logits_modifier_function, use_core_libs, output_leaf_index,
            override_global_step_value, num_quantiles. config: a RunConfig.
        output_type: of ModelBuilderOutputType.
    Returns:
        ModelFnOps or an EstimatorSpec.
    Raises:
        ValueError: there are no features, or no configuration.
    """
    _checked(features, config)
    handle = tree_ensemble_variable(0, "", name="ensemble_model")
    model = _model(params, config, handle, features)
    with name_scope("gbdt", "gbdt_optimizer"):
        found = model.predict(mode)
        logits = found[PREDICTIONS]
        if params.get("logits_modifier_function"):
            logits = params["logits_modifier_function"](logits, features, mode)

    def train_op_fn(loss):
        return add_step(model.train(loss, found, labels))

    return ops_of_head(
        params["head"], output_type, stop_hooks(params, model), found.get(LEAF_INDEX),
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=logits,
    )  # fmt: skip


def _sides(features, keys):
    """Two dicts of features: "a.x" is x of the side "a"; other ones are of both."""
    found = []
    for key in keys:
        start = f"{key}."
        others = [f"{k}." for k in keys if k != key]
        side = {
            name.removeprefix(start): tensor
            for name, tensor in features.items()
            if not any(name.startswith(other) for other in others)
        }
        found.append(side)
    return found


def ranking_model_builder(
    features: dict[Any, Any], labels: Any, mode: str, params: dict[Any, Any],
    config: Any, output_type: int = ModelBuilderOutputType.MODEL_FN_OPS,
) -> Any:  # fmt: skip
    """The model function of trees that rank: the logit of a pair is the difference.

    Args:
        params: as of `model_builder`, with ranking_model_pair_keys, the starts of the
            names of features on the left and on the right: "a" for "a.x". Predictions
            are of single examples, whose features have no such start.
        The others: see `model_builder`.
    Returns:
        ModelFnOps or an EstimatorSpec.
    """
    _checked(features, config)
    handle = tree_ensemble_variable(0, "", name="ensemble_model")
    predicting = mode == ModeKeys.PREDICT
    left, right = (
        (features, None)
        if predicting
        else _sides(features, params["ranking_model_pair_keys"])
    )
    main = _model(params, config, handle, left)
    with name_scope("gbdt"):
        other = None if predicting else _model(params, config, handle, right)
        found = main.predict(mode)
        logits = found[PREDICTIONS]
        if other is not None:
            logits = logits - other.predict(mode)[PREDICTIONS]
        if params.get("logits_modifier_function"):
            logits = params["logits_modifier_function"](logits, features, mode)
    if params["center_bias"]:
        logging.warning("A bias has no effect on the order: center_bias is ignored.")

    def train_op_fn(loss):
        return add_step(main.train(loss, found, labels))

    return ops_of_head(
        params["head"], output_type, stop_hooks(params, main), found.get(LEAF_INDEX),
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=logits,
    )  # fmt: skip
