"""What a distribution says of a method stands in the docstring of the public one."""

import types

PUBLIC = (
    "batch_shape_tensor", "batch_shape", "event_shape_tensor", "event_shape", "sample",
    "log_prob", "prob", "log_cdf", "cdf", "log_survival_function", "survival_function",
    "entropy", "mean", "quantile", "variance", "stddev", "covariance", "mode",
    "kl_divergence", "cross_entropy",
)  # fmt: skip


def document(cls):
    """Give a class copies of the methods of which its private ones say something."""
    own = vars(cls)
    for name in PUBLIC:
        private = own.get(f"_{name}")
        inherited = getattr(cls, name)
        if name in own or not getattr(private, "__doc__", None):
            continue
        if isinstance(inherited, types.FunctionType):
            setattr(cls, name, _with_note(inherited, private.__doc__, cls.__name__))


def _with_note(function, note, owner):
    copy = types.FunctionType(
        function.__code__, function.__globals__, function.__name__,
        function.__defaults__, function.__closure__,
    )  # fmt: skip
    copy.__dict__.update(function.__dict__)
    copy.__kwdefaults__, copy.__annotations__ = (
        function.__kwdefaults__, dict(function.__annotations__),
    )  # fmt: skip
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    text = f"Additional documentation from `{owner}`:\n\n{note.lstrip()}"
    copy.__doc__ = f"{function.__doc__.rstrip()}\n\n{text}"
    return copy
