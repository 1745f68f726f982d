"""One step on a batch, as a function from arrays to numbers, in both modes.

Note [Steps]: `model.train_function`, `test_function` and `predict_function` take a flat
list: inputs, targets and weights, with None for weights that are all equal. In a graph
they feed placeholders; in eager mode they run a compiled function, or with
`run_eagerly=True` the Python code itself.
"""

import re

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base import nest
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.distribute import contexts
from twinflow.execute.function import Function
from twinflow.keras.backend import defaults, sessions
from twinflow.keras.engine.nodes import masks_of
from twinflow.keras.training.objective import (
    as_tensors,
    mean_of_towers,
    value_of,
    weighted_mean,
)
from twinflow.ops.core.reduction import reduce_sum


class GraphStep:
    """A step in a graph; see Note [Steps].

    Args:
        inputs: placeholders. outputs: tensors. updates: ops.
        phase: 1 in training, else 0. options: for `session.run`.
    Attributes:
        watched: further tensors to compute, with functions of their values.
    """

    def __init__(self, inputs, outputs, updates, phase, options):
        self._inputs, self._phase = inputs, phase
        self._step = sessions.Function([], outputs, updates, None, options)
        self.watched: dict = {}

    def __call__(self, values):
        session = sessions.get_session()
        pairs = zip(self._inputs, sessions.resolved(values, session), strict=False)
        feed = {t: v for t, v in pairs if v is not None}
        phase = defaults.phase_tensor(session.graph)
        if phase is not None:
            feed[phase] = bool(self._phase)
        found, watched = self._step.run(session, feed, list(self.watched))
        for function, value in zip(self.watched.values(), watched, strict=True):
            function(value)
        return found


class EagerStep:
    """A step in eager mode; see Note [Steps].

    Args:
        model: the model. kind: "train", "test" or "predict".
    Attributes:
        of_tensors: the Python code of the step, of inputs, targets and weights.
    """

    def __init__(self, model, kind):
        self._model, self._kind = model, kind
        self._run = self.of_tensors = getattr(self, f"_{kind}")
        if not model.run_eagerly:
            self._run = Function(self._run, name=f"{kind}_function")

    def __call__(self, values):
        model, count = self._model, len(self._model.input_names)
        inputs = as_tensors(values[:count], model.inputs or ())
        rest = as_tensors(values[count:])
        targets, weights = rest[: len(model._wanted)], rest[len(model._wanted) :]
        if self._kind == "train":
            model.optimizer.prepare_for(model._collected_trainable_weights)
        found = self._run(inputs, targets, weights)
        return [_value(x) for x in found]

    # ------------------------------------------------------------------ kinds
    def _train(self, inputs, targets, weights):
        model = self._model
        with defaults.learning_phase_scope(1), GradientTape() as tape:
            outputs, masks = _called(model, inputs, True)
            total, parts = losses_of(model, outputs, masks, targets, weights)
            share = contexts.share_of_tower(total)
        variables = model._collected_trainable_weights
        if variables:
            grads = tape.gradient(share, variables)
            model.optimizer.apply_gradients(zip(grads, variables, strict=True))
        found = measured(model, outputs, masks, targets, weights)
        return [total, *parts, *found]

    def _test(self, inputs, targets, weights):
        model = self._model
        with defaults.learning_phase_scope(0):
            outputs, masks = _called(model, inputs, False)
            total, parts = losses_of(model, outputs, masks, targets, weights)
            found = measured(model, outputs, masks, targets, weights)
        return [total, *parts, *found]

    def _predict(self, inputs, targets, weights):
        with defaults.learning_phase_scope(0):
            return _called(self._model, inputs, False)[0]


def _value(x):
    return x.numpy() if isinstance(x, Tensor) else np.asarray(x)


def arranged(model, inputs):
    """A list of inputs in the form in which the model takes them."""
    if model._takes_dict:
        return dict(zip(model.input_names, inputs, strict=True))
    return inputs[0] if len(inputs) == 1 else list(inputs)


def _called(model, inputs, training):
    """(outputs, their masks) of the model, as lists."""
    x = arranged(model, inputs)
    kwargs = {"training": training} if model._takes("training") else {}
    if current_mode().eager:
        y, mask = model._with_mask(x, None, kwargs)
        outputs = nest.flatten(y)
        masks = mask if isinstance(mask, list) else [mask] * len(outputs)
    else:
        outputs = nest.flatten(model(x, **kwargs))
        masks = [masks_of(t) for t in outputs]
    return outputs, masks


def _by_output(model, targets, weights):
    """Targets and weights for every output; None for those without a loss."""
    ts, ws = iter(targets), iter(weights)
    every = [
        (next(ts), next(ws, None)) if f is not None else (None, None)
        for f in model.loss_functions
    ]
    return [t for t, _ in every], [w for _, w in every]


def losses_of(model, outputs, masks, targets, weights):
    """(the loss, those of the outputs where there are several)."""
    mode = current_mode()
    targets, weights = _by_output(model, targets, weights)
    together = model.__dict__.get("_weighs_together")
    sum_of = mean_of_towers if together else reduce_sum
    total, parts = None, []
    columns = (
        model.loss_functions, outputs, masks, targets, weights,
        model.loss_weights_list, model.output_names,
    )  # fmt: skip
    with mode.name_scope("loss"):
        for function, y, mask, target, weight, scale, name in zip(
            *columns, strict=True
        ):
            if function is None:
                continue
            with mode.name_scope(f"{name}_loss"):
                loss = weighted_mean(function, target, y, weight, mask, sum_of)
            parts.append(loss)
            total = scale * loss if total is None else total + scale * loss
        for loss in model.losses:
            total = loss if total is None else total + loss
    if total is None:
        raise ValueError(
            "The model cannot be compiled because it has no loss to optimize."
        )
    return total, parts if len(outputs) > 1 else []


def _scope(name):
    """The name of a metric as one of a scope: a lambda is called "<lambda>"."""
    return re.sub(r"^[^A-Za-z0-9.]|[^A-Za-z0-9_./-]", ".", name)


def measured(model, outputs, masks, targets, weights):
    """The metrics of all outputs, a list of scalar tensors."""
    mode, found = current_mode(), []
    targets, weights = _by_output(model, targets, weights)
    with mode.name_scope("metrics"):
        for i, (y, mask, target, weight) in enumerate(
            zip(outputs, masks, targets, weights, strict=True)
        ):
            if model.loss_functions[i] is None:
                continue
            for name, metric in model._per_output_metrics[i].items():
                with mode.name_scope(_scope(name)):
                    found.append(value_of(metric, target, y, None, mask))
            for name, metric in model._per_output_weighted_metrics[i].items():
                with mode.name_scope(_scope(name)):
                    found.append(value_of(metric, target, y, weight, mask))
    return found
