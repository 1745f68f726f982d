"""From functions and texts to syntax trees and back: pyct.parser and pyct.compiler."""

import ast
import importlib.util
import inspect
import os
import sys
import tempfile
import textwrap
from types import ModuleType
from typing import Any

from twinflow.autograph.transpiler import ast_util, inspect_utils
from twinflow.contrib.autograph.static.origins import create_source_map

_Nodes = ast.AST | list | tuple


def parse_str(src: str) -> ast.Module:
    """A text as a module's tree."""
    return ast.parse(textwrap.dedent(src))


def parse_expression(src: str) -> ast.expr:
    """A text as the tree of one expression.

    Raises:
        ValueError: it is something else.
    """
    body = parse_str(src.strip()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise ValueError(f"Expected a single expression, found instead {body}")
    return body[0].value


def parse_entity(entity: Any) -> tuple[ast.Module, str]:
    """(the tree, the text) of a function or class.

    Raises:
        ValueError: its text cannot be read by itself, as that of a lambda.
    """
    text = textwrap.dedent(inspect.getsource(entity))
    try:
        return parse_str(text), text
    except SyntaxError as error:
        raise ValueError(f"Failed to parse source code of {entity}: {error}") from None


def ast_to_source(node: _Nodes, indentation: str = "  ") -> str:
    """The text of a tree, or of a list of trees."""
    nodes = node if isinstance(node, tuple | list) else [node]
    text = "\n".join(ast.unparse(ast.fix_missing_locations(n)) for n in nodes)
    return "\n".join(_indented(line, indentation) for line in text.split("\n"))


def _indented(line: str, indentation: str) -> str:
    """A line whose indentation of fours is another."""
    bare = line.lstrip(" ")
    level, rest = divmod(len(line) - len(bare), 4)
    return line if rest or indentation == "    " else indentation * level + bare


def ast_to_object(
    nodes: Any, indentation: str = "  ", include_source_map: bool = False,
    source_prefix: str | None = None, delete_on_exit: bool = True,
) -> tuple[ModuleType, str]:  # fmt: skip
    """(a module made from trees, its text).

    Args:
        nodes: a tree or several. indentation: of a level, in the text.
        include_source_map: give the module `ag_source_map__`, from its lines to the
            origins of the nodes (see pyct.origin_info).
        source_prefix: lines before the nodes. delete_on_exit: keep no file.
    """
    nodes = nodes if isinstance(nodes, tuple | list) else [nodes]
    text = ast_to_source(nodes, indentation)
    if source_prefix:
        text = f"{source_prefix}\n{text}"
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(text)
    name = os.path.basename(file.name[:-3])
    spec: Any = importlib.util.spec_from_file_location(name, file.name)
    module: Any = importlib.util.module_from_spec(spec)
    if include_source_map:
        before = len(ast.parse(source_prefix or "").body)
        places = range(before, before + len(nodes))
        module.ag_source_map__ = create_source_map(nodes, text, file.name, places)
    try:
        spec.loader.exec_module(module)
    finally:
        if delete_on_exit:
            os.remove(file.name)
    sys.modules[name] = module
    return module, text


def matches(node: ast.AST, pattern: ast.AST | str) -> bool:
    """Whether a tree has the form of another, in which `_` stands for anything."""
    if isinstance(pattern, str):
        pattern = parse_expression(pattern)
    return ast_util.matches(node, pattern)


def isbuiltin(f: Any) -> bool:
    """Whether a function is one of Python's."""
    return inspect_utils.isbuiltin(f)
