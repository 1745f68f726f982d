"""Lambda: a function as a layer."""

import base64
import marshal
import pkgutil
import sys
import types
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.base.op import Op
from twinflow.base.shapes import TensorShape
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.tracing import holds_shapes, trace
from twinflow.keras.saving.config import CUSTOM
from twinflow.keras.saving.safe_mode import check as check_code
from twinflow.keras.saving.safe_mode import scope as safe_mode_scope


class Lambda(Layer):
    """function(x).

    Args:
        function: of one tensor (or a list), and of `mask` if it has such an argument.
        output_shape: what `compute_output_shape` says: a shape without the batch, or a
            function of the shape of the input; found by tracing if not given.
        mask: a mask for the output, or a function of the inputs and their masks.
        arguments: dict of further arguments.
    Example:
        tf.keras.layers.Lambda(lambda x: x ** 2)(tf.ones([2, 3]))
    """

    def __init__(
        self, function: Callable[..., Any], output_shape: Any = None, mask: Any = None,
        arguments: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}
        self.mask, self._output_shape = mask, output_shape
        self.supports_masking = mask is not None

    def call(self, inputs: Any, mask: Any = None) -> Any:
        options = dict(self.arguments)
        code = getattr(self.function, "__code__", None)
        if code is not None and "mask" in code.co_varnames[: code.co_argcount]:
            options["mask"] = mask
        return self.function(inputs, **options)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output, as given."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        if self._output_shape is None:
            return TensorShape(self._traced_shape(input_shape))
        if callable(self._output_shape):
            return TensorShape(self._output_shape(input_shape))
        return TensorShape([TensorShape(input_shape).as_list()[0], *self._output_shape])

    def _traced_shape(self, input_shape):
        several = isinstance(input_shape, list) and holds_shapes(input_shape)
        dtype = dtypes.as_dtype(self.dtype or defaults.floatx())
        return trace(
            lambda *xs: self.call(list(xs) if several else xs[0]),
            [(dtype, s) for s in (input_shape if several else [input_shape])],
            whole=True,
        )._shape

    def get_config(self) -> dict[str, Any]:
        function, kind, module = _written(self.function)
        shape, shape_kind, shape_module = _written(self._output_shape)
        return {
            **super().get_config(),
            "function": function, "module": module, "function_type": kind,
            "output_shape": shape, "output_shape_type": shape_kind,
            "output_shape_module": shape_module, "arguments": self.arguments,
        }  # fmt: skip

    @classmethod
    def from_config(
        cls, config: Any, custom_objects: Any = None, safe_mode: Any = None
    ) -> "Lambda":
        """A layer from what `get_config` gave, under the same version of Python.

        Args:
            config: the settings. custom_objects: dict from names to functions.
            safe_mode: False to take bytecode, and functions by the module and name
                that the settings say; see Note [Safe mode].
        Raises:
            ValueError: the function is not known, or the settings bring code.
        """
        known = {"name", "trainable", "dtype", "arguments", "batch_input_shape"}
        options = {k: v for k, v in config.items() if k in known}
        with safe_mode_scope(safe_mode):
            function = _read(config, "function", "module", custom_objects)
            shape = config.get("output_shape")
            if config.get("output_shape_type", "raw") != "raw":
                module = "output_shape_module"
                shape = _read(config, "output_shape", module, custom_objects)
        return cls(function, output_shape=shape, **options)


class _Code(tuple):
    """The code, defaults and closure of a function that this process still has."""

    function: types.FunctionType

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return tuple, (tuple(self),)


def _written(value):
    """(what stands for a value, "lambda", "function" or "raw", its module)."""
    if not callable(value):
        return value, "raw", None
    module = _home_of(value)
    plain = isinstance(value, types.FunctionType)
    if not plain or _own(module, value.__name__) is value:
        return value.__name__, "function", module
    written = _Code(bytecode(value))
    written.function = value
    return written, "lambda", module


def bytecode(function):
    """(the code of a function in base64, its defaults, what it closes over)."""
    code = base64.b64encode(marshal.dumps(function.__code__)).decode("ascii")
    cells = tuple(c.cell_contents for c in function.__closure__ or ())
    return code, function.__defaults__, cells or None


def _read(config, key, module_key, custom_objects):
    """The function that `_written` wrote down under `key`."""
    value, module = config[key], config.get(module_key)
    if isinstance(value, _Code):  # it never left the process
        return value.function
    layer = f"The Lambda layer {config.get('name')!r}"
    if config[f"{key}_type"] == "lambda":
        check_code(layer, "Python bytecode")
        return function_of(value, vars(sys.modules.get(module, types)), layer)
    objects = {**CUSTOM, **(custom_objects or {})}
    function = objects.get(value) or _own(module, value)
    if function is None and isinstance(value, str):
        instead = f"Give the function by custom_objects={{{value!r}: ...}}. "
        check_code(layer, f"the name of a function, {module}.{value}", instead)
        function = getattr(sys.modules.get(module), value, None)
    if function is None:
        raise ValueError(f"Unknown function: {value}")
    return function


_FAMILIES = ("arrays", "core", "math", "matrix", "nn", "signal", "special")
_HOMES = (
    *(f"twinflow.ops.{family}." for family in _FAMILIES),
    "twinflow.keras.activations", "twinflow.keras.backend.",
    "twinflow.keras.applications.",
)  # fmt: skip


def _own(module, name):
    """The function without effects of this package that a name stands for, or None."""
    if not (isinstance(module, str) and isinstance(name, str) and name.isidentifier()):
        return None
    if not module.startswith(_HOMES) or name.startswith("_"):
        return None
    try:
        value = pkgutil.resolve_name(f"{module}:{name}")
    except (ImportError, AttributeError, ValueError):
        return None
    return value if _is_op(value) or _is_defined_in(value, module) else None


def _is_op(value):
    return isinstance(getattr(value, "op", None), Op)


def _is_defined_in(value, module):
    return isinstance(value, types.FunctionType) and value.__module__ == module


def _home_of(function):
    """The module that a function is defined in; ops of base.factory do not know it."""
    module = function.__module__
    if not _is_op(function):
        return module
    loaded = [name for name in list(sys.modules) if name.startswith(_HOMES)]
    homes = (m for m in loaded if _own(m, function.__name__) is function)
    return next(homes, module)


def function_of(parts, names, layer):
    """The function whose code, defaults and closure these are."""
    try:
        code, defaults, cells = parts
        code = marshal.loads(base64.b64decode(code))
        cells = tuple(map(types.CellType, cells)) if cells else None
        defaults = None if defaults is None else tuple(defaults)
        return types.FunctionType(code, names, "<lambda>", defaults, cells)
    except (ValueError, EOFError, TypeError) as error:
        raise ValueError(
            f"{layer} holds bytecode that Python {sys.version.split()[0]} cannot read: "
            f"another version wrote it, or it is damaged ({error}). Define the model "
            "in the program, and load its weights."
        ) from error
