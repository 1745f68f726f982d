"""Which calls are known to fit their op: shape rules run once per shapes.

A shape rule reads shapes and dtypes of tensors, host values and attributes. Here it is
asked with stand-ins that have nothing else; what it has accepted is remembered. An op
whose rule wants more than that is asked with the tensors themselves, each time.
"""

from typing import Any

import numpy as np

from twinflow.base.dtypes import DType
from twinflow.base.op import InferError, Op
from twinflow.eager.tensor import EagerTensor

_MOST = 4096  # calls that are remembered
_known: set[tuple] = set()
_others: set[Op] = set()  # ops whose rule wants more than shapes


class _Shaped:
    """What a shape rule may know of a tensor."""

    __slots__ = ("_shape", "dtype")

    def __init__(self, shape: tuple[int, ...], dtype: DType) -> None:
        self._shape, self.dtype = shape, dtype


def fits(op: Op, args: Any, attrs: dict) -> bool:
    """Whether a call is known to fit; False: the rule has to be asked.

    Args:
        op: the Op. args: eager tensors (lists of them) and host values. attrs: all.
    """
    if op in _others:
        return False
    key: list = [op, *attrs.values()]
    for a in args:
        kind = type(a)
        if kind is EagerTensor:
            key.append(a._a.shape)
            key.append(a.dtype)
        elif kind is int:
            key.append(a)
        elif kind is list or kind is tuple:
            key.append(None)
            for v in a:
                if type(v) is EagerTensor:
                    key.append(v._a.shape)
                    key.append(v.dtype)
                elif type(v) is int:
                    key.append(v)
                elif type(v) in (list, tuple) and {int}.issuperset(map(type, v)):
                    key.append(tuple(v))
                else:
                    return False
            key.append(kind)
        elif kind is np.ndarray and a.size <= 16 and a.dtype != object:
            key.append((a.shape, a.dtype.char, a.tobytes()))
        else:
            return False
    try:
        whole = tuple(key)
        return whole in _known or _asked(op, args, attrs, whole)
    except TypeError:  # an attribute that has no hash
        return False


def _asked(op: Op, args: Any, attrs: dict, key: tuple) -> bool:
    infer: Any = op.infer
    try:
        infer(*map(_stand_in, args), **attrs)
    except InferError:
        return False
    except (
        Exception
    ):  # of whatever kind: it wants more than shapes, or the call is wrong
        _others.add(op)
        return False
    if len(_known) >= _MOST:
        _known.clear()
    _known.add(key)
    return True


def _stand_in(value: Any) -> Any:
    if type(value) is EagerTensor:
        return _Shaped(value._a.shape, value.dtype)
    if type(value) is list and value and type(value[0]) is EagerTensor:
        return [_stand_in(v) for v in value]
    return value
