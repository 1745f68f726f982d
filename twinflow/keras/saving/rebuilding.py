"""Models made anew and compiled as they were."""

from typing import Any

from twinflow.keras.engine.input_layer import InputLayer
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.sequential import Sequential
from twinflow.keras.optimizers.algorithms import TFOptimizer
from twinflow.keras.saving.cloning import clone_model
from twinflow.keras.saving.config import CustomObjectScope

_FACTS = ("loss", "metrics", "loss_weights", "sample_weight_mode", "weighted_metrics")


def clone_functional_model(model: Any, input_tensors: Any = None) -> Any:
    """`clone_model` of a functional model.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(model, Model) or model._network is None:
        raise ValueError(f"Expected a functional `Model`, got {model} instead.")
    if isinstance(model, Sequential):
        raise ValueError(f"Expected a functional `Model`, got the Sequential {model}.")
    return clone_model(model, input_tensors)


def clone_sequential_model(model: Any, input_tensors: Any = None) -> Any:
    """`clone_model` of a Sequential.

    Raises:
        ValueError: it is none, or does not begin with one tensor of the kind asked for.
    """
    if not isinstance(model, Sequential):
        raise ValueError(f"Expected a `Sequential` model instance, but got: {model}")
    if isinstance(input_tensors, list | tuple) and len(input_tensors) != 1:
        raise ValueError(
            "To clone a `Sequential` model, we expect at most one tensor as part of "
            f"`input_tensors`, got {len(input_tensors)}."
        )
    source = getattr(input_tensors, "_keras_history", None)
    if source is not None and not isinstance(source[0], InputLayer):
        raise ValueError(
            "Cannot clone a `Sequential` model on top of a tensor that comes from a "
            "Keras layer other than an `InputLayer`. Use the functional API instead."
        )
    return clone_model(model, input_tensors)


def clone_and_build_model(
    model: Any, input_tensors: Any = None, target_tensors: Any = None,
    custom_objects: dict | None = None, compile_clone: bool = True,
    in_place_reset: bool = False, optimizer_iterations: Any = None,
) -> Any:  # fmt: skip
    """A model with new weights, compiled as another one.

    Args:
        model: a functional model or a Sequential; it may be compiled.
        input_tensors, target_tensors: what it begins with and is compared with; new
            placeholders if not given.
        custom_objects: dict from names to classes and functions.
        compile_clone: whether to compile it. in_place_reset: accepted.
        optimizer_iterations: the variable that counts steps.
    Raises:
        ValueError: the model is written as a class.
    """
    with CustomObjectScope(custom_objects or {}):
        clone = clone_model(model, input_tensors)
        given = getattr(model, "optimizer", None)
        if not compile_clone or given is None:
            return clone
        facts = {name: getattr(model, name) for name in _FACTS}
        optimizer = _anew(given, optimizer_iterations)
        clone.compile(optimizer, target_tensors=target_tensors, **facts)
    return clone


def _anew(optimizer: Any, iterations: Any) -> Any:
    if isinstance(optimizer, TFOptimizer):
        return TFOptimizer(optimizer.optimizer, iterations)
    made = type(optimizer).from_config(optimizer.get_config())
    if iterations is not None:
        made.iterations = iterations
    return made
