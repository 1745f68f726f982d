"""tensorflow.contrib.compiler.xla: a function whose nodes are marked as one cluster."""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from twinflow.base import logging
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.contrib.tpu.function import check_function_argument_count
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.formats.protos import AttrValue
from twinflow.graph.node import Node
from twinflow.graph.scopes import control_dependencies
from twinflow.graph.variable_scope import get_variable_scope
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.no_op import no_op

_ATTRIBUTE = "_xla_compile_id"


def compile(computation: Callable[..., Any], inputs: Any = None) -> Any:
    """The tensors that a function gives, as the results of one cluster.

    Its operations run whenever one of the tensors is computed. The cluster is a mark on
    the nodes: they are compiled when they are run often, marked or not.

    Args:
        computation: of n tensors; gives tensors, then operations.
        inputs: n tensors; none if not given.
    Returns:
        The tensors as a list; a node where there is none.
    Raises:
        TypeError: `inputs` is no list, or the function takes another number.
        ValueError: the function gives something else, or compiles inside.
    Example:
        from twinflow.contrib.compiler import xla
        (y,) = xla.compile(lambda x: x * 2.0, [tf.constant(3.0)])
        with tf.Session() as sess:
            sess.run(y)  # 6.0
    """
    inputs = [] if inputs is None else inputs
    if not isinstance(inputs, Sequence):
        raise TypeError("inputs must be a list")
    tensors = [convert_to_tensor(x) for x in inputs]
    wrong = check_function_argument_count(computation, len(tensors), None)
    if wrong is not None:
        names = [getattr(t, "name", t) for t in tensors]
        raise TypeError(
            "Supplied computation cannot be called with the specified inputs. You "
            f"specified {len(tensors)} inputs: {names}, but the computation needs "
            f"{wrong}"
        )
    mode = current_mode()
    if mode.eager:
        found, operations = _parts(computation(*tensors))
        return found or None
    found, operations = _in_cluster(mode, computation, tensors)
    with control_dependencies(operations):
        if not found:
            return no_op(name="output_0")
        return [identity(t, name=f"output_{i}") for i, t in enumerate(found)]


def _in_cluster(mode: Any, computation: Callable, tensors: list) -> tuple[list, list]:
    """The (tensors, operations) of a function, whose nodes carry the cluster's name."""
    name = mode.unique_name("cluster")
    scope = get_variable_scope()
    before = scope.use_resource

    def marked(node: Any) -> AttrValue:
        if _ATTRIBUTE in (node.marks or {}):
            raise ValueError(
                "XLA compiled computations cannot be nested, (operator name: "
                f"{node.name})"
            )
        return AttrValue(s=name.encode())

    scope.set_use_resource(True)
    try:
        with mode._attr_scope({_ATTRIBUTE: marked}):
            given = [identity(x, name=f"input_{i}") for i, x in enumerate(tensors)]
            return _parts(computation(*given))
    finally:
        scope.set_use_resource(before)


def _parts(outputs: Any) -> tuple[list, list]:
    """(tensors, operations) of what a function gave."""
    if outputs is None:
        outputs = ()
    if not isinstance(outputs, list | tuple):
        outputs = (outputs,)
    try:
        found = [o if isinstance(o, Node) else convert_to_tensor(o) for o in outputs]
    except (TypeError, ValueError) as error:
        raise ValueError(
            "XLA computation function return values must all either be Operations or "
            f'convertible to Tensors. Got error: "{error}"'
        ) from error
    operations = [o for o in found if isinstance(o, Node)]
    tensors = [o for o in found if isinstance(o, Tensor)]
    if found != [*tensors, *operations] and any(
        a is not b for a, b in zip(found, [*tensors, *operations], strict=True)
    ):
        raise ValueError(
            "XLA computation function must return zero or more Tensor values followed "
            "by zero or more Operations."
        )
    return tensors, operations


