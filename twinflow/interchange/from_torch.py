"""tf.from_torch: modules and functions of torch as differentiable ops, eagerly."""

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base import dispatch, errors, nest
from twinflow.base.trackable import Trackable
from twinflow.execute.py_func import eager_py_func
from twinflow.interchange import torch_library
from twinflow.interchange.torch_library import lent, taken, torch
from twinflow.ops.core import array
from twinflow.ops.variables.resource import ResourceVariable


class FromTorch(Trackable):
    """What `from_torch` returns: calls the function of torch as an op.

    Attributes:
        function: the module or function. variables: those of the module's parameters,
            with its dtypes and names. copy, dtypes: see `from_torch`.
    """

    def __init__(
        self, function: Any, name: str | None, copy: bool, dtypes: Any = None
    ) -> None:
        self.function, self.copy, self.dtypes = function, copy, dtypes
        self.name = name or getattr(function, "__name__", type(function).__name__)
        self._parameters: dict[Any, Any] = {}
        if isinstance(function, torch.nn.Module):
            self._parameters = {
                key: _variable(key, p) for key, p in function.named_parameters()
            }

    @property
    def variables(self) -> list:
        """The variables of the parameters, in the module's order."""
        return list(self._parameters.values())

    @property
    def trainable_variables(self) -> list:
        """Those of parameters that want a gradient."""
        return [v for v in self.variables if v.trainable]

    def _children(self) -> list:
        return list(self._parameters.items())

    def update_module(self) -> None:
        """Give the parameters of the module the values of the variables."""
        with torch.no_grad():
            for key, p in self.function.named_parameters():
                p.copy_(torch.from_dlpack(self._parameters[key].read_value()))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        flat = [torch_library.as_tensor(a) for a in nest.flatten(list(args))]
        weights = [v.read_value() for v in self._parameters.values()]
        found: dict = {}

        def run(tensors: list) -> list:
            if self.copy:
                tensors = [t.clone() for t in tensors]
            given = nest.pack_sequence_as(list(args), tensors[: len(flat)])
            result = self._run(given, kwargs, tensors[len(flat) :])
            found["like"] = nest.map_structure(lambda y: None, result)
            return nest.flatten(result)

        if dispatch.current_mode().eager:
            ys = _called(run, [*flat, *weights], self.name)
            like = found["like"]
        else:
            like = self._like()
            call = lambda *given: _called(run, list(given), self.name)
            node = re.sub(r"[^A-Za-z0-9.]+", "_", self.name).strip("_")
            ys = eager_py_func(call, [*flat, *weights], nest.flatten(like), node)
        return nest.pack_sequence_as(like, ys) if nest.is_sequence(like) else ys[0]

    def _like(self) -> Any:
        """The dtypes of the results, which a graph wants to know before.

        Raises:
            RuntimeError: nobody said them.
        """
        if self.dtypes is None:
            raise RuntimeError(
                f"tf.from_torch of {self.name!r} runs in torch: in graphs and "
                "functions give it dtypes=, those of its results, as in "
                "tf.from_torch(module, dtypes=tf.float32); or call it eagerly."
            )
        return self.dtypes

    def _run(self, args: list, kwargs: dict, weights: list) -> Any:
        if not self._parameters:
            return self.function(*args, **kwargs)
        named = dict(zip(self._parameters, weights, strict=True))
        return torch.func.functional_call(self.function, named, tuple(args), kwargs)

    def __repr__(self) -> str:
        return f"<tf.from_torch of {self.name}>"


def _variable(key: str, parameter: Any) -> ResourceVariable:
    name = re.sub(r"[^A-Za-z0-9_./-]", "_", key).replace(".", "/")
    return ResourceVariable(
        taken(parameter), trainable=parameter.requires_grad, name=name
    )


def _called(run: Callable, tensors: Sequence, name: str) -> list:
    """The results of a function of torch's tensors as an op.

    Its gradient is a function of torch in its turn, and so to any order.
    """

    @custom_gradient
    def call(*xs: Any) -> tuple:
        ins = [lent(x) for x in xs]
        outs = _outputs(run, ins, name)
        floats = [i for i, y in enumerate(outs) if _has_slope(y)]

        def grad(*dys: Any) -> list:
            given = [array.zeros_like(y) if d is None else d for d, y in zip(dys, ys)]
            back = functools.partial(_slopes, run, len(xs))
            wanted = [given[i] for i in floats]
            slopes = iter(_called(back, [*xs, *wanted], name) if wanted else [])
            return [next(slopes) if x.requires_grad else None for x in ins]

        ys = [taken(y) for y in outs]
        return ys, grad

    return call(*tensors)


def _outputs(run: Callable, ins: list, name: str) -> list:
    try:
        outs = run(ins)
    except RuntimeError as error:
        hint = ""
        if "in-place" in str(error):
            hint = "; pass copy=True to tf.from_torch where it writes to its arguments"
        raise errors.InvalidArgumentError(
            None, None, f"The torch function {name!r} raised: {error}{hint}"
        ) from error
    for y in outs:
        if not isinstance(y, torch.Tensor):
            raise TypeError(
                f"The torch function {name!r} returned {type(y).__name__}: expected "
                "tensors of torch, and structures of them."
            )
    return outs


def _slopes(run: Callable, count: int, given: list) -> list:
    """The gradients of those of `count` arguments that have one."""
    xs, dys = given[:count], given[count:]
    with torch.enable_grad():
        ys = [y for y in run(xs) if _has_slope(y)]
        wanted = [x for x in xs if x.requires_grad]
        pairs = [(y, d) for y, d in zip(ys, dys, strict=True) if y.requires_grad]
        if not pairs or not wanted:
            return [torch.zeros_like(x) for x in wanted]
        found = torch.autograd.grad(
            [y for y, _ in pairs], wanted, [d for _, d in pairs],
            create_graph=True, allow_unused=True,
        )  # fmt: skip
    return [
        torch.zeros_like(x) if d is None else d
        for x, d in zip(wanted, found, strict=True)
    ]


def _has_slope(y: Any) -> bool:
    return y.is_floating_point() or y.is_complex()


def from_torch(
    function: Any, name: str | None = None, copy: bool = False, dtypes: Any = None
) -> FromTorch:
    """Make a module or function of torch one of tensors.

    It runs in torch; tapes take gradients of it, of any order. Graphs and functions
    call it as tf.contrib.eager.py_func does, while they run. The parameters
    of a module become variables, so that optimizers and checkpoints of tf take them
    (`update_module` gives their values back); its buffers stay torch's. Arguments are
    lent without a copy, results are copied.

    Args:
        function: a `torch.nn.Module`, or a function of torch's tensors. name: for
            errors; its own by default.
        copy: whether to copy the arguments, for functions that write to them (as
            `ReLU(inplace=True)` does).
        dtypes: of the results, in their structure; needed in graphs and functions.
    Returns:
        A function of tensors, in lists and dicts too; keywords go through as they are.
    Raises:
        ImportError: torch is not installed. TypeError: `function` is no function.
    Example:
        try:
            import torch
        except ImportError:  # it is no part of twinflow
            pass
        else:
            sine = tf.from_torch(torch.sin)
            sine(tf.constant([0.]))  # [0.0]
    """
    torch_library.required("tf.from_torch")
    if not callable(function):
        raise TypeError(
            f"tf.from_torch expects a module or function of torch, got "
            f"{type(function).__name__}: tensors are made of torch's by tf.from_dlpack."
        )
    return FromTorch(function, name, copy, dtypes)
