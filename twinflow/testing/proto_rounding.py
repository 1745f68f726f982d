"""Protocol buffers as TestCase compares them: with numbers of some decimal places."""

import copy
from typing import Any

_PLACES = {"float": 6, "double": 7}


def rounded(message: Any) -> Any:
    """A copy whose floats are rounded to 6 places, and doubles to 7."""
    out = copy.deepcopy(message)
    _round(out)
    return out


def _round(message):
    for field, value in message.ListFields():
        places = _PLACES.get(_kind(field))
        if field.message_type is not None:
            for part in _messages(field, value):
                _round(part)
        elif places and isinstance(value, float):
            setattr(message, field.name, round(value, places))
        elif places:
            value[:] = [round(x, places) for x in value]


def _kind(field):
    kinds = {field.CPPTYPE_FLOAT: "float", field.CPPTYPE_DOUBLE: "double"}
    return kinds.get(field.cpp_type)


def _messages(field, value):
    """The messages of a field; of a map those of its values."""
    if hasattr(value, "ListFields"):
        return [value]
    if not field.message_type.GetOptions().map_entry:
        return value
    inner = field.message_type.fields_by_name["value"]
    return value.values() if inner.message_type is not None else []