# ------------------------------------------------------------------ estimators
def estimator_model_fn(
    target_model_fn: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """A model function whose steps of training and evaluation are clusters.

    It gives TPUEstimatorSpecs or EstimatorSpecs; metrics are those of
    `TPUEstimatorSpec.eval_metrics`.

    Args:
        target_model_fn: the model function; a decorator is given without it.
    Example:
        from twinflow.contrib.compiler import xla

        @xla.estimator_model_fn()
        def model_fn(features, labels, mode, params):
            w = tf.get_variable("w", [], use_resource=True)
            loss = tf.reduce_mean((w * features - labels) ** 2)
            step = tf.train.get_global_step()
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
        estimator = tf.estimator.Estimator(model_fn, params={})
    """

    def decorated(function: Callable) -> Callable:
        @functools.wraps(function)
        def model_fn(features: Any, labels: Any, mode: Any, params: Any) -> Any:
            call = functools.partial(_called, function, features, labels, params)
            if (params or {}).get("use_tpu"):
                return call(mode)
            if mode == ModeKeys.TRAIN:
                return _trained(call)
            if mode == ModeKeys.EVAL:
                return _evaluated(call)
            raise NotImplementedError(
                f"{mode} is not implemented, only TRAIN and EVAL are supported"
            )

        return model_fn

    return decorated(target_model_fn) if target_model_fn else decorated


def _called(function: Callable, features: Any, labels: Any, params: Any, mode: Any):
    names = inspect.signature(function).parameters
    given = {"labels": labels, "mode": mode, "params": params}
    if "labels" not in names and labels is not None:
        raise ValueError("model_fn does not take labels, but input_fn returns labels.")
    spec = function(features, **{k: v for k, v in given.items() if k in names})
    if getattr(spec, "scaffold", None):
        logging.warning(
            "EstimatorSpec.scaffold is ignored with XLA compilation. Please use "
            "TPUEstimatorSpec.scaffold_fn instead."
        )
    if getattr(spec, "eval_metric_ops", None):
        raise ValueError(
            "EstimatorSpec.eval_metric_ops is not supported with XLA compilation. "
            "Please use TPUEstimatorSpec.eval_metrics instead."
        )
    return spec


def _scaffold(spec: Any) -> Any:
    make = getattr(spec, "scaffold_fn", None)
    found = make() if make else None
    if make and found is None:
        raise ValueError(
            "TPUEstimatorSpec.scaffold_fn returns None, which is not allowed"
        )
    return found


def _trained(call: Callable) -> EstimatorSpec:
    specs: list = []

    def step() -> Any:
        specs.append(call(ModeKeys.TRAIN))
        with control_dependencies([specs[0].train_op]):
            return identity(specs[0].loss)

    (loss,) = compile(step)
    return EstimatorSpec(
        ModeKeys.TRAIN, loss=loss, train_op=identity(loss), scaffold=_scaffold(specs[0])
    )


def _evaluated(call: Callable) -> EstimatorSpec:
    specs: list = []

    def step() -> list:
        specs.append(call(ModeKeys.EVAL))
        return [specs[0].loss, *_metrics(specs[0])[1]]

    loss, *tensors = compile(step)
    function, _ = _metrics(specs[0])
    return EstimatorSpec(
        ModeKeys.EVAL, loss=loss, scaffold=_scaffold(specs[0]),
        eval_metric_ops=function(*tensors) if function else None,
    )  # fmt: skip


def _metrics(spec: Any) -> tuple[Any, list]:
    """(the function of the metrics or None, its tensors in order)."""
    function, tensors = getattr(spec, "eval_metrics", None) or (None, [])
    if not isinstance(tensors, dict):
        return function, list(tensors)
    names = list(inspect.signature(function).parameters)
    if missing := [n for n in names if n not in tensors]:
        raise ValueError(
            f"Arguments {missing} are needed by metric_fn (first element of "
            "TPUEstimatorSpec.eval_metrics) but they are not provided by evaluation "
            "tensors (second element of TPUEstimatorSpec.eval_metrics)."
        )
    if more := [n for n in tensors if n not in names]:
        raise ValueError(
            f"Arguments {more} are provided by evaluation tensors (second element of "
            "TPUEstimatorSpec.eval_metrics) but they are not needed by metric_fn "
            "(first element of TPUEstimatorSpec.eval_metrics)."
        )
    return function, [tensors[n] for n in names]
