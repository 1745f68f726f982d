"""Lambda: a function as a layer."""

import base64
import marshal
import sys
import types

from twinflow.base.shapes import TensorShape
from twinflow.keras.base_layer import Layer


class Lambda(Layer):
    """function(x).

    Args:
        function: of one tensor (or a list), and of `mask` and `training` if it has
            arguments of these names.
        output_shape: accepted. mask: a mask for the output, or a function of the inputs
            and their masks. arguments: dict of further arguments.
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
            return super().compute_output_shape(input_shape)
        if callable(self._output_shape):
            return TensorShape(self._output_shape(input_shape))
        return TensorShape([TensorShape(input_shape).as_list()[0], *self._output_shape])

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
