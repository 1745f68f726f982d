"""Whether a change that TensorFlow announced for a day has come.

This is the program's way to ask "may I rely on what the version of that day can do?";
the calendar stands at TensorFlow 1.12.
"""

import contextlib
import datetime

_horizon = [datetime.date(2018, 10, 1)]


def forward_compatible(year, month, day):
    """Whether programs may rely on what came on this day.

    Example:
        tf.compat.forward_compatible(2018, 1, 1)  # True
    """
    return _horizon[-1] > datetime.date(year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year, month, day):
    """A block in which the calendar stands at another day, for tests."""
    _horizon.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizon.pop()
