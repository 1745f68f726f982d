"""tensorflow.python.util.tf_inspect: inspect, which looks into decorators."""

import functools
import inspect
from collections import namedtuple

from twinflow.compat.door.decorators import unwrap

ArgSpec = namedtuple("ArgSpec", "args varargs keywords defaults")
FullArgSpec = inspect.FullArgSpec


def getargspec(obj):
    """The ArgSpec of a function, class, partial or callable object.

    Raises:
        ValueError: an argument without a default comes after one that has one.
    """
    if isinstance(obj, functools.partial):
        return _of_partial(obj)
    decorators, target = unwrap(obj)
    for decorator in decorators:
        if decorator.decorator_argspec is not None:
            return decorator.decorator_argspec
    return _plain(target)


def _plain(target):
    if isinstance(target, type):
        target = target.__init__
    elif not inspect.isroutine(target) and callable(target):
        target = type(target).__call__
    spec = inspect.getfullargspec(inspect.unwrap(target, stop=_has_signature))
    names = spec.args
    return ArgSpec(names, spec.varargs, spec.varkw, spec.defaults)


def _has_signature(function):
    return hasattr(function, "__signature__")


def _of_partial(partial):
    spec, count = getargspec(partial.func), len(partial.args)
    names, given = list(spec.args), dict(partial.keywords)
    own = list(spec.defaults or ())
    defaults = dict(zip(names[len(names) - len(own) :], own, strict=True))
    defaults |= {n: v for n, v in given.items() if n in names}
    left = names[count:]
    first = next((i for i, n in enumerate(left) if n in defaults), len(left))
    bare = [n for n in left[first:] if n not in defaults]
    if bare:
        raise ValueError(
            f"Some arguments {bare} do not have default value, but they are positioned "
            "after those with default values. This can not be expressed with ArgSpec."
        )
    values = tuple(defaults[n] for n in left[first:]) or None
    return ArgSpec(left, spec.varargs, spec.keywords, values)


def getfullargspec(obj):
    """The FullArgSpec of a function; see `getargspec`."""
    decorators, target = unwrap(obj)
    for decorator in decorators:
        found = decorator.decorator_argspec
        if isinstance(found, FullArgSpec):
            return found
        if found is not None:
            return FullArgSpec(*found, [], None, {})
    return inspect.getfullargspec(target)


def getcallargs(func, *positional, **named):
    """{name: value} of the arguments of a call, with defaults."""
    spec = getfullargspec(func)
    given = dict(named)
    bound = getattr(func, "__self__", None)
    if bound is not None and spec.args and len(positional) < len(spec.args):
        positional = (bound, *positional)
    given.update(zip(spec.args, positional, strict=False))
    own = spec.defaults or ()
    for name, value in zip(spec.args[len(spec.args) - len(own) :], own, strict=True):
        given.setdefault(name, value)
    return given


def _through(look):
    @functools.wraps(look)
    def found(obj):
        return look(unwrap(obj)[1])

    return found


getfile, getsource = _through(inspect.getfile), _through(inspect.getsource)
getsourcefile = _through(inspect.getsourcefile)
getsourcelines = _through(inspect.getsourcelines)
isbuiltin, isclass = _through(inspect.isbuiltin), _through(inspect.isclass)
isfunction, isframe = _through(inspect.isfunction), _through(inspect.isframe)
isgenerator, ismethod = _through(inspect.isgenerator), _through(inspect.ismethod)
ismodule, isroutine = _through(inspect.ismodule), _through(inspect.isroutine)
