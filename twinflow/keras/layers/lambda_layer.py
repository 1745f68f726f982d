"""Lambda: a function as a layer."""

import base64
import marshal
import sys
import types

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.tracing import holds_shapes, trace


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
        self, function, output_shape=None, mask=None, arguments=None, **kwargs
    ):
        super().__init__(**kwargs)
        self.function, self.arguments = function, arguments or {}
        self.mask, self._output_shape = mask, output_shape
        self.supports_masking = mask is not None

    def call(self, inputs, mask=None):
        options = dict(self.arguments)
        code = getattr(self.function, "__code__", None)
        if code is not None and "mask" in code.co_varnames[: code.co_argcount]:
            options["mask"] = mask
        return self.function(inputs, **options)

    def compute_mask(self, inputs, mask=None):
        """The mask of the output, as given."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def compute_output_shape(self, input_shape):
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

    def get_config(self):
        plain = isinstance(self.function, types.FunctionType)
        function = _dumped(self.function) if plain else self.function.__name__
        return {
            **super().get_config(),
            "function": function,
            "module": self.function.__module__,
            "function_type": "lambda" if plain else "function",
            "output_shape": self._output_shape, "output_shape_type": "raw",
            "output_shape_module": None, "arguments": self.arguments,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """A layer from what `get_config` gave, under the same version of Python.

        Raises:
            ValueError: the function is not known.
        """
        known = {"name", "trainable", "dtype", "arguments", "batch_input_shape"}
        options = {k: v for k, v in config.items() if k in known}
        module = sys.modules.get(config.get("module"))
        if config["function_type"] == "lambda":
            names = {} if module is None else vars(module)
            function = _loaded(config["function"], names)
        else:
            name = config["function"]
            function = (custom_objects or {}).get(name) or getattr(module, name, None)
        if function is None:
            raise ValueError(f"Unknown function: {config['function']}")
        return cls(function, output_shape=config["output_shape"], **options)


def _dumped(function):
    """The code, defaults and closure of a lambda."""
    code = base64.b64encode(marshal.dumps(function.__code__)).decode("ascii")
    cells = tuple(c.cell_contents for c in function.__closure__ or ())
    return code, function.__defaults__, cells or None


def _loaded(parts, names):
    code, defaults, cells = parts
    closure = tuple(types.CellType(c) for c in cells) if cells else None
    code = marshal.loads(base64.b64decode(code))
    return types.FunctionType(code, names, "<lambda>", defaults, closure)
