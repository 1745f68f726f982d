"""What tensorflow.python.autograph.pyct and .core had: trees, texts and names.

The analyses are malt's (twinflow.autograph.transpiler); here are the forms of 2018.
"""

import ast
import importlib.util
import inspect
import os
import sys
import tempfile
import textwrap
import types
from typing import Any

from twinflow.autograph.transpiler import ast_util, inspect_utils
from twinflow.compat.door import resolve

COMPILED_IMPORT_STATEMENTS = (
    "from __future__ import print_function",
    "import tensorflow as tf",
)
PYTHON_LITERALS = {"None": None, "False": False, "True": True, "float": float}
DEFAULT_UNCOMPILED_MODULES = {("tensorflow",), (__name__.partition(".")[0],)}
NO_SIDE_EFFECT_CONSTRUCTORS = {"tensorflow"}


# ---------------------------------------------------------------- trees and texts
def parse_str(src):
    """A text as a module's tree."""
    return ast.parse(textwrap.dedent(src))


def parse_expression(src):
    """A text as the tree of one expression.

    Raises:
        ValueError: it is something else.
    """
    body = parse_str(src.strip()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise ValueError(f"Expected a single expression, found instead {body}")
    return body[0].value


def parse_entity(entity):
    """(the tree, the text) of a function or class.

    Raises:
        ValueError: it is a lambda among others on its line.
    """
    text = textwrap.dedent(inspect.getsource(entity))
    try:
        return parse_str(text), text
    except SyntaxError as error:
        raise ValueError(f"Failed to parse source code of {entity}: {error}") from None


def ast_to_source(node, indentation="  "):
    """The text of a tree, or of a list of trees."""
    nodes = node if isinstance(node, tuple | list) else [node]
    return "\n".join(ast.unparse(ast.fix_missing_locations(n)) for n in nodes)


def ast_to_object(nodes, indentation="  ", include_source_map=False,
                  source_prefix=None, delete_on_exit=True):  # fmt: skip
    """(a module made from trees, its text)."""
    text = ast_to_source(nodes)
    if source_prefix:
        text = f"{source_prefix}\n{text}"
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(text)
    name = os.path.basename(file.name[:-3])
    spec = importlib.util.spec_from_file_location(name, file.name)
    module: Any = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        if delete_on_exit:
            os.remove(file.name)
    sys.modules[name] = module
    if include_source_map:
        module.ag_source_map__ = {}
    return module, text


def matches(node, pattern):
    """Whether a tree has the form of another, in which `_` stands for anything."""
    if isinstance(pattern, str):
        pattern = parse_expression(pattern)
    return ast_util.matches(node, pattern)


def isbuiltin(f):
    """Whether a function is one of Python's."""
    return inspect_utils.isbuiltin(f)


def fake_tf():
    """A module with what math_ops and ops have, for tests of converted code."""
    module: Any = types.ModuleType("tensorflow")

    def find(name):
        for path in ("python.ops.math_ops", "python.framework.ops"):
            found = resolve.attribute(path, name, None)
            if found is not None:
                return found
        raise AttributeError(name)

    module.__getattr__ = find
    return module


# ---------------------------------------------------------------- names
class Namer:
    """Names for converted functions and their variables, each once.

    Args:
        global_namespace: names that are taken. recursive: whether what is called is
            converted too. name_map: from functions to names that they have already.
    """

    def __init__(self, global_namespace, recursive, name_map, partial_types):
        self.global_namespace, self.recursive = global_namespace, recursive
        self.renamed_calls = dict(name_map or {})
        self.generated_names = set()
        self.partial_types = partial_types

    def compiled_class_name(self, original_fqn, live_entity=None):
        """The name of a converted class."""
        name = "Tf" + "_".join(_parts(original_fqn))
        return self._kept(name, live_entity)

    def compiled_function_name(self, original_fqn, live_entity=None, owner_type=None):
        """(the name of a converted function, whether it is another)."""
        if not self.recursive:
            return None, False
        if owner_type is not None and owner_type not in (self.partial_types or ()):
            return None, False
        parts = _parts(original_fqn)
        return self._kept("tf__" + "__".join(parts), live_entity), True

    def _kept(self, name, entity):
        found = self.renamed_calls.get(entity) if entity is not None else None
        if found is None:
            found = self._free(name, self.global_namespace)
            if entity is not None:
                self.renamed_calls[entity] = found
            self.generated_names.add(found)
        return found

    def _free(self, name, *taken):
        found, n = name, 0
        while any(found in t for t in taken):
            n += 1
            found = f"{name}_{n}"
        return found

    def new_symbol(self, name_root, reserved_locals):
        """A name that nothing has."""
        reserved = {str(s) for s in reserved_locals}
        name, _, last = name_root.rpartition("_")
        name = name if last.isdigit() and name else name_root
        found, n = name_root, 0
        taken = (self.global_namespace, reserved, self.generated_names)
        while any(found in t for t in taken):
            n += 1
            found = f"{name}_{n}"
        self.generated_names.add(found)
        return found


def _parts(name):
    return name if isinstance(name, tuple) else (name,)
