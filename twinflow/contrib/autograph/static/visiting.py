"""Trees that are walked and changed, with state: pyct.transformer."""

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from twinflow.autograph.source import NotConverted
from twinflow.autograph.transpiler import anno, ast_util, pretty_printer, transformer

AutographParseError = NotConverted

_ENTITIES = (ast.FunctionDef, ast.ClassDef, ast.Lambda)
_FAULTS = (ValueError, AttributeError, KeyError, NotImplementedError)


@dataclass
class EntityInfo:
    """What is known of the function or class that is converted.

    Attributes:
        source_code: its text. source_file: where that is.
        namespace: from the names that it sees to what they are.
        arg_values: from arguments to their values, or None.
        arg_types: from arguments to (name of a type, the type), or None.
        owner_type: the class that it is a method of, or None.
    """

    source_code: str | None
    source_file: str | None
    namespace: dict
    arg_values: dict | None
    arg_types: dict | None
    owner_type: type | None


class Base(ast.NodeTransformer):
    """A walk that may change the tree.

    Faults of a `visit_` method come out as AutographParseErrors that show the place.

    Args:
        entity_info: the EntityInfo of the tree.
    Attributes:
        state: from classes to stacks of their objects (`enter`, `exit`, `value`).
        enclosing_entities: the functions, classes and lambdas around the node.
    """

    def __init__(self, entity_info: Any) -> None:
        self.entity_info = entity_info
        self.state = transformer._State()
        self._enclosing: list[ast.AST] = []
        self._locals: list[dict] = [{}]
        self._origin: Any = None

    @property
    def enclosing_entities(self) -> tuple:
        return tuple(self._enclosing)

    @property
    def local_scope_level(self) -> int:
        """How many local scopes are open."""
        return len(self._locals)

    def enter_local_scope(self, inherit: Iterable | None = None) -> None:
        """Open a scope of `set_local`; it starts with some names of the one around."""
        kept = {k: self._locals[-1][k] for k in inherit or () if k in self._locals[-1]}
        self._locals.append(kept)

    def exit_local_scope(self, keep: Iterable | None = None) -> None:
        """Close the last scope; the one around gets some of its names."""
        closed = self._locals.pop()
        if self._locals:
            self._locals[-1].update({k: closed[k] for k in keep or () if k in closed})

    def set_local(self, name: Any, value: Any) -> None:
        """Keep a value in the last scope."""
        self._locals[-1][name] = value

    def get_local(self, name: Any, default: Any = None) -> Any:
        """A value of the last scope."""
        return self._locals[-1].get(name, default)

    def debug_print(self, node: ast.AST) -> ast.AST:
        """Print a tree; gives the node back."""
        print(pretty_printer.fmt(node))
        return node

    def visit_block(
        self, nodes: Any, before_visit: Callable | None = None,
        after_visit: Callable | None = None,
    ) -> list | None:  # fmt: skip
        """Visit statements one after the other.

        Args:
            nodes: them, or None. before_visit: called before each.
            after_visit: from a new node to (what stands in its place, the list that
                takes what follows; None = as before).
        Returns:
            The new statements; None of None.
        """
        if nodes is None:
            return None
        result: list = []
        into = result
        for node in nodes:
            if before_visit:
                before_visit()
            new, then = self.visit(node), None
            if new and after_visit:
                new, then = after_visit(new)
            if new:
                into.extend(new if isinstance(new, list | tuple) else [new])
            into = into if then is None else then
        return result

    def apply_to_single_assignments(
        self, targets: Any, values: Any, apply_fn: Callable
    ) -> None:
        """Call a function with each (target, value) that an assignment consists of."""
        ast_util.apply_to_single_assignments(targets, values, apply_fn)

    def visit(self, node: Any) -> Any:
        if not isinstance(node, ast.AST):
            raise ValueError(
                f'invalid value for "node": expected "ast.AST", got "{type(node)}"; '
                'to visit lists of nodes, use "visit_block" instead'
            )
        if anno.hasanno(node, anno.Basic.SKIP_PROCESSING):
            return node
        around, level = self._origin, len(self._locals)
        self._origin = anno.getanno(node, anno.Basic.ORIGIN, around)
        entity = isinstance(node, _ENTITIES)
        if entity:
            self._enclosing.append(node)
        try:
            found = self._visited(node)
        except NotConverted:
            raise
        except _FAULTS as error:
            raise self._fault(node, error) from error
        finally:
            if entity:
                self._enclosing.pop()
            self._origin = around
        self._assert_paired(level, node)
        return found

    def _assert_paired(self, level: int, node: ast.AST) -> None:
        """Fail, as in 1.12, where a walk has not closed the scopes that it opened."""
        if len(self._locals) != level:
            raise AssertionError(
                "Inconsistent local scope stack: enter_local_scope and "
                "exit_local_scope were not called in pairs at "
                f"{type(node).__name__}"
            )

    def _visited(self, node: Any) -> Any:
        value = node.value if isinstance(node, ast.Expr) else None
        found = super().visit(node)
        if isinstance(found, ast.Expr) and found.value is not value:
            statement = isinstance(
                found.value, list | tuple | ast.Assign | ast.AugAssign
            )
            found = found.value if statement else found
        if found is not node and found is not None and self._origin is not None:
            for new in found if isinstance(found, list | tuple) else (found,):
                if not anno.hasanno(new, anno.Basic.ORIGIN):
                    anno.setanno(new, anno.Basic.ORIGIN, self._origin)
        return found

    def _fault(self, node: ast.AST, error: Exception) -> NotConverted:
        origin = self._origin
        shown = pretty_printer.fmt(node, color=False)
        text = f"{type(error).__name__}: {error}\nOffending source:\n"
        text += f"{self._get_source(node)}\n\nOccurred at node:\n{shown}"
        if origin is None:
            return NotConverted(text)
        line = origin.source_code_line
        place = origin.loc.filename, origin.loc.lineno, origin.loc.col_offset + 1, line
        return NotConverted(text, place)

    def _get_source(self, node: ast.AST) -> str:
        try:
            return ast.unparse(ast.fix_missing_locations(node))
        except (AttributeError, ValueError, TypeError):
            return "<could not convert AST to source>"
