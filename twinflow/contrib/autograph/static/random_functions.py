"""Functions made by chance, as trees: pyct.testing.codegen."""

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

_NAMES = ("a", "b", "c", "d")
_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.FloorDiv, ast.BitXor)
_UNARY = (ast.USub, ast.UAdd, ast.Not)
_COMPARED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _choose(items: Any) -> Any:
    return items[np.random.randint(len(items))]


class CodeGenerator:
    """Makes trees with NumPy's global random numbers.

    Args:
        max_depth: how deep blocks and expressions go at most.
    """

    def __init__(self, max_depth: int = 3) -> None:
        self.max_depth = max_depth

    def expression(self, depth: int = 0) -> ast.expr:
        """An expression of names and numbers."""
        simple = depth >= self.max_depth or np.random.rand() < 0.4
        kind = np.random.randint(2) if simple else np.random.randint(2, 6)
        inner: Callable[[], ast.expr] = lambda: self.expression(depth + 1)
        if kind == 0:
            return ast.Constant(int(np.random.randint(100)))
        if kind == 1:
            return ast.Name(_choose(_NAMES), ast.Load())
        if kind == 2:
            return ast.BinOp(inner(), _choose(_BINARY)(), inner())
        if kind == 3:
            return ast.UnaryOp(_choose(_UNARY)(), inner())
        if kind == 4:
            return ast.Compare(inner(), [_choose(_COMPARED)()], [inner()])
        return ast.Tuple([inner(), inner()], ast.Load())

    def statement(self, depth: int = 0) -> ast.stmt:
        """An assignment, loop, branch or return."""
        flat = depth >= self.max_depth
        kind = np.random.randint(3) if flat else np.random.randint(6)
        target = ast.Name(_choose(_NAMES), ast.Store())
        if kind == 0:
            return ast.Assign([target], self.expression())
        if kind == 1:
            return ast.AugAssign(target, _choose(_BINARY)(), self.expression())
        if kind == 2:
            return ast.Return(self.expression())
        if kind == 3:
            return ast.If(self.expression(), self.block(depth), self.block(depth))
        if kind == 4:
            return ast.While(self.expression(), self.block(depth), [])
        return ast.For(target, self.expression(), self.block(depth), [])

    def block(self, depth: int = 0) -> list[ast.stmt]:
        """One to three statements."""
        return [self.statement(depth + 1) for _ in range(np.random.randint(1, 4))]

    def function(self) -> ast.FunctionDef:
        """A function of four arguments or fewer."""
        args = [ast.arg(n, None) for n in _NAMES[: np.random.randint(5)]]
        none: Any = ast.arguments([], args, None, [], [], None, [])
        found: Any = ast.FunctionDef("random_function", none, self.block(), [], None)
        if hasattr(ast, "TypeVar"):  # from Python 3.12 on
            found.type_params = []
        return ast.fix_missing_locations(found)


def generate_random_functiondef() -> ast.FunctionDef:
    """The tree of a function made by chance, with NumPy's global random numbers."""
    return CodeGenerator().function()
