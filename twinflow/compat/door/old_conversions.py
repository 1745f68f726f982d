"""int(a) and float(a) of arrays with one element and any rank, which NumPy 2.4 refuses.

A class written in C answers them by slots of its type, which Python cannot set: so the
slots of numpy.ndarray are changed in memory, where NumPy refuses, and put back later.
"""

import ctypes
import sys

import numpy as np

_WORD = ctypes.sizeof(ctypes.c_void_p)
_AS_NUMBER = 12 * _WORD  # of PyTypeObject: tp_as_number
_INT, _FLOAT = 16 * _WORD, 18 * _WORD  # of PyNumberMethods
_FUNCTION = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)
_SLOT_IDS = {_INT: 26, _FLOAT: 11}  # Py_nb_int, Py_nb_float of PyType_GetSlot

# What a function of a slot gives in place of an error, which Python says by the name.
_Refused = type("only size-1 arrays can be converted to Python scalars", (), {})


def restore():
    """Let arrays with one element be numbers.

    Returns:
        A function that undoes it.
    """
    places = {slot: _place(slot) for slot in (_INT, _FLOAT)}
    if _converts() or None in places.values():
        return lambda: None
    kept = [_FUNCTION(_converter(kind)) for kind in (int, float)]
    before = {slot: place.value for slot, place in places.items()}
    for place, function in zip(places.values(), kept, strict=True):
        place.value = ctypes.cast(function, ctypes.c_void_p).value
    _KEPT.extend(kept)

    def undo():
        for slot, place in places.items():
            place.value = before[slot]

    return undo


_KEPT: list = []  # what a slot has pointed to must live on


def _converts():
    """Whether NumPy does so by itself."""
    try:
        return float(np.ones(1)) == 1.0
    except TypeError:
        return False


def _place(slot):
    """Where a slot of numpy.ndarray is in memory; None: Python has it elsewhere."""
    if sys.implementation.name != "cpython" or _WORD != 8:
        return None
    numbers = ctypes.c_void_p.from_address(id(np.ndarray) + _AS_NUMBER).value
    known = ctypes.pythonapi.PyType_GetSlot
    known.restype, known.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_int]
    place = ctypes.c_void_p.from_address(numbers + slot) if numbers else None
    same = place and place.value == known(np.ndarray, _SLOT_IDS[slot])
    return place if same else None


def _converter(kind):
    def convert(array):
        try:
            return kind(array.item())
        except Exception:  # the caller raises TypeError for this
            return _Refused()

    return convert
