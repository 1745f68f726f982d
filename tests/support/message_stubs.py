"""The stubs of protocol buffers: messages are made when a program runs.

The module that makes public messages gets a .pyi beside it; what it holds besides is
Any there.
"""

import keyword
import pkgutil
import re

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from twinflow.formats import protos

_WORDS = {  # of Python, for the kinds of numbers and texts in messages
    FieldDescriptor.CPPTYPE_FLOAT: "float", FieldDescriptor.CPPTYPE_DOUBLE: "float",
    FieldDescriptor.CPPTYPE_BOOL: "bool", FieldDescriptor.CPPTYPE_STRING: "str",
    FieldDescriptor.CPPTYPE_MESSAGE: "Any",
}  # fmt: skip
_HEAD = """\
# Made by `make stubs` from the descriptors of the messages.
from typing import Any
from twinflow.formats.messages import Message

def __getattr__(name: str) -> Any: ...
"""


def is_message(value):
    return isinstance(value, type) and issubclass(value, Message)


def homes(tables):
    """{module: names of public messages in it}, from the tables of the indexes."""
    found = {}
    for table in tables:
        for home, attribute in table.values():
            value = attribute != "*" and getattr(pkgutil.resolve_name(home), attribute)
            if is_message(value):
                found.setdefault(_maker(home, value), set()).add(attribute)
    return found


def _maker(home, message):
    """The module that makes a message: of a name that is only passed on, protos."""
    shared = getattr(protos, message.DESCRIPTOR.name, None) is message
    return protos.__name__ if shared else home


def stub(home, names):
    """The text of the stub of a module that makes messages."""
    module = pkgutil.resolve_name(home)
    return _HEAD + "".join(
        _class(name, getattr(module, name).DESCRIPTOR, names) for name in sorted(names)
    )


def _class(name, message, names):
    fields = [f for f in message.fields if not keyword.iskeyword(f.name)]
    types = {f.name: _type(f, names) for f in fields}
    given = ", ".join(f"{n}: {_argument(t)} = ..." for n, t in types.items())
    lines = [f"{n}: {t}" for n, t in types.items()]
    lines += [f"{v.name}: int" for e in message.enum_types for v in e.values]
    lines += [f"{n.name}: Any" for n in message.nested_types]
    star = ", *, " if given else ""
    lines.append(f"def __init__(self{star}{given}) -> None: ...")
    body = "\n".join(f"    {line}" for line in lines)
    return f"\nclass {name}(Message):\n{body}\n"


def _type(field, names):
    """What reading a field gives: repeated ones and maps hold many."""
    if field.is_repeated:
        return "Any"
    if field.message_type is not None and field.message_type.name in names:
        return field.message_type.name
    if field.type == FieldDescriptor.TYPE_BYTES:
        return "bytes"
    return _WORDS.get(field.cpp_type, "int")


def _argument(kind):
    """What a constructor takes for a field: dicts stand for messages too."""
    message = re.fullmatch(r"[A-Z]\w+", kind) and kind != "Any"
    return f"{kind} | dict[str, Any] | None" if message else f"{kind} | None"
