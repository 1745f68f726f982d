"""Calls as calls of converted functions."""

import ast
import inspect
import types
from typing import Any, NamedTuple, Protocol

from twinflow.autograph.transpiler import anno, templates
from twinflow.contrib.autograph.static import source_code
from twinflow.contrib.autograph.static.context import Base


class FunctionInfo(NamedTuple):
    """What is known of a function that runs as a tf.py_func.

    Attributes:
        dtype: of what it gives, as a text.
    """

    dtype: str


KNOWN_NUMPY_FUNCTIONS = {("numpy", "random", "binomial"): FunctionInfo("tf.int64")}


class FunctionNamer(Protocol):
    """What call_trees asks of a namer."""

    def compiled_function_name(
        self, original_fqn: Any, live_entity: Any = None, owner_type: Any = None
    ) -> tuple:
        """(the name of a converted function, whether it is another)."""

    def compiled_class_name(self, original_fqn: Any, live_entity: Any = None) -> str:
        """The name of a converted class."""


class CallTreeTransformer(Base):
    """Renames calls of known functions; what is unknown is converted when it runs."""

    def _converts(self, entity: Any, fqn: tuple) -> bool:
        """Whether a function is converted: it is the program's, and not told not to."""
        for name in (".".join(fqn), getattr(entity, "__module__", None) or ""):
            parts = tuple(name.split("."))
            known = self.ctx.program.uncompiled_modules
            if any(parts[:i] in known for i in range(1, len(parts) + 1)):
                return False
        if not isinstance(entity, types.FunctionType | types.MethodType | type):
            return False
        marks = ("__pyct_is_compile_decorator", "__ag_compiled", "ag_source_map")
        if any(hasattr(entity, m) for m in marks):
            return False
        return not _has_no_source(entity)

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        if isinstance(call, ast.Call) and self._runs_on_host(call):
            self.generic_visit(call)
            node.value = self._py_func(call, ast.Constant(None), True)
            return node
        return self.generic_visit(node)

    def _runs_on_host(self, node: ast.Call) -> bool:
        """Whether it is one of Python's own functions, of which nothing is known."""
        entity = anno.getanno(node.func, "live_val", None)
        own = isinstance(entity, types.BuiltinFunctionType)
        return own and source_code.isbuiltin(entity) and entity is not print

    def _py_func(self, node: ast.Call, dtype: Any, dummy: bool) -> Any:
        named: list[ast.expr | None] = [ast.Constant(k.arg) for k in node.keywords]
        kwargs: Any = ast.Dict(named, [k.value for k in node.keywords])
        return templates.replace_as_expression(
            "ag__.utils.wrap_py_func(func, dtype, args, kwargs, dummy)",
            func=node.func, dtype=dtype, args=ast.Tuple(node.args, ast.Load()),
            kwargs=kwargs, dummy=ast.Constant(dummy),
        )  # fmt: skip

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if anno.hasanno(node.func, "live_val"):
            entity = anno.getanno(node.func, "live_val")
            fqn = anno.getanno(node.func, "fqn", (getattr(entity, "__name__", ""),))
            if fqn in KNOWN_NUMPY_FUNCTIONS:
                dtype = KNOWN_NUMPY_FUNCTIONS[fqn].dtype
                found = source_code.parse_expression(dtype)
                return self._py_func(node, found, False)
            if self._converts(entity, fqn):
                return self._renamed(node, entity, fqn)
            return node
        text = ast.unparse(node.func)
        own = text.startswith("ag__.") or text in ("super", "tf")
        if own or text.startswith("tf.") or not self.ctx.program.recursive:
            return node
        return self._dynamic(node)

    def _renamed(self, node: ast.Call, entity: Any, fqn: tuple) -> Any:
        owner = anno.getanno(node.func, "parent_type", None)
        if inspect.isclass(entity):
            name, new = self.ctx.namer.compiled_class_name(fqn, entity), True
        else:
            of_class = inspect.isclass(owner) and not issubclass(
                owner, types.ModuleType
            )
            name, new = self.ctx.namer.compiled_function_name(
                fqn, live_entity=entity, owner_type=owner if of_class else None
            )
        if new:
            node.func = ast.Name(name, ast.Load())
        return node

    def _dynamic(self, node: ast.Call) -> Any:
        options = templates.replace_as_expression(
            "ag__.ConversionOptions.new(recursive=value)",
            value=ast.Constant(bool(self.ctx.program.recursive)),
        )
        func = ast.Attribute(ast.Name("ag__", ast.Load()), "converted_call", ast.Load())
        return ast.Call(func, [node.func, options, *node.args], node.keywords)


def _has_no_source(entity: Any) -> bool:
    try:
        inspect.getsource(entity)
    except (OSError, TypeError):
        return True
    return False


def transform(node: Any, ctx: Any) -> Any:
    """Calls in a tree as calls of converted functions.

    Args:
        node: the tree of a function, analysed. ctx: its EntityContext, whose namer
            learns which functions are needed.
    """
    return CallTreeTransformer(ctx).visit(node)
