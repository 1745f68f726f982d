"""Estimators of random forests."""

import os
from typing import Any

from twinflow.base import dtypes, logging
from twinflow.base.annotations import Path
from twinflow.checkpoint.saver import Saver
from twinflow.contrib.estimator import heads as core_heads
from twinflow.contrib.learn import heads
from twinflow.contrib.learn.estimator import Estimator
from twinflow.contrib.learn.keys import ModeKeys, ProblemType
from twinflow.contrib.tensor_forest.fitted import FittedForestGraphs, check_alone
from twinflow.contrib.tensor_forest.growing import check_installed
from twinflow.contrib.tensor_forest.hparams import check_fitted
from twinflow.estimator.estimator import Estimator as CoreEstimator
from twinflow.estimator.export_outputs import PredictOutput
from twinflow.feature_column.layers import input_layer
from twinflow.graph.scopes import control_dependencies, group
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import log, maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.variables.state import assign_add
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook
from twinflow.train.training_util import get_or_create_global_step

__all__ = [
    "CoreTensorForestEstimator", "FittedForestGraphs", "ModelBuilderOutputType",
    "TensorForestEstimator", "TensorForestLossHook", "get_model_fn",
]  # fmt: skip

VARIANCE_PREDICTION_KEY = "prediction_variance"
KEYS_NAME = "keys"
ALL_SERVING_KEY = "tensorforest_all"
TREE_PATHS_PREDICTION_KEY = "tree_paths"
EPSILON = 1e-6
_SAVED_IN = "model.ckpt"


class ModelBuilderOutputType:
    """What a model function gives: that of tf.contrib.learn, or of tf.estimator."""

    MODEL_FN_OPS = 0
    ESTIMATOR_SPEC = 1


class TensorForestLossHook(SessionRunHook):
    """Stops a training whose loss has not become less for some steps.

    Args:
        early_stopping_rounds: how many steps.
        early_stopping_loss_threshold: by which share the loss must become less.
        loss_op: a scalar tensor.
    """

    def __init__(
        self, early_stopping_rounds: int,
        early_stopping_loss_threshold: float | None = None, loss_op: Any = None,
    ) -> None:  # fmt: skip
        self.early_stopping_rounds = early_stopping_rounds
        self.early_stopping_loss_threshold = early_stopping_loss_threshold or 0.0
        self.loss_op, self.min_loss, self.last_step = loss_op, None, 0
        self._steps = 0

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self.loss_op)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss, least = float(run_values.results), self.min_loss
        self._steps += 1
        wanted = self.early_stopping_loss_threshold
        if least is None or least - loss > wanted * abs(least):
            self.min_loss, self.last_step = loss, self._steps
        elif self._steps - self.last_step >= self.early_stopping_rounds:
            run_context.request_stop()


class _Report(SessionRunHook):
    """Logs values when a training ends."""

    def __init__(self, report: dict) -> None:
        self._report = report

    def end(self, session: Any) -> None:
        for name, value in session.run(self._report).items():
            logging.info("%s: %s", name, value)


class _GrowAtEnd(_Report):
    """Grows the last trees when a training ends, reports on them and saves them."""

    def __init__(self, graphs: Any, model_dir: Any, report: dict) -> None:
        super().__init__(report)
        self._op, self._model_dir = graphs.grow(), model_dir
        self._saver: Any = None
        self._step = get_or_create_global_step()

    def begin(self) -> None:
        self._saver = Saver()

    def end(self, session: Any) -> None:
        session.run(self._op)
        super().end(session)
        if self._model_dir:
            step = session.run(self._step)
            path = os.path.join(self._model_dir, _SAVED_IN)
            self._saver.save(session, path, global_step=step)


def get_default_head(params: Any, weights_name: Any, core: bool) -> Any:
    """The head of a forest, of tf.contrib.learn or of tf.estimator (`core`)."""
    if params.regression and core:
        return core_heads.regression_head(
            weights_name, params.num_outputs,
            loss_reduction=Reduction.SUM_OVER_BATCH_SIZE,
        )  # fmt: skip
    if params.regression:
        return heads.regression_head(
            weight_column_name=weights_name, label_dimension=params.num_outputs
        )
    if not core:
        return heads.multi_class_head(
            params.num_classes, weight_column_name=weights_name
        )
    if params.num_classes == 2:
        return core_heads.binary_classification_head(weights_name)
    return core_heads.multi_class_head(params.num_classes, weights_name)


