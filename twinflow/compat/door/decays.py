"""Decays of learning rates that are functions in both modes."""

import functools
import inspect

from twinflow.train import learning_rate_decay


def _later(function):
    """`function`, whose result is a function of no arguments."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def make(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        if given.arguments.get("global_step", 0) is None:
            return function(*args, **kwargs)  # says that it is missing

        def rate():
            found = function(*args, **kwargs)
            return found() if callable(found) else found

        return rate

    return make


exponential_decay = _later(learning_rate_decay.exponential_decay)
piecewise_constant = _later(learning_rate_decay.piecewise_constant)
polynomial_decay = _later(learning_rate_decay.polynomial_decay)
natural_exp_decay = _later(learning_rate_decay.natural_exp_decay)
inverse_time_decay = _later(learning_rate_decay.inverse_time_decay)
cosine_decay = _later(learning_rate_decay.cosine_decay)
cosine_decay_restarts = _later(learning_rate_decay.cosine_decay_restarts)
linear_cosine_decay = _later(learning_rate_decay.linear_cosine_decay)
noisy_linear_cosine_decay = _later(learning_rate_decay.noisy_linear_cosine_decay)
