"""tensorflow.contrib.framework: functions that say that they may change."""

import functools

from twinflow.base import logging
from twinflow.compat.door.decorators import (
    add_notice_to_docstring,
    get_qualified_name,
    make_decorator,
    validate_callable,
)


def experimental(func):
    """A decorator of functions that may change: each call gives a warning."""
    validate_callable(func, "experimental")

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        logging.warning(
            "%s (from %s) is experimental and may change or be removed at any time, "
            "and without warning.",
            get_qualified_name(func), func.__module__,
        )  # fmt: skip
        return func(*args, **kwargs)

    doc = add_notice_to_docstring(
        func.__doc__, "", "EXPERIMENTAL FUNCTION", "(experimental)",
        [
            "THIS FUNCTION IS EXPERIMENTAL. It may change or be removed at any time, "
            "and without warning.",
        ],
    )  # fmt: skip
    return make_decorator(func, wrapped, "experimental", doc)
