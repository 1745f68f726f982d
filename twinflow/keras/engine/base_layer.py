"""Layer: a computation with variables that are made when the input is known."""

import contextlib
import functools
import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dispatch, dtypes, nest
from twinflow.base.annotations import Given, HasCall, overridable
from twinflow.base.dispatch import EagerTensor, current_mode, local
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.keras import regularizers
from twinflow.keras.backend import defaults
from twinflow.keras.engine.input_spec import check_inputs
from twinflow.keras.engine.layer_losses import HasLosses
from twinflow.keras.engine.nodes import (
    HasNodes,
    apart,
    built_in,
    called_deferred,
    calls,
    has_history,
    inferred_shape,
    is_deferred,
    mark,
    masks_of,
    record,
)
from twinflow.keras.engine.policy import MixedCall, autocast, policy_of
from twinflow.keras.engine.weights import make_weight
from twinflow.keras.layers.arguments import found_by_kind, settings_among
from twinflow.keras.saving.config import serialized
from twinflow.keras.saving.pickling import found, portable
from twinflow.keras.saving.safe_mode import scope
from twinflow.keras.utils import cards
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.variables.creators import is_trainable

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1

_OPTIONS = ("activity_regularizer", "batch_input_shape", "batch_size", "input_shape")
_OPTIONS += ("weights",)


