"""tensorflow.python.framework.function: Defun, older than tfe.defun."""

import inspect
import types

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base.dtypes import as_dtype
from twinflow.execute.function import defun
from twinflow.ops.core.constant import convert_to_tensor


class Defun:
    """A decorator: the function becomes one op of graphs.

    Args:
        input_types: the dtypes of the arguments; those that are given if left out.
        func_name: its name. grad_func: a function of the arguments and the slopes of
            the results; python_grad_func: of the op and the slopes of the results.
        kwargs: `noinline`, `shape_func` and others are accepted.
    Example:
        @Defun(tf.float32)
        def swish(x): return x * tf.sigmoid(x)
    """

    def __init__(self, *input_types, **kwargs):
        self._types, self._options = input_types, kwargs

    def __call__(self, func):
        if not callable(func):
            raise ValueError(f"func must be callable, but got {func!r}.")
        wanted = len(self._types)
        spec = inspect.getfullargspec(func)
        most = len(spec.args) if spec.varargs is None else wanted
        least = len(spec.args) - len(spec.defaults or ())
        if self._types and not least <= wanted <= most:
            raise ValueError(
                f"The function has {len(spec.args)} arguments, but {wanted} input "
                "types are given."
            )
        return DefinedFunction(func, self._types, **self._options)


class DefinedFunction:
    """See Defun."""

    def __init__(
        self, func, input_types, func_name=None, grad_func=None,
        python_grad_func=None, **options,
    ):  # fmt: skip
        self.name = func_name or func.__name__
        self._types = [as_dtype(t) for t in input_types]
        self._body = defun(func)
        self._grad, self._python_grad = grad_func, python_grad_func

    def __call__(self, *args, **kwargs):
        kwargs.pop("name", None)
        tensors = self._tensors(args)
        if self._grad is None and self._python_grad is None:
            return self._body(*tensors)
        return custom_gradient(self._with_gradient)(*tensors)

    def _tensors(self, args):
        if not self._types:
            return [convert_to_tensor(a) for a in args]
        if len(args) != len(self._types):
            raise ValueError(
                f"Expected number of arguments: {len(self._types)}, received: "
                f"{len(args)}"
            )
        return [convert_to_tensor(a, t) for a, t in zip(args, self._types)]

    def _with_gradient(self, *tensors):
        found = self._body(*tensors)
        outputs = list(found) if isinstance(found, list | tuple) else [found]

        def gradient(*slopes):
            if self._python_grad is None:
                return self._grad(*tensors, *slopes)
            op = types.SimpleNamespace(
                inputs=list(tensors), outputs=outputs, type=self.name, name=self.name
            )
            return self._python_grad(op, *slopes)

        return found, gradient
