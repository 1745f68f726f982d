"""What a distribution says of a method stands in the docstring of the public one."""

import functools
import inspect

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
        if inspect.isfunction(inherited):
            setattr(cls, name, _with_note(inherited, private.__doc__, cls.__name__))


def _with_note(function, note, owner):
    @functools.wraps(function)
    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    text = f"Additional documentation from `{owner}`:\n\n{note.lstrip()}"
    method.__doc__ = f"{function.__doc__.rstrip()}\n\n{text}"
    return method
