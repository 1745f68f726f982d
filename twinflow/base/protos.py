"""TensorFlow's protocol buffers, made from a schema in one line per message.

    Name: field=number[*]type, ...

``*`` marks a repeated field (numbers are packed); the types are those of protocol
buffers, or another message of the schema. The messages live in a pool of their own, so
that a program may import other packages with the same ones.
"""

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_SCHEMA = """
TensorShapeProto.Dim: size=1 int64, name=2 string
TensorShapeProto: dim=2 *TensorShapeProto.Dim, unknown_rank=3 bool
TensorProto: dtype=1 int32, tensor_shape=2 TensorShapeProto, version_number=3 int32,
  tensor_content=4 bytes, float_val=5 *float, double_val=6 *double, int_val=7 *int32,
  string_val=8 *bytes, scomplex_val=9 *float, int64_val=10 *int64, bool_val=11 *bool,
  dcomplex_val=12 *double, half_val=13 *int32, uint32_val=16 *uint32,
  uint64_val=17 *uint64
"""
_FIELD = descriptor_pb2.FieldDescriptorProto


def messages(schema, package):
    """The message classes of a schema by name.

    Args:
        schema: the text, see the module. package: the name of the package.
    """
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package}.proto", package=package, syntax="proto3"
    )
    texts = [line for line in schema.strip().replace("\n  ", " ").splitlines() if line]
    names = [line.partition(":")[0] for line in texts]
    made: dict = {}
    for name, line in sorted(zip(names, texts)):  # what is around comes first
        outer, _, inner = name.rpartition(".")
        made[name] = message = (
            made[outer].nested_type.add(name=inner) if outer
            else file.message_type.add(name=name)
        )  # fmt: skip
        for field in line.partition(":")[2].split(","):
            _add_field(message, field.strip(), names, package)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    find = pool.FindMessageTypeByName
    return {
        name: message_factory.GetMessageClass(find(f"{package}.{name}"))
        for name in names
    }


def _add_field(message, text, names, package):
    label, kind = text.split(" ")
    name, number = label.split("=")
    field = message.field.add(name=name, number=int(number))
    repeated = kind.startswith("*")
    kind = kind.removeprefix("*")
    field.label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
    if kind in names:
        field.type, field.type_name = _FIELD.TYPE_MESSAGE, f".{package}.{kind}"
    else:
        field.type = getattr(_FIELD, f"TYPE_{kind.upper()}")


_made = messages(_SCHEMA, "tensorflow")
TensorShapeProto = _made["TensorShapeProto"]
TensorProto = _made["TensorProto"]
