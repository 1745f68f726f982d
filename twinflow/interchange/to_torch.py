"""tf.to_torch: functions of tensors as functions of torch."""

from collections.abc import Callable
from typing import Any

from twinflow.autodiff.tape import GradientTape
from twinflow.base import nest
from twinflow.base.dispatch import entered
from twinflow.eager.mode import MODE
from twinflow.interchange import torch_library
from twinflow.interchange.torch_library import given, taken, torch
from twinflow.ops.core import array
from twinflow.ops.core.constant import convert_to_tensor


class ToTorch:
    """What `to_torch` returns: a function of torch.

    Attributes:
        function: the function of tensors.
    """

    def __init__(self, function: Callable, name: str | None = None) -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", type(function).__name__)

    def __call__(self, *args: Any) -> Any:
        found: dict = {}

        def run(tensors: list) -> list:
            result = self.function(*nest.pack_sequence_as(list(args), tensors))
            found["like"] = nest.map_structure(lambda y: None, result)
            return nest.flatten(result)

        ys = _applied(run, nest.flatten(list(args)))
        like = found["like"]
        return nest.pack_sequence_as(like, ys) if nest.is_sequence(like) else ys[0]

    def __repr__(self) -> str:
        return f"<tf.to_torch of {self.name}>"


def _applied(run: Callable, args: list) -> list:
    return list(_bridge().apply(run, *[torch.as_tensor(a) for a in args]))


_made: list = []


def _bridge() -> Any:
    """The torch.autograd.Function, made once where there is a torch."""
    if not _made:
        _made.append(type("Twinflow", (torch.autograd.Function,), {
            "forward": staticmethod(_forward), "backward": staticmethod(_backward),
        }))  # fmt: skip
    return _made[0]


def _forward(ctx: Any, run: Callable, *args: Any) -> tuple:
    with entered(MODE), GradientTape(persistent=True) as tape:
        xs = [taken(a) for a in args]
        floats = [x for x in xs if x.dtype.is_inexact]
        for x in floats:
            tape.watch(x)
        ys = [convert_to_tensor(y) for y in run(xs)]
    ctx.run, ctx.kept = run, (tape, xs, ys)
    ctx.save_for_backward(*args)
    outs = tuple(given(y) for y in ys)
    ctx.mark_non_differentiable(*[o for o in outs if not _has_slope(o)])
    return outs


def _backward(ctx: Any, *dys: Any) -> tuple:
    """By the tape of the way there; where torch wants to differentiate it, anew."""
    tape, xs, ys = ctx.kept
    floats = [x for x in xs if x.dtype.is_inexact]
    places = [i for i, y in enumerate(ys) if y.dtype.is_inexact]
    wanted = [dys[i] for i in places]
    if torch.is_grad_enabled():
        back = _Back(ctx.run, len(xs))
        slopes = _applied(back, [*ctx.saved_tensors, *wanted])
    else:
        with entered(MODE):
            incoming = [taken(d) for d in wanted]
            found = _slopes(tape, [ys[i] for i in places], floats, incoming)
            slopes = [given(d) for d in found]
    each = iter(slopes)
    return (None, *[next(each) if x.dtype.is_inexact else None for x in xs])


class _Back:
    """The gradient as a function of (arguments, gradients of the results)."""

    def __init__(self, run: Callable, count: int) -> None:
        self.run, self.count = run, count

    def __call__(self, tensors: list) -> list:
        xs, dys = tensors[: self.count], tensors[self.count :]
        floats = [x for x in xs if x.dtype.is_inexact]
        with GradientTape() as tape:
            for x in floats:
                tape.watch(x)
            ys = [convert_to_tensor(y) for y in self.run(xs)]
        return _slopes(tape, [y for y in ys if y.dtype.is_inexact], floats, dys)


def _slopes(tape: GradientTape, ys: list, xs: list, dys: list) -> list:
    found = tape.gradient(ys, xs, dys)
    return [
        array.zeros_like(x) if d is None else convert_to_tensor(d)
        for x, d in zip(xs, found, strict=True)
    ]


def _has_slope(y: Any) -> bool:
    return y.is_floating_point() or y.is_complex()


def to_torch(function: Callable[..., Any], name: str | None = None) -> ToTorch:
    """Make a function of tensors one of torch's tensors.

    It runs here, eagerly or compiled as `function` says; `backward` and
    `torch.autograd.grad` go through it, to any order. Variables that it reads are
    constants for torch: give as arguments what torch is to train. Arguments and results
    are copied, so that either side may write to its own.

    Args:
        function: a function of tensors, and of lists and dicts of them. name: for
            errors.
    Returns:
        A function of torch's tensors.
    Raises:
        ImportError: torch is not installed. TypeError: `function` is no function.
    Example:
        try:
            import torch
        except ImportError:  # it is no part of twinflow
            pass
        else:
            square = tf.to_torch(lambda x: x * x)
            x = torch.tensor([3.], requires_grad=True)
            square(x).sum().backward()
            x.grad.tolist()  # [6.0]
    """
    torch_library.required("tf.to_torch")
    if not callable(function):
        raise TypeError(
            f"tf.to_torch expects a function of tensors, got {type(function).__name__}."
        )
    return ToTorch(function, name)
