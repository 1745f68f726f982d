"""Keras models made anew in another graph: what model_to_estimator trains."""

from twinflow.base import dtypes
from twinflow.base.tensor import ResourceHandle
from twinflow.base.trackable import Trackable
from twinflow.graph.graph import Graph
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.sequential import Sequential
from twinflow.keras.saving.cloning import clone_model
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import cast
from twinflow.ops.core.shape import expand_dims


def clone_on(model, features):
    """A model with new variables of the current graph, called on `features`.

    Args:
        model: a Keras model of any kind.
        features: a tensor, a list, or a dict by the names of the inputs.
    Raises:
        KeyError: the dict has other names. ValueError: there are too many or too few.
    """
    if model._network is not None:
        return clone_model(model, _ordered(features, model.input_names, "features"))
    if isinstance(model, Sequential):
        return clone_model(model, _ordered(features, ["input_1"], "features"))
    made = fresh(model)
    made._set_inputs(_as_data(features))
    return made


def _ordered(given, names, what):
    """Tensors in the order of names, floats in Keras's dtype."""
    if isinstance(given, dict):
        if len(names) == len(given) == 1 and names == ["input_1"]:
            return [as_floatx(t) for t in given.values()]
        if set(given) != set(names):
            side = "outputs" if what == "labels" else "inputs"
            raise KeyError(
                f"The dictionary passed into {what} does not have the expected {side} "
                f"keys defined in the keras model.\n\tExpected keys: {set(names)}"
                f"\n\t{what} keys: {set(given)}\n\tDifference: "
                f"{set(names) ^ set(given)}"
            )
        return [as_floatx(given[name]) for name in names]
    tensors = list(given) if isinstance(given, list | tuple) else [given]
    if len(tensors) != len(names):
        raise ValueError(
            f"The input function gave {len(tensors)} tensors as {what}, the Keras "
            f"model expects {len(names)}: {list(names)}"
        )
    return [as_floatx(t) for t in tensors]


def targets_of(model, labels):
    """The labels as a list in the order of the outputs, in their ranks.

    Raises:
        KeyError, ValueError: see `clone_on`, or there are no labels.
    """
    if labels is None:
        raise ValueError(
            "A Keras model is trained and evaluated with labels, but the input "
            "function gave none: let it return (features, labels)"
        )
    found = _ordered(labels, model.output_names, "labels")
    return [_in_rank(t, y) for t, y in zip(found, model.outputs, strict=True)]


def _in_rank(target, output):
    """Numbers as columns, where the output is one: Keras does that with arrays."""
    if target._shape is None or output._shape is None:
        return target
    column = len(target._shape) == 1 and len(output._shape) == 2
    return expand_dims(target, -1) if column else target


def as_floatx(t):
    """A tensor; floats in Keras's dtype."""
    wanted = dtypes.as_dtype(defaults.floatx())
    return cast(t, wanted) if t.dtype.is_floating and t.dtype != wanted else t


def _as_data(features):
    if isinstance(features, dict):
        return {name: as_floatx(t) for name, t in features.items()}
    return [as_floatx(t) for t in features] if isinstance(
        features, list | tuple
    ) else as_floatx(features)  # fmt: skip


# ---------------------------------------------------------------------- classes
def fresh(model):
    """A model that is written as a class, as it was before its first call.

    Raises:
        ValueError: it has variables of its own, which nothing says how to make.
    """
    if isinstance(model, Sequential) or model._network is not None:
        return clone_model(model)
    made = type(model).__new__(type(model))
    Model.__init__(made, name=model.name)
    state, known = _state_of_models(), {}
    for key, value in model.__dict__.items():
        if key not in state:
            setattr(made, key, _renewed(value, known, model))
    return made


def _renewed(value, known, model):
    """A value with new layers in the place of layers."""
    if isinstance(value, Layer):
        if id(value) not in known:
            known[id(value)] = (
                fresh(value)
                if isinstance(value, Model)
                else type(value).from_config(value.get_config())
            )
        return known[id(value)]
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(_renewed(v, known, model) for v in value)
    if isinstance(value, dict):
        return {k: _renewed(v, known, model) for k, v in value.items()}
    if isinstance(value, ResourceHandle | Trackable):
        raise ValueError(
            f"The model {model.name} cannot be made anew in the graph of an Estimator: "
            f"its attribute {value!r} is neither a layer nor a plain value. Make "
            "variables in a layer's `build`, or write a model_fn around the model"
        )
    return value


def _state_of_models():
    """The attributes that models have of themselves once they have been trained."""
    with Graph().as_default():
        blank = _Blank(name="blank")
        blank._set_inputs(placeholder(dtypes.float32, [None, 1]))
        blank.compile("sgd", "mse", metrics=["mae"])
        blank._make_test_function()
    more = {"history", "stop_training", "_dataset_iterators", "_iterator_elements"}
    return set(blank.__dict__) | more | {"_part_names", "_graph"}


class _Blank(Model):
    """A model with nothing in it."""

    def call(self, inputs):
        return inputs * 1.0