def get_model_fn(
    params: Any, graph_builder_class: Any = FittedForestGraphs,
    device_assigner: Any = None, feature_columns: Any = None, weights_name: Any = None,
    model_head: Any = None, keys_name: Any = None, early_stopping_rounds: int = 100,
    early_stopping_loss_threshold: float = 0.001, num_trainers: int = 1,
    trainer_id: int = 0, report_feature_importances: bool = False,
    local_eval: bool = False, head_scope: Any = None,
    include_all_in_serving: bool = False,
    output_type: int = ModelBuilderOutputType.MODEL_FN_OPS,
) -> Any:  # fmt: skip
    """The model function of a forest.

    Args: see TensorForestEstimator.
        head_scope: accepted: a head has no variables of its own.
        output_type: what it gives, of ModelBuilderOutputType.
    """
    fitted = _check_class(graph_builder_class, params)
    if fitted:
        check_alone(num_trainers, trainer_id)
    core = output_type == ModelBuilderOutputType.ESTIMATOR_SPEC
    head = model_head or get_default_head(params, weights_name, core)

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        features = dict(features) if isinstance(features, dict) else features
        keys = features.pop(keys_name, None) if keys_name else None
        weights = features[weights_name] if weights_name else None
        graphs = graph_builder_class(params, device_assigner=device_assigner)
        training = mode == ModeKeys.TRAIN
        trained: Any = group()
        share = (
            {} if fitted else {"num_trainers": num_trainers, "trainer_id": trainer_id}
        )
        x = _matrix(features, feature_columns, weights_name, fitted)
        if training:
            trained = graphs.training_graph(x, labels, input_weights=weights, **share)
        found, paths, variance = graphs.inference_graph(
            x, **({"grown": False} if fitted else {})
        )
        found.set_shape([None, params.num_classes])
        spec = _spec(head, core, features, mode, labels, _logits(params, found),
                     lambda loss: _counted(trained))  # fmt: skip
        extra = {VARIANCE_PREDICTION_KEY: variance}
        if keys is not None:
            extra[KEYS_NAME] = keys
        if params.inference_tree_paths:
            extra[TREE_PATHS_PREDICTION_KEY] = paths
        if not training:
            spec = spec._replace(predictions={**spec.predictions, **extra})
            serves = include_all_in_serving and mode == ModeKeys.INFER
            return _serving_all(spec, core) if serves else spec
        loss = spec.loss
        if fitted:
            loss = -cast(graphs.distinct_examples, dtypes.float32)
        hooks = [TensorForestLossHook(
            early_stopping_rounds, early_stopping_loss_threshold, loss
        )]  # fmt: skip
        report = {}
        if report_feature_importances:
            report["feature_importances"] = graphs.feature_importances()
        if fitted:
            hooks.append(_GrowAtEnd(graphs, config.model_dir, report))
        elif report:
            hooks.append(_Report(report))
        return spec._replace(training_hooks=[*spec.training_hooks, *hooks])

    return model_fn


def _check_class(graph_builder_class, params):
    """Whether scikit-learn grows the trees; it is there then, and has what is asked."""
    fitted = issubclass(graph_builder_class, FittedForestGraphs)
    if fitted:
        check_installed()
        check_fitted(params)
    return fitted


def _serving_all(spec, core):
    """With all predictions as something to export."""
    if core:
        return spec._replace(
            export_outputs={ALL_SERVING_KEY: PredictOutput(spec.predictions)}
        )
    others = spec.output_alternatives or {}
    every = {ALL_SERVING_KEY: (ProblemType.UNSPECIFIED, spec.predictions)}
    return spec._replace(output_alternatives={**others, **every})


def _spec(head, core, features, mode, labels, logits, train):
    """What a head makes of logits."""
    if core:
        if labels is not None and labels.shape.ndims == 1:
            labels = reshape(labels, [-1, 1])
        return head.create_estimator_spec(features, mode, logits, labels, None, train)
    return head.create_model_fn_ops(features, mode, labels, train, logits)


def _counted(trained):
    with control_dependencies([trained]):
        return assign_add(get_or_create_global_step(), 1)


def _logits(params, found):
    """Two classes have one logit; others stay as they are, as in TensorFlow."""
    if params.regression or params.num_classes != 2:
        return found
    odds = found[:, 1:] / maximum(1.0 - found[:, 1:], EPSILON)
    return log(maximum(odds, EPSILON))


def _matrix(features, columns, without, fitted):
    """float32[n, features]: the columns, or all features by their names.

    The graphs of the ops take dicts, and SparseTensors, themselves.
    """
    if columns:
        return input_layer(features, columns)
    if not fitted:
        if isinstance(features, dict):
            return {k: v for k, v in features.items() if k != without}
        return features
    if not isinstance(features, dict):
        return cast(convert_to_tensor(features), dtypes.float32)
    parts = []
    for name in sorted(features):
        if name != without:
            part = cast(convert_to_tensor(features[name]), dtypes.float32)
            size = part.shape[-1].value if part.shape.ndims == 2 else 1
            parts.append(reshape(part, [shape(part)[0], size or -1]))
    return concat(parts, 1)


