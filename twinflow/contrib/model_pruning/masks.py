"""Masks over weights, and where they are kept."""

from typing import Any

from twinflow.graph.scopes import add_to_collection, get_collection
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.nn.dropout import zero_fraction
from twinflow.ops.random.initializers_plain import Ones, Zeros

MASK_COLLECTION = "masks"
THRESHOLD_COLLECTION = "thresholds"
MASKED_WEIGHT_COLLECTION = "masked_weights"
WEIGHT_COLLECTION = "kernel"
MASKED_WEIGHT_NAME = "weights/masked_weight"


def weight_mask_variable(var: Any, scope: Any) -> Any:
    """The variable `mask` of a scope, like another one, 1 at first."""
    with variable_scope(scope):
        return get_variable(
            "mask", var.shape, var.dtype.base_dtype, Ones(), trainable=False
        )


def weight_threshold_variable(var: Any, scope: Any) -> Any:
    """The variable `threshold` of a scope, 0 at first."""
    with variable_scope(scope):
        return get_variable(
            "threshold", [], var.dtype.base_dtype, Zeros(), trainable=False
        )


def masked(weights: Any, mask: Any, threshold: Any) -> Any:
    """mask * weights; what belongs to it goes into the collections once."""
    product = multiply(mask, weights, MASKED_WEIGHT_NAME)
    if not any(m is mask for m in get_collection(MASK_COLLECTION)):
        for key, value in (
            (MASK_COLLECTION, mask), (THRESHOLD_COLLECTION, threshold),
            (MASKED_WEIGHT_COLLECTION, product), (WEIGHT_COLLECTION, weights),
        ):  # fmt: skip
            add_to_collection(key, value)
    return product


def apply_mask(x: Any, scope: Any = "") -> Any:
    """Weights times a mask, which a Pruning moves.

    Args:
        x: the variable of the weights. scope: that of the variables of the mask.
    Example:
        with tf.Graph().as_default():
            w = tf.get_variable("w", [2, 3])
            y = tf.contrib.model_pruning.apply_mask(w, "w_pruned")
            count = len(tf.contrib.model_pruning.get_masks())
        count  # 1
    """
    mask = weight_mask_variable(x, scope)
    return masked(x, mask, weight_threshold_variable(x, scope))


def get_masked_weights() -> list[Any]:
    """The weights times their masks."""
    return get_collection(MASKED_WEIGHT_COLLECTION)


def get_masks() -> list[Any]:
    """The masks."""
    return get_collection(MASK_COLLECTION)


def get_thresholds() -> list[Any]:
    """The thresholds, one of each mask."""
    return get_collection(THRESHOLD_COLLECTION)


def get_weights() -> list[Any]:
    """The variables of the weights that have a mask."""
    return get_collection(WEIGHT_COLLECTION)


def get_weight_sparsity() -> list[Any]:
    """How much of each mask is 0."""
    return [zero_fraction(mask) for mask in get_masks()]


class Masked:
    """A part of layers with one matrix of weights: these get a mask."""

    _masked_name = "kernel"

    def build(self, input_shape: Any) -> None:
        """Make the variables, and those of the mask."""
        super().build(input_shape)  # type: ignore[misc]
        self.built = False  # a layer that is built finds variables, and makes none
        weights = getattr(self, self._masked_name)
        add: Any = self.add_variable  # type: ignore[attr-defined]
        self.mask = add("mask", weights.shape, initializer=Ones(), trainable=False)
        self.threshold = add("threshold", [], initializer=Zeros(), trainable=False)
        self.built = True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """What the layer gives with the weights times their mask."""
        name, own = self._masked_name, self.__dict__
        weights = getattr(self, name)
        own[name] = masked(weights, self.mask, self.threshold)
        try:
            return super().call(*args, **kwargs)  # type: ignore[misc]
        finally:
            own[name] = weights
