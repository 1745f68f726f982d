"""Protocol buffers, made from schemas in one line per message.

    Name: field=number[*]type[/oneof], field=number {key type:value type}, ...
    enum Name: VALUE=number, ...

``*`` marks a repeated field (numbers are packed); the types are those of protocol
buffers, or another message or enum of the schema; a dot puts a name inside a message.
The messages live in a pool of their own, so that a program may import other packages
with the same ones. `protos.txt` holds those of TensorFlow 1.12: see formats.protos.
"""

from pathlib import Path

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    text_format,
    wrappers_pb2,
)
from google.protobuf.internal import enum_type_wrapper

_FIELD = descriptor_pb2.FieldDescriptorProto
_WELL_KNOWN = {
    "google.protobuf.Any": any_pb2.DESCRIPTOR,
    **{
        f"google.protobuf.{kind}Value": wrappers_pb2.DESCRIPTOR
        for kind in ("Int32", "Int64", "String")
    },
}


def messages(schema, package, below=None):
    """The message classes and the enums of a schema by name: see Messages.

    Args:
        schema: the text, see the module. package: the name of the package.
        below: the Messages that this schema uses, and whose classes it shares.
    """
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package}.proto", package=package, syntax="proto3"
    )
    texts = [line for line in schema.strip().replace("\n  ", " ").splitlines() if line]
    parts = sorted(line.partition(":")[::2] for line in texts)
    kinds = {kind: body.strip() for kind, body in parts}  # a body may be empty
    places = {kind: f".{package}.{kind.removeprefix('enum ')}" for kind in kinds}
    pool = descriptor_pool.DescriptorPool() if below is None else below.pool
    for kind, found in _WELL_KNOWN.items():
        if kind in schema and found.name not in file.dependency:
            file.dependency.append(found.name)
            pool.AddSerializedFile(found.serialized_pb)  # again: it stays as it is
    if below is not None:
        file.dependency.append(f"{below.package}.proto")
        places = {**below.places, **places}
    made = {"": file}
    for name in kinds:  # what is around comes first
        if not name.startswith("enum "):
            outer, _, inner = name.rpartition(".")
            inside = made[outer].nested_type if outer else file.message_type
            made[name] = inside.add(name=inner)
    for name, body in kinds.items():
        if name.startswith("enum "):
            _add_enum(made, name[5:], body)
        elif body:
            for field in body.split(", "):
                _add_field(made[name], field, places)
    pool.Add(file)
    return Messages(pool, package, kinds, places)


class Messages(dict):
    """The classes of a schema by name, each made when it is first asked for.

    Attributes:
        names: of all of them. places: the full names of those a schema may use.
    """

    def __init__(self, pool, package, kinds, places):
        super().__init__()
        self.pool, self.package, self.kinds, self.places = pool, package, kinds, places
        self.names = sorted(kind.removeprefix("enum ") for kind in kinds)

    def __missing__(self, name):
        full = f"{self.package}.{name}"
        if name in self.kinds:
            found = self.pool.FindMessageTypeByName(full)
            self[name] = message_factory.GetMessageClass(found)
            self._print_in_order(found)
        elif f"enum {name}" in self.kinds:
            found = self.pool.FindEnumTypeByName(full)
            self[name] = enum_type_wrapper.EnumTypeWrapper(found)
        else:
            raise KeyError(name)
        return self[name]

    def _print_in_order(self, descriptor):
        """Let a message and those in it print their maps by key."""
        message = message_factory.GetMessageClass(descriptor)
        if message.__str__ is not _text:
            message.__str__ = message.__repr__ = _text
            for field in descriptor.fields:
                if field.message_type is not None:
                    self._print_in_order(field.message_type)


def _text(message):
    return text_format.MessageToString(message)


def _add_enum(made, name, body):
    outer, _, inner = name.rpartition(".")
    enum = made[outer].enum_type.add(name=inner)
    for value in body.split(", "):
        text, _, number = value.partition("=")
        enum.value.add(name=text, number=int(number))


def _add_field(message, text, places):
    label, _, kind = text.partition(" ")
    name, _, number = label.partition("=")
    kind, _, oneof = kind.partition("/")
    field = message.field.add(name=name, number=int(number))
    repeated = kind.startswith(("*", "{"))
    field.label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
    if kind.startswith("{"):
        kind = _add_map(message, name, kind, places)
    _set_type(field, kind.removeprefix("*"), places)
    if oneof:
        names = [o.name for o in message.oneof_decl]
        if oneof not in names:
            message.oneof_decl.add(name=oneof)
            names.append(oneof)
        field.oneof_index = names.index(oneof)


def _add_map(message, name, kind, places):
    """The message of the entries of a map; its name, with a mark for `_set_type`."""
    entry = message.nested_type.add(name=name.title().replace("_", "") + "Entry")
    entry.options.map_entry = True
    key, _, value = kind[1:-1].partition(":")
    for number, (part, of) in enumerate((("key", key), ("value", value)), 1):
        field = entry.field.add(name=part, number=number, label=_FIELD.LABEL_OPTIONAL)
        _set_type(field, of, places)
    return f"@{entry.name}"


def _set_type(field, kind, places):
    if kind in places or kind in _WELL_KNOWN:
        field.type = _FIELD.TYPE_MESSAGE
        field.type_name = places.get(kind, f".{kind}")
    elif kind.startswith("@"):  # found among the messages around it
        field.type, field.type_name = _FIELD.TYPE_MESSAGE, kind[1:]
    elif f"enum {kind}" in places:
        field.type, field.type_name = _FIELD.TYPE_ENUM, places[f"enum {kind}"]
    else:
        field.type = getattr(_FIELD, f"TYPE_{kind.upper()}")


tensorflow = messages(
    Path(__file__).with_name("protos.txt").read_text(encoding="ascii"), "tensorflow"
)
