"""What TensorFlow's test files take from test_util, googletest and tf_inspect."""

import contextlib
import functools
import inspect
import pkgutil

from twinflow.graph.defaults import enable_eager_execution


def unchanged(function=None, *args, **kwargs):
    """A decorator that leaves tests as they are, with or without arguments."""
    return function if callable(function) else unchanged


def left_out(reason="not for twinflow"):
    """A decorator of tests for parts that twinflow does not have two versions of."""
    return lambda function: function


def is_false(*args, **kwargs):
    """No: twinflow has no kernels of this kind."""
    return False


def no_device(*args, **kwargs):
    """A block without a device of its own."""
    return contextlib.nullcontext()


def nothing(*args, **kwargs):
    """There is nothing to do."""


def eager_main(argv=None):
    """Run the tests of the program eagerly."""
    enable_eager_execution()
    pkgutil.resolve_name("twinflow.test:main")(argv)


def skip_if(condition):
    """A decorator: the test runs only where `condition` (or its result) is false."""

    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            if not (condition() if callable(condition) else condition):
                function(*args, **kwargs)

        return wrapped

    return decorate


def nhwc_to_nchw(shape):
    """A shape of 4 or 5 sizes with the channels moved behind the batch."""
    return [shape[0], shape[-1], *shape[1:-1]]


def nchw_to_nhwc(shape):
    """A shape of 4 or 5 sizes with the channels moved to the end."""
    return [shape[0], *shape[2:], shape[1]]


def getargspec(function):
    """The arguments of a function, as Python 2 had them."""
    full = inspect.getfullargspec(function)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


class ArgSpec(tuple):
    """(args, varargs, keywords, defaults), by name too."""

    __slots__ = ()

    def __new__(cls, *parts):
        return super().__new__(cls, parts)

    args = property(lambda self: self[0])
    varargs = property(lambda self: self[1])
    keywords = property(lambda self: self[2])
    defaults = property(lambda self: self[3])
