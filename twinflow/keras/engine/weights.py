"""The variables of layers: making them, listing them, and their regularizers."""

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import Array
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.base.trackable import Trackable, changed, is_part, leaves, pending
from twinflow.keras import initializers
from twinflow.keras.backend import defaults
from twinflow.keras.backend.sessions import batch_get_value, batch_set_value, track
from twinflow.ops.random.draws import initializing
from twinflow.ops.variables.creators import has_creators
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.resource import ResourceVariable

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1

_LEAVES = (ResourceHandle, Trackable)


class HasWeights(Trackable):
    """Keeps variables and parts: what `Layer` and `Model` are built on.

    Parts are found where they are assigned to attributes, also in lists and dicts.
    """

    _own_first = True  # whether own variables come before those of the parts
    _keeps_settings = False  # whether lists and dicts without parts are children

    def __setattr__(self, name, value):
        part = is_part(value)
        if part:
            self._parts()[name] = None
        elif name in self.__dict__.get("_part_names", ()):
            del self._part_names[name]
        object.__setattr__(self, name, value)
        if part and pending:
            changed(self)

    def __delattr__(self, name):
        self.__dict__.get("_part_names", {}).pop(name, None)
        object.__delattr__(self, name)

    def _parts(self):
        """The names of the attributes that hold parts, in order of creation."""
        return self.__dict__.setdefault("_part_names", {})

    def _children(self):
        """The own variables by the names they were added under, then the attributes."""
        own = self.__dict__.get("_weights", ())
        names = self.__dict__.get("_weight_names", ())
        named = dict(zip(names, own, strict=True))  # the last of a name has it
        ids = {id(v) for v in named.values()}
        parts = [(name, self.__dict__[name]) for name in self._parts()]
        return [*named.items()] + [
            (name, part)
            for name, part in parts
            if id(part) not in ids
            and (self._keeps_settings or next(leaves(part), None) is not None)
        ]

    def _own(self, variable, name):
        """Make a new variable one of this layer's, under the name it was asked for.

        The variable's own name ends in a number where its graph has the name already.
        """
        self._weights.append(variable)
        short = (name or variable.name.removesuffix(":0")).rpartition("/")[2]
        self.__dict__.setdefault("_weight_names", []).append(short)
        if pending:
            changed(self)

    def _split(self):
        """The own variables and the parts with variables, each once."""
        slots = self.__dict__
        own, parts = dict.fromkeys(slots.get("_weights", ())), {}
        for name in slots.get("_part_names", ()):
            value = slots[name]
            for x in (value,) if isinstance(value, _LEAVES) else leaves(value):
                (own if isinstance(x, ResourceHandle) else parts)[x] = None
        return own, [x for x in parts if isinstance(x, HasWeights)]

    def _sublayers(self):
        return self._split()[1]

    # ------------------------------------------------------------------ lists
    def _sorted(self, trainable):
        """Own variables and those of the parts, of one kind, each once."""
        own, parts = self._split()
        own = [v for v in own if v.trainable is trainable]
        if not parts:
            return own
        kind = "trainable_weights" if trainable else "non_trainable_weights"
        theirs = [v for part in parts for v in getattr(part, kind)]
        both = own + theirs if self._own_first else theirs + own
        return list(dict.fromkeys(both))

    @property
    def trainable_weights(self) -> "list[VariableV1]":
        """The variables that training updates, in order of creation."""
        return self._sorted(True) if self.trainable else []

    @property
    def non_trainable_weights(self) -> "list[VariableV1]":
        """The other variables."""
        others = self._sorted(False)
        return others if self.trainable else self._sorted(True) + others

    @property
    def weights(self) -> "list[VariableV1]":
        """All variables: the trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def variables(self) -> "list[VariableV1]":
        """Same as `weights`."""
        return self.weights

    @property
    def trainable_variables(self) -> "list[VariableV1]":
        """Same as `trainable_weights`."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> "list[VariableV1]":
        """Same as `non_trainable_weights`."""
        return self.non_trainable_weights

    def _value_order(self):
        """The variables in the order in which `get_weights` lists their values."""
        return self.weights

    def get_weights(self) -> list[Array]:
        """The values of the variables, a list of arrays.

        In graph mode they are those of Keras's session.
        """
        return batch_get_value(self._value_order())

    def set_weights(self, weights: Any) -> None:
        """Give the variables the values of a list of arrays.

        In graph mode this is done in Keras's session.

        Raises:
            ValueError: there are too many or too few, or a shape does not fit.
        """
        variables = self._value_order()
        if len(variables) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  '
                f"weight list of length {len(weights)}, but the layer was expecting "
                f"{len(variables)} weights. Provided weights: {str(weights)[:50]}..."
            )
        for v, w in zip(variables, weights, strict=True):
            if tuple(v._shape) != np.shape(w):
                raise advised(
                    ValueError,
                    f"Layer weight shape {tuple(v._shape)} not compatible with "
                    f"provided weight shape {np.shape(w)}",
                )
        batch_set_value(list(zip(variables, weights, strict=True)))


def make_weight(
    layer, name, shape, dtype, initializer, getter, partitioner, use_resource, **options
):
    """A variable of `layer`, named after the models and layers being called."""
    dtype = dtypes.as_dtype(dtype or layer.dtype or defaults.floatx())
    shape = tuple(TensorShape(shape).as_list())
    initializer = _initializer(layer, name, dtype, initializer)
    if getter is not None:
        return getter(
            name=name, shape=shape, dtype=dtype, initializer=initializer,
            partitioner=partitioner, use_resource=use_resource, **options,
        )  # fmt: skip
    make = ResourceVariable
    if has_creators() or use_resource is False:
        make = functools.partial(Variable, use_resource=use_resource is not False)

    def first():  # the scopes around a layer differ where a function is traced
        with initializing(f"{layer.name}/{name}"):
            return initializer(shape, dtype=dtype)

    made = make(first, name=name or "Variable", dtype=dtype, **options)
    owner = current_mode().variable_owner()
    if options.get("collections") is not None and not owner.eager:
        track(owner, made)
    return made


def _initializer(layer, name, dtype, initializer):
    if initializer is not None:
        return initializers.get(initializer)
    if dtype.is_floating:
        return initializers.get("glorot_uniform")
    if dtype.is_integer or dtype.is_bool:
        return initializers.get("zeros")
    raise ValueError(
        f"An initializer for variable {name} of type {dtype!r} is required for layer "
        f"{layer.name}"
    )