class TensorForestEstimator(Estimator):
    """A random forest, an Estimator of tf.contrib.learn.

    Trees grow by scikit-learn from all examples of one call of `fit`: a later call
    starts anew. Training stops once batches bring nothing new.

    Args:
        params: a filled ForestHParams. model_dir, config: see Estimator.
        device_assigner: None. feature_columns: of dense features; all features, in
            the order of their names, without.
        graph_builder_class: FittedForestGraphs, whose trees scikit-learn grows, or
            tensor_forest.RandomForestGraphs, whose trees, parameters and checkpoints
            are those of TensorFlow 1.12.
        weight_column, keys_column: the names of features that are weights of examples,
            or that predictions are to give back.
        feature_engineering_fn: from (features, labels) to what the forest gets.
        early_stopping_rounds, early_stopping_loss_threshold: see TensorForestLossHook.
        num_trainers, trainer_id: how many share the trees of RandomForestGraphs, and
            which this is; scikit-learn grows all in one.
        report_feature_importances: whether the end of a training logs the shares by
            which the splits of each feature lessen the impurity.
        local_eval: that evaluation has no device_assigner, of which there is none.
        version: of no effect, as in 1.12. head: a Head.
        include_all_in_serving: whether all predictions are exported too, as the
            alternative or, of CoreTensorForestEstimator, the output "tensorforest_all".
    Raises:
        ValueError: scikit-learn is to grow trees, and there are several trainers, or a
            parameter that its trees have not.
        UnimplementedError: so it is, and is missing (`pip install twinflow[forest]`).
    Example:
        forest = tf.contrib.tensor_forest
        params = forest.tensor_forest.ForestHParams(
            num_classes=3, num_features=1, num_trees=5, split_after_samples=2).fill()
        model = forest.random_forest.TensorForestEstimator(params)
        x, y = np.float32([[0], [1], [5], [6], [9]]), np.array([0, 0, 1, 1, 2])
        model = model.fit(x, y, steps=5)
        [int(p["classes"]) for p in model.predict(x)]  # [0, 0, 1, 1, 2]
    """

    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: Path | None = None,
        feature_columns: Any = None, graph_builder_class: Any = FittedForestGraphs,
        config: Any = None, weight_column: Any = None, keys_column: Any = None,
        feature_engineering_fn: Any = None, early_stopping_rounds: int = 100,
        early_stopping_loss_threshold: float = 0.001, num_trainers: int = 1,
        trainer_id: int = 0, report_feature_importances: bool = False,
        local_eval: bool = False, version: Any = None, head: Any = None,
        include_all_in_serving: bool = False,
    ) -> None:  # fmt: skip
        model_fn = get_model_fn(
            params.fill(), graph_builder_class, device_assigner, feature_columns,
            weight_column, head, keys_column, early_stopping_rounds,
            early_stopping_loss_threshold, num_trainers, trainer_id,
            report_feature_importances, local_eval, None, include_all_in_serving,
        )  # fmt: skip
        super().__init__(
            model_fn, model_dir, config, feature_engineering_fn=feature_engineering_fn
        )


class CoreTensorForestEstimator(CoreEstimator):
    """A random forest, an Estimator of tf.estimator.

    Args: see TensorForestEstimator; `head` is one of tf.contrib.estimator.
    Raises:
        UnimplementedError: scikit-learn is missing (`pip install twinflow[forest]`).
    """

    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: Path | None = None,
        feature_columns: Any = None, graph_builder_class: Any = FittedForestGraphs,
        config: Any = None, weight_column: Any = None, keys_column: Any = None,
        feature_engineering_fn: Any = None, early_stopping_rounds: int = 100,
        early_stopping_loss_threshold: float = 0.001, num_trainers: int = 1,
        trainer_id: int = 0, report_feature_importances: bool = False,
        local_eval: bool = False, version: Any = None, head: Any = None,
        include_all_in_serving: bool = False,
    ) -> None:  # fmt: skip
        plain = get_model_fn(
            params.fill(), graph_builder_class, device_assigner, feature_columns,
            weight_column, head, keys_column, early_stopping_rounds,
            early_stopping_loss_threshold, num_trainers, trainer_id,
            report_feature_importances, local_eval, None, include_all_in_serving,
            ModelBuilderOutputType.ESTIMATOR_SPEC,
        )  # fmt: skip

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            if feature_engineering_fn:
                features, labels = feature_engineering_fn(features, labels)
            return plain(features, labels, mode, config)

        super().__init__(model_fn, model_dir, config)