class Layer(HasNodes, HasLosses):
    """The base of all layers.

    A subclass keeps its settings in `__init__`, makes variables with `add_weight` in
    `build(input_shape)`, which runs at the first call, and computes in `call(inputs)`.

    Args:
        trainable: whether training updates its variables.
        name: its name; made from the class and numbered if not given.
        dtype: that of its variables; that of the first input if not given.
    Raises:
        TypeError: an argument is not known.
    Example:
        class Scale(tf.keras.layers.Layer):
            def build(self, input_shape):
                self.w = self.add_weight("w", [input_shape[-1]])
            def call(self, x):
                return x * self.w
    """

    input_spec: Any

    config: tuple[Any, ...] = ()  # the names of arguments, which are attributes too
    supports_masking = False
    follows_policy, computes_whole = True, False  # Note [Autocast]
    _policy: str | None = None  # the name of its policy, if one is in use

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        for key in kwargs:
            if key not in _OPTIONS:
                raise TypeError("Keyword argument not understood:", key)
        self._start(name)
        self.trainable, self.input_spec = trainable, None
        self._take_policy(dtype)
        self._activity_regularizer = _checked(kwargs.get("activity_regularizer"))
        self._batch_input_shape = _batch_shape(kwargs)
        self.__dict__["_initial_weights"] = kwargs.get("weights")

    def _take_policy(self, dtype):
        """Compute as the argument `dtype` says, or the policy of all new layers."""
        policy = policy_of(dtype) if self.follows_policy else None
        if policy is not None:
            self._policy, dtype = policy.name, policy.variable_dtype
            self.__dict__["call"] = MixedCall(self, policy, self.computes_whole)
        self._dtype = None if dtype is None else _dtype_name(dtype)

    def _start(self, name):
        state = self.__dict__
        state["_name"] = name or defaults.unique_name(
            defaults.snake_case(type(self).__name__)
        )
        state.update(_weights=[], _losses=[], _updates=[], built=False)
        state.update(_inbound_nodes=[], _outbound_nodes=[])
        self._parts()

    def _keep(self, **options):
        """Make attributes of settings; initializers and the like by their names."""
        for name, value in found_by_kind(options).items():
            setattr(self, name, value)

    def _keep_of(self, arguments):
        """As `_keep`, of what `locals()` of an `__init__` has of such settings."""
        self._keep(**settings_among(arguments))

    def _add_own(self, name, shape, initializer=None):
        """Make `self.<name>`, trained, as the settings of that name say.

        Args:
            name: as "recurrent_kernel", whose settings begin with "recurrent".
            initializer: in place of the setting.
        """
        part = name.removesuffix("_kernel")
        variable = self.add_weight(
            name, shape, None, initializer or getattr(self, f"{part}_initializer"),
            getattr(self, f"{part}_regularizer"), True,
            getattr(self, f"{part}_constraint"),
        )  # fmt: skip
        setattr(self, name, variable)

    def _add_own_bias(self, shape, initializer=None):
        """Make `self.bias`; None where `use_bias` says that there is none."""
        self.bias: Any = None
        if self.use_bias:
            self._add_own("bias", shape, initializer)

    # ------------------------------------------------------------------ facts
    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The name of the dtype of the variables; None while it is not known."""
        return self._dtype

    @property
    def activity_regularizer(self) -> Any:
        """A function from the output to a loss, or None."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    def _repr_html_(self) -> str:
        return cards.of_layer(self)

    def count_params(self) -> int:
        """How many numbers the variables hold.

        Raises:
            ValueError: the layer is not built.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't "
                "built. You can build it manually via: "
                f"`{self.name}.build(batch_input_shape)`."
            )
        return sum(int(np.prod(v._shape)) for v in self.weights)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal layer, as plain values."""
        dtype = self._policy or self.dtype
        found = {"name": self.name, "trainable": self.trainable, "dtype": dtype}
        if self._batch_input_shape is not None:
            found["batch_input_shape"] = self._batch_input_shape
        return found | {key: serialized(getattr(self, key)) for key in self.config}

    @classmethod
    def from_config(cls, config: Any, safe_mode: Any = None) -> Any:
        """A layer from what `get_config` gave; see Note [Safe mode]."""
        with scope(safe_mode):
            return cls(**config)

    # ------------------------------------------------------------------ calling
    @overridable
    def build(self, input_shape: Any) -> None:
        """Make the variables; `input_shape` is a TensorShape (or a list of them)."""
        self.built = True

    @overridable
    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """The output for `inputs`."""
        return inputs

    if TYPE_CHECKING:

        def __call__(
            self: HasCall[Given], inputs: Any, *args: Any, **kwargs: Any
        ) -> Given:
            """What `call` gives."""

    else:

        def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            """Build the layer if need be, and compute.

            Args:
                inputs: a tensor or a structure of tensors; arrays and numbers become
                    tensors.
            Raises:
                ValueError: the inputs do not fit `input_spec`.
            """
            if type(inputs) is not EagerTensor:
                inputs = _converted(inputs)
            mode = current_mode()
            if not mode.eager:
                return self._call_later(mode, inputs, args, kwargs)
            if type(inputs) is not EagerTensor and is_deferred(inputs):
                return called_deferred(self, inputs, args, kwargs)
            outer = local.eager_scope
            local.eager_scope = f"{outer}{self._name}/"
            try:
                if not self.built:
                    self._check_eager()
                    self._build(inputs)
                elif self.input_spec is not None:
                    check_inputs(self.input_spec, inputs, self._name)
                return self.call(inputs, *args, **kwargs)
            finally:
                local.eager_scope = outer

    def _check_eager(self):
        if self._activity_regularizer is not None:
            raise ValueError(
                "activity_regularizer currently unsupported with eager execution "
                f"enabled. Found an activity_regularizer in {type(self).__name__}"
                f"({self})."
            )

    def _call_later(self, graph, inputs, args, kwargs):
        masks = masks_of(inputs)
        if masks is not None and kwargs.get("mask") is None and self._takes("mask"):
            kwargs = {**kwargs, "mask": masks}
        recorded = not calls.depth and has_history(inputs)
        calls.depth += recorded
        asked = defaults.times_asked()
        try:
            with self._names(graph):
                outputs = self._call_in_scope(graph, inputs, args, kwargs)
                if recorded:
                    outputs = apart(self, inputs, outputs)
                self._mark_masks(inputs, outputs, masks)
        finally:
            calls.depth -= recorded
        if recorded:
            asks = defaults.times_asked() > asked
            record(self, inputs, outputs, self._named(args, kwargs), asks)
        return outputs

    def _names(self, graph):
        """The scope that a call opens, as a block."""
        return graph.name_scope(self._name)

    def _call_in_scope(self, graph, inputs, args, kwargs):
        if not self.built:
            with built_in(graph):
                self._build(inputs)
        elif self.input_spec is not None:
            check_inputs(self.input_spec, inputs, self._name)
        outputs = self.call(inputs, *args, **kwargs)
        if self._activity_regularizer is not None:
            self._regularize(graph, inputs, outputs)
        return outputs

    def _named(self, args, kwargs):
        """The arguments of a call by their names, without the mask."""
        names = list(inspect.signature(self.call).parameters)[1:]
        found = {**dict(zip(names, args, strict=False)), **kwargs}
        return {k: v for k, v in found.items() if k != "mask"}

    # ------------------------------------------------------------------ masks
    @overridable
    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output: that of the input, for layers that know masks.

        Raises:
            TypeError: there is a mask, and the layer does not know masks.
        """
        if self.supports_masking:
            return mask
        some = any(m is not None for m in mask) if isinstance(mask, list) else mask
        if some is not None and some is not False:
            raise TypeError(
                f"Layer {self.name} does not support masking, but was passed an "
                f"input_mask: {mask}"
            )
        return None

    def _mark_masks(self, inputs, outputs, masks):
        """Give the outputs their masks."""
        found = self.compute_mask(inputs, masks)
        if found is not None or masks is not None:
            mark(outputs, found)

    def _with_mask(self, inputs, mask, kwargs):
        """(output, its mask) of one call, where tensors do not carry masks."""
        if mask is not None and self._takes("mask"):
            kwargs.setdefault("mask", mask)
        outputs = self(inputs, **kwargs)
        if mask is None and type(self).compute_mask is Layer.compute_mask:
            return outputs, None
        return outputs, self.compute_mask(inputs, mask)

    def _regularize(self, graph, inputs, outputs):
        for y in nest.flatten(outputs):
            with graph.name_scope("ActivityRegularizer"):
                loss = self._activity_regularizer(y)
            self.add_loss(loss, inputs=inputs)

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Same as calling the layer."""
        return self(inputs, *args, **kwargs)

    def _build(self, inputs):
        if self.input_spec is not None:
            check_inputs(self.input_spec, inputs, self._name)
        flat = nest.flatten(inputs)
        if self._dtype is None and flat and hasattr(flat[0], "dtype"):
            self._dtype = flat[0].dtype.base_dtype.name
        shapes = [x.shape if hasattr(x, "shape") else None for x in flat]
        single = not nest.is_sequence(inputs)
        shape = shapes[0] if single else nest.pack_sequence_as(inputs, shapes)
        try:
            self._build_for(shape)
        except ValueError as error:
            if self._name not in str(error):
                error.add_note(f"It is layer {self._name!r}, for inputs of {shape}.")
            raise
        self.built = True
        self._take_initial_weights()

    def _take_initial_weights(self):
        """Give new variables the values of the argument `weights`."""
        weights = self.__dict__.pop("_initial_weights", None)
        if weights is not None:
            with dispatch.entered(current_mode().variable_owner()):
                self.set_weights(weights)

    def _take_dtype(self, dtype):
        """Make variables in the dtype of the layer around, if that is not usual."""
        if self._dtype is None and dtype != defaults.floatx():
            self._dtype = dtype

    @overridable
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of `input_shape`.

        Raises:
            NotImplementedError: the layer does not say, and eager mode cannot find out.
        """
        return inferred_shape(self, input_shape)

    def _build_for(self, input_shape):
        """`build` for a call; see Model for what else there is."""
        self.build(input_shape)

    def _takes(self, argument):
        """Whether `call` has an argument of this name."""
        call = self.call
        function = getattr(call, "__func__", call)
        return argument in arguments_of(function)

    # ------------------------------------------------------------------ variables
    def _in_one_part(self):
        """A block whose variables are not cut, as no layer here does."""
        return contextlib.nullcontext()

    def add_weight(
        self, name: str | None = None, shape: Any = None, dtype: Any = None,
        initializer: Any = None, regularizer: Any = None, trainable: Any = None,
        constraint: Any = None, partitioner: Any = None, use_resource: Any = None,
        synchronization: Any = None, aggregation: Any = None, **kwargs: Any,
    ) -> "VariableV1":  # fmt: skip
        """Make a variable of this layer.

        Args:
            name: its name within the layer. shape: ints or Dimensions; () if not given.
            dtype: that of the layer if not given.
            initializer: a name or function; "glorot_uniform" for floats, else zeros.
            regularizer: a function from the variable to a loss.
            trainable: True if not given.
            constraint: a function from the updated value to the one to keep.
            use_resource, synchronization, aggregation: see tf.Variable.
            partitioner: for `getter` only; others make variables in one part.
            kwargs: `collections` of the graph to add it to, and `getter`, a function of
                these arguments that makes the variable.
        Returns:
            The variable.
        Raises:
            TypeError: an argument is not known.
            ValueError: there is no default initializer for the dtype, or the variable
                is to be trained and read from copies.
        """
        for key in kwargs:
            if key not in ("getter", "collections"):
                raise TypeError("Unknown keyword argument:", key)
        variable = make_weight(
            self, name, () if shape is None else shape, dtype, initializer,
            kwargs.get("getter"), partitioner, use_resource,
            trainable=is_trainable(trainable, synchronization), constraint=constraint,
            collections=kwargs.get("collections"), synchronization=synchronization,
            aggregation=aggregation,
        )  # fmt: skip
        if self._policy is not None:
            variable = autocast(variable)
        self._own(variable, name)
        if regularizer is not None:
            self._regularize_weight(name, variable, regularizer)
        return variable

    def add_variable(self, *args: Any, **kwargs: Any) -> "VariableV1":
        """Same as `add_weight`."""
        return self.add_weight(*args, **kwargs)

    # ------------------------------------------------------------------ copies
    def __getstate__(self):
        state = {k: portable(v) for k, v in self.__dict__.items()}
        for key in ("_inbound_nodes", "_outbound_nodes"):
            state[key] = [
                n for n in state.get(key, ()) if is_deferred(n.output_tensors)
            ]
        return state

    def __setstate__(self, state):
        self.__dict__.update((k, found(v)) for k, v in state.items())


def _checked(activity_regularizer):
    if activity_regularizer is not None and current_mode().eager:
        raise ValueError(
            "Activity regularization is not supported when executing eagerly. Got "
            f"activity_regularizer={activity_regularizer}"
        )
    return regularizers.get(activity_regularizer)


def _dtype_name(dtype):
    return getattr(dtype, "name", None) or dtypes.as_dtype(dtype).name


def _batch_shape(options):
    if "batch_input_shape" in options:
        return tuple(options["batch_input_shape"])
    if "input_shape" in options:
        return (options.get("batch_size"), *options["input_shape"])
    return None


def _converted(inputs):
    """Arrays and numbers as tensors; lists and dicts of tensors stay what they are."""
    if isinstance(inputs, Tensor):
        return inputs
    if isinstance(inputs, np.ndarray | np.generic | float | int):
        return convert_to_tensor(inputs)
    if isinstance(inputs, ResourceHandle):
        return inputs._as_tensor()
    if isinstance(inputs, list | tuple | dict):
        return nest.map_structure(_converted, inputs)
    return inputs


@functools.lru_cache(maxsize=256)
def arguments_of(function):
    """The names of the arguments of a function."""
    return frozenset(inspect.signature(function).parameters)
