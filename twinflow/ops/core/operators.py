"""What ``+``, ``[]`` and their kin mean on tensors and on variables."""

from typing import Any

from twinflow.base import dispatch, factory
from twinflow.base.errors import with_notes_of
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.ops.core import compare, division, elementwise, slicing
from twinflow.ops.core.product import product

_plain_mul = factory.slow_path(elementwise.Mul)


def _any_mul(fast, inputs, name):
    """A sparse tensor beside a dense one does this itself."""
    if isinstance(inputs[1], Composite) and not isinstance(inputs[1], TensorLike):
        return NotImplemented
    return _plain_mul(fast, inputs, name)


def _delegating(name, otherwise=None):
    """How an operator dispatches: in a graph, what converts to no tensor may know more.

    Args:
        name: of the operator. otherwise: what dispatches; the op by default.
    """

    def tried(fast, inputs, node_name):
        try:
            if otherwise is not None:
                return otherwise(fast, inputs, node_name)
            return dispatch.apply(fast.facts[1], inputs, None, node_name)
        except TypeError as error:
            known = isinstance(inputs[1], Tensor | TensorLike | Composite)
            if known or dispatch.current_mode().eager:
                raise
            if not hasattr(type(inputs[1]), f"__r{name}__"):
                raise
            if type(inputs[1]) in _NUMBERS and name in _SIGNS:
                raise _no_operator(error, name, inputs[1]) from None
            return NotImplemented

    return tried


_NUMBERS = (int, float, complex)
_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "mod": "%", "pow": "** or pow()",
    "truediv": "/", "floordiv": "//",
}  # fmt: skip


def _no_operator(error, name, other):
    """What Python says of an operator that neither side knows, and why it is so."""
    kind = type(other).__name__
    text = f"unsupported operand type(s) for {_SIGNS[name]}: 'Tensor' and {kind!r}"
    found = TypeError(text)
    found.add_note(str(error))
    return with_notes_of(error, found)


def _operator(function, name, slow=None):
    usual = function.facts[4]
    return factory.operator(function, name, slow=_delegating(name, slow or usual))


def _xor(x, y):
    with dispatch.current_mode().name_scope("xor") as scope:
        return compare.logical_xor(x, y, scope)


def _reflected(function):
    def reflected(y, x):
        return function(x, y)

    return reflected


# Each is a public function; most have a name of their own in graphs.
_BINARY = {
    "add": _operator(elementwise.add, "add"),
    "sub": _operator(elementwise.subtract, "sub"),
    "mul": _operator(elementwise.multiply, "mul", slow=_any_mul),
    "truediv": division.truediv,
    "div": division.div,
    "floordiv": division.floordiv,
    "mod": _operator(division.floormod, "mod"),
    "pow": _operator(elementwise.pow, "pow"),
    "matmul": _operator(product, "matmul"),
    "and": _operator(compare.logical_and, "and"),
    "or": _operator(compare.logical_or, "or"),
    "xor": _xor,
}

_OTHERS = {
    "__lt__": compare.less,
    "__le__": compare.less_equal,
    "__gt__": compare.greater,
    "__ge__": compare.greater_equal,
    "__neg__": elementwise.negative,
    "__abs__": elementwise.abs,
    "__invert__": compare.logical_not,
    "__getitem__": slicing.getitem,
}

METHODS = {
    **{f"__{name}__": function for name, function in _BINARY.items()},
    **{f"__r{name}__": _reflected(function) for name, function in _BINARY.items()},
    **_OTHERS,
}


def install(cls):
    """Give a class the operators of tensors; ``==`` stays identity.

    Args:
        cls: a class whose objects convert to tensors.
    Returns:
        The class.
    """
    for name, method in METHODS.items():
        setattr(cls, name, method)
    return cls


install(Tensor)


def install_on_value(cls):
    """Give a class of variables the operators of their values.

    Args:
        cls: a class whose objects have ``_as_tensor()``.
    """
    for name, method in METHODS.items():
        setattr(cls, name, _on_value(name, method))


def _on_value(name, method):
    def operator(self: Any, *others: Any) -> Tensor:
        return method(self._as_tensor(), *others)

    operator.__name__ = operator.__qualname__ = name
    return operator


_IN_PLACE = {
    "__iadd__": ("+", "variable.assign_add(value)"),
    "__isub__": ("-", "variable.assign_sub(value)"),
    "__imul__": ("*", None),
    "__itruediv__": ("/", None),
    "__ifloordiv__": ("//", None),
    "__ipow__": ("**", None),
}


def refuse_in_place(cls):
    """Let `variable += value` say what to write in its place, in eager mode."""
    for name, (sign, method) in _IN_PLACE.items():
        setattr(cls, name, _refusal(sign, method))


def _refusal(sign, method):
    def refuse(self, other):
        if self.graph is not None:
            return NotImplemented  # rebinds the name to a tensor
        if method is None:
            text = (
                f"Use `var.assign(var {sign} value)` to modify the variable or "
                f"`var = var {sign} value` to get a new Tensor object."
            )
        else:
            text = (
                f"Use {method} to modify the variable value and variable = variable "
                f"{sign} value to get a new Tensor object."
            )
        raise RuntimeError(f"Variable {sign}= value not supported. {text}")

    return refuse
