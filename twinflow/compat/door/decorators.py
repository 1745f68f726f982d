"""tensorflow.python.util.tf_decorator: decorators that know what they decorate."""

import contextlib
import functools
import sys


class TFDecorator:
    """A decorator's result, which knows the function inside.

    Args:
        decorator_name: of the decorator. target: the function.
        decorator_doc: what it says of itself. decorator_argspec: its own arguments.
    """

    def __init__(
        self, decorator_name, target, decorator_doc="", decorator_argspec=None
    ):
        self.decorator_name, self.decorated_target = decorator_name, target
        self.decorator_doc, self.decorator_argspec = decorator_doc, decorator_argspec
        if hasattr(target, "__name__"):
            self.__name__ = target.__name__
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None) or ""

    def __get__(self, instance, owner):
        return self.decorated_target.__get__(instance, owner)

    def __call__(self, *args, **kwargs):
        return self.decorated_target(*args, **kwargs)


def make_decorator(
    target, decorator_func, decorator_name=None, decorator_doc="",
    decorator_argspec=None,
):  # fmt: skip
    """The function `decorator_func`, which looks like `target` and knows it.

    Example:
        def function(x): return x
        twice = make_decorator(function, lambda x: 2 * function(x))
        twice.__name__  # "function"
    """
    name = sys._getframe(1).f_code.co_name if decorator_name is None else decorator_name
    inside = TFDecorator(name, target, decorator_doc, decorator_argspec)
    assigned = ("__name__", "__qualname__", "__module__")
    functools.update_wrapper(decorator_func, target, assigned, ())
    decorator_func.__doc__ = inside.__doc__
    decorator_func._tf_decorator = inside
    return decorator_func


def unwrap(maybe_tf_decorator):
    """(the decorators around a function, the function)."""
    decorators, here = [], maybe_tf_decorator
    while True:
        inside = here if isinstance(here, TFDecorator) else None
        inside = inside or getattr(here, "_tf_decorator", None)
        if inside is None:
            return decorators, here
        decorators.append(inside)
        here = inside.decorated_target


def contextmanager(target):
    """As contextlib.contextmanager, as a decorator that knows its function."""
    return make_decorator(target, contextlib.contextmanager(target), "contextmanager")


# ------------------------------------------------------------------ decorator_utils
class classproperty:
    """A property of a class."""

    def __init__(self, func):
        self._func = func

    def __get__(self, owner_self, owner_cls):
        return self._func(owner_cls)


def get_qualified_name(function):
    """The name of a function with that of its class, where it is known."""
    return getattr(function, "__qualname__", function.__name__)


def validate_callable(func, decorator_name):
    """Raise ValueError where a decorator is given something that is no function."""
    if not callable(func):
        raise ValueError(
            f"{func} is not a function. If this is a property, make sure @property "
            f"appears before @{decorator_name} in your source code:\n\n@property\n"
            f"@{decorator_name}\ndef method(...)"
        )


def add_notice_to_docstring(doc, instructions, no_doc_str, suffix_str, notice):
    """A docstring with a notice after its first line.

    Args:
        doc: the docstring, or None; then `no_doc_str` stands for it.
        instructions: the last line of the notice. suffix_str: ends the first line.
        notice: its other lines.
    """
    lines = normalized(doc).splitlines() if doc else [no_doc_str]
    if doc:
        lines[0] += f" {suffix_str}"
    added = ["", *notice, *([instructions] if instructions is not None else [])]
    if len(lines) > 1 and lines[1].strip():
        added.append("")
    return "\n".join([lines[0], *added, *lines[1:]])


def normalized(docstring):
    """A docstring without the indentation that all but its first line share."""
    if not docstring:
        return ""
    first, *rest = docstring.expandtabs().splitlines()
    depths = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    depth = min(depths, default=0)
    lines = [first.strip(), *(line[depth:].rstrip() for line in rest)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)
