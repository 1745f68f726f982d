"""Modules that protoc before 3.19 has generated, which today's protobuf refuses.

Such a module holds the file's descriptor as bytes, and statements which build the same
once more. The bytes say it all: messages are made of them.
"""

import ast
import importlib.abc
import importlib.machinery
import pkgutil
import tokenize

_OLD = ("_descriptor.FieldDescriptor(", "_descriptor.EnumValueDescriptor(")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands first, and finds nothing but such modules."""

    def find_spec(self, name, path=None, target=None):
        if not name.endswith("_pb2") or name.startswith("google.protobuf."):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or not (spec.origin or "").endswith(".py"):
            return None
        with tokenize.open(spec.origin) as file:
            text = file.read()
        if "serialized_pb=" not in text or not any(old in text for old in _OLD):
            return None
        spec.loader = self
        return spec

    def exec_module(self, module):
        with tokenize.open(module.__spec__.origin) as file:
            tree = ast.parse(file.read(), module.__spec__.origin)
        imports = [s for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
        imports = [s for s in imports if getattr(s, "module", "") != "__future__"]
        names = vars(module)
        code = ast.Module(imports, [])
        exec(compile(code, module.__spec__.origin, "exec", dont_inherit=True), names)
        _build(_serialized(tree), module.__name__, names)


def _serialized(tree):
    """The bytes of the FileDescriptorProto that a generated module holds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "serialized_pb":
            value = node.value
            if isinstance(value, ast.Call):  # _b('...')
                value = value.args[0]
            data = ast.literal_eval(value)
            return data.encode("latin1") if isinstance(data, str) else data
    raise ImportError("This module of protocol buffers has no descriptor.")


def _build(data, name, names):
    """Put messages and enums under their names."""
    builder = pkgutil.resolve_name("google.protobuf.internal.builder")
    pool = pkgutil.resolve_name("google.protobuf.descriptor_pool").Default()
    names["DESCRIPTOR"] = file = pool.AddSerializedFile(data)
    builder.BuildMessageAndEnumDescriptors(file, names)
    builder.BuildTopDescriptorsAndMessages(file, name, names)


FINDER = Finder()
