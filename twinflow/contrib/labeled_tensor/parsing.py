"""Placeholders with axes, and labeled tensors from tf.Example."""

from typing import Any

from twinflow.base.advice import advised
from twinflow.base.dtypes import as_dtype
from twinflow.contrib.labeled_tensor.axes import Axes, Axis, as_axis, checked
from twinflow.contrib.labeled_tensor.labeled import (
    LabeledTensor,
    convert_to_labeled_tensor,
)
from twinflow.graph.scopes import name_scope
from twinflow.ops.arrays.placeholder import placeholder as plain_placeholder
from twinflow.ops.parsing import features as plain_features
from twinflow.ops.parsing import public


class FixedLenFeature:
    """A feature of a tf.Example whose axes are known.

    Args:
        axes: Axis objects or pairs, with sizes. dtype: of its values.
        default_value: what stands for it where it is missing.
    """

    def __init__(self, axes: Any, dtype: Any, default_value: Any = None) -> None:
        self._axes = [as_axis(a) for a in axes]
        self._dtype, self._default_value = as_dtype(dtype), default_value

    @property
    def axes(self) -> list[Axis]:
        """The axes."""
        return self._axes

    @property
    def dtype(self) -> Any:
        """The dtype of its values."""
        return self._dtype

    @property
    def default_value(self) -> Any:
        """What stands for it where it is missing."""
        return self._default_value


def placeholder(dtype: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """A tensor that is fed.

    Args:
        dtype: its dtype. axes: names, Axis objects or pairs.
    """
    with name_scope(name, "lt_placeholder") as scope:
        made = Axes([(a, None) if isinstance(a, str) else a for a in axes])
        sizes = [a.size for a in made.values()]
        return LabeledTensor(plain_placeholder(dtype, sizes, name=scope), made)


def _parsed(
    parse: Any, serialized: Any, features: Any, batch: bool, more: dict
) -> dict:
    x = convert_to_labeled_tensor(serialized)
    if len(x.axes) != batch:
        text = f"Shape must be rank {batch:d} but is rank {len(x.axes)}"
        raise advised(ValueError, text)
    for feature in features.values():
        checked(feature, FixedLenFeature, "features")
    plain = {
        key: plain_features.FixedLenFeature(
            [a.size for a in f.axes], f.dtype, f.default_value
        )
        for key, f in features.items()
    }
    found = parse(x.tensor, plain, **more)
    first = list(x.axes.values()) if batch else []
    return {
        key: LabeledTensor(found[key], first + f.axes) for key, f in features.items()
    }


def parse_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[str, LabeledTensor]:
    """Labeled tensors of serialised tf.Examples; see tf.parse_example.

    Args:
        serialized: a string LabeledTensor of one axis, which all get.
        features: dict from keys to `FixedLenFeature`.
    Raises:
        ValueError: there are no features.
    """
    more = {"name": name, "example_names": example_names}
    return _parsed(public.parse_example, serialized, features, True, more)


def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[str, LabeledTensor]:
    """Labeled tensors of one serialised tf.Example; see tf.parse_single_example.

    Args:
        serialized: a string LabeledTensor without axes.
        features: dict from keys to `FixedLenFeature`.
    Raises:
        ValueError: there are no features.
    """
    more = {"name": name, "example_names": example_names}
    return _parsed(public.parse_single_example, serialized, features, False, more)
