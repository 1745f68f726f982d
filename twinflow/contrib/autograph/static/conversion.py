"""From functions and classes to converted trees: impl.conversion."""

import ast
import inspect
import types
from typing import Any

from twinflow.autograph import python_builtins
from twinflow.autograph.transpiler import inspect_utils
from twinflow.contrib.autograph import (
    api,
    element_lists,
    errors,
    in_words,
    operators,
    utilities,
)
from twinflow.contrib.autograph.static import (
    config,
    context,
    origins,
    source_code,
    visiting,
)
from twinflow.contrib.autograph.static.converters import (
    asserts,
    break_statements,
    builtin_functions,
    call_trees,
    conditional_expressions,
    continue_statements,
    control_flow,
    decorators,
    directives,
    error_handlers,
    function_scopes,
    list_comprehensions,
    lists,
    logical_expressions,
    return_statements,
    side_effect_guards,
    slices,
)
from twinflow.contrib.autograph.static.function_wrapping import function_scope

_BEFORE = (
    decorators, directives, break_statements, asserts, continue_statements,
    return_statements, list_comprehensions, lists, slices, builtin_functions,
    call_trees, control_flow, conditional_expressions, logical_expressions,
    side_effect_guards, function_scopes,
)  # fmt: skip


def _made_internal() -> Any:
    """The module that converted code calls `ag__`."""
    found: Any = types.ModuleType("autograph")
    for home in (python_builtins, in_words, element_lists, api):
        own = {k: v for k, v in vars(home).items() if k[:1] != "_"}
        vars(found).update(own)
    found.utils, found.operators = utilities, operators
    found.function_scope = function_scope
    found.rewrite_graph_construction_error = errors.rewrite_graph_construction_error
    return found


ag_internal: Any = None


def is_whitelisted_for_graph(o: Any) -> bool:
    """Whether a function, class or module is called as it is."""
    module = o if inspect.ismodule(o) else inspect.getmodule(o)
    name = getattr(module, "__name__", None) or getattr(o, "__module__", "") or ""
    if name.partition(".")[0] in {m[0] for m in config.DEFAULT_UNCOMPILED_MODULES}:
        return True
    return hasattr(o, "autograph_info__")


def entity_to_graph(
    o: Any, program_ctx: context.ProgramContext, arg_values: Any, arg_types: Any
) -> tuple:
    """The converted tree of a function, method or class, and of what it calls.

    Args:
        o: the function, method or class. program_ctx: keeps the trees, in
            `dependency_cache`. arg_values: from arguments to values, or None.
        arg_types: from arguments to (name of a type, the type), or None.
    Returns:
        (trees, the new name, the names that it sees).
    Raises:
        NotImplementedError: it is none of these, or a lambda.
        AutographParseError: it cannot be converted.
    """
    if inspect.isclass(o):
        node, name, names = class_to_graph(o, program_ctx)
    elif inspect.isfunction(o):
        node, name, names = function_to_graph(o, program_ctx, arg_values, arg_types)
    elif inspect.ismethod(o):
        owner = inspect_utils.getmethodclass(o)
        node, name, names = function_to_graph(
            o.__func__, program_ctx, arg_values, arg_types, owner
        )
    else:
        raise NotImplementedError(
            f'Entity "{o}" has unsupported type "{type(o)}". Only functions and '
            "classes are supported for now."
        )
    program_ctx.add_to_cache(o, node)
    if program_ctx.recursive:
        for called in tuple(program_ctx.name_map):
            if called not in program_ctx.dependency_cache:
                entity_to_graph(called, program_ctx, {}, {})
    return node, name, names


def class_to_graph(c: type, program_ctx: context.ProgramContext) -> tuple:
    """The converted tree of a class, with those of its bases.

    Raises:
        ValueError: it has no methods of its own. See also `entity_to_graph`.
    """
    methods = [m for m in vars(c).values() if inspect.isfunction(m)]
    if not methods:
        raise ValueError(f"Cannot convert {c}: no member methods.")
    names, bodies = {}, []  # type: dict, list
    for m in methods:
        given = {"self": (c.__name__, c)}
        (node, _), _, seen = function_to_graph(
            m, program_ctx, {}, given, c, rewrite_errors=False
        )
        bodies.append(node)
        names.update(seen)
    namer = program_ctx.new_namer(names)
    name = namer.compiled_class_name((c.__name__,), c)
    program_ctx.name_map[c] = name
    imports, bases = [], []
    for base in c.__bases__:
        if base is object:
            bases.append("object")
            continue
        if is_whitelisted_for_graph(base):
            alias = ast.alias(base.__name__, None)
            imports.append(ast.ImportFrom(base.__module__, [alias], 0))
            bases.append(base.__name__)
            names[base.__name__] = base
            continue
        if base not in program_ctx.dependency_cache:
            entity_to_graph(base, program_ctx, {}, {})
        bases.append(namer.compiled_class_name((base.__name__,), base))
    program_ctx.update_name_map(namer)
    made: Any = ast.ClassDef(
        name, [ast.Name(b, ast.Load()) for b in bases], [], bodies, []
    )
    if hasattr(ast, "TypeVar"):  # from Python 3.12 on
        made.type_params = []
    return [*imports, made, _info_of(name)], name, names


def _info_of(name: str) -> ast.Assign:
    """`name.autograph_info__ = {}`, by which converted things are known."""
    target = ast.Attribute(ast.Name(name, ast.Load()), "autograph_info__", ast.Store())
    return ast.Assign([target], ast.Dict([], []))


def _add_self_references(namespace: dict, autograph_module: Any) -> None:
    """Let the names that a function sees have `ag__`."""
    global ag_internal
    if ag_internal is None:
        ag_internal = _made_internal()
    taken = namespace.setdefault("ag__", ag_internal)
    if taken is not ag_internal:
        raise ValueError('The name "ag__" is reserved and may not be used.')


def function_to_graph(
    f: Any, program_ctx: context.ProgramContext, arg_values: Any, arg_types: Any,
    owner_type: type | None = None, rewrite_errors: bool = True,
) -> tuple:  # fmt: skip
    """The converted tree of a function.

    Args:
        f: the function. owner_type: the class that it is a method of, or None.
        rewrite_errors: whether its errors become GraphConstructionErrors.
        See `entity_to_graph` for the others, and for what it returns.
    """
    module, source = source_code.parse_entity(f)
    node: Any = module.body[0]
    if not isinstance(node, ast.FunctionDef):
        raise NotImplementedError("only functions with a `def` can be converted")
    origins.resolve(node, source, f)
    namespace = dict(inspect_utils.getnamespace(f))
    _add_self_references(namespace, program_ctx.autograph_module)
    namer = program_ctx.new_namer(namespace)
    info = visiting.EntityInfo(
        source, f.__code__.co_filename, namespace, arg_values, arg_types, owner_type
    )
    ctx = context.EntityContext(namer, info, program_ctx)
    node = node_to_graph(node, ctx, rewrite_errors)
    name, renamed = namer.compiled_function_name((f.__name__,), f, owner_type)
    node.name = name if renamed else f.__name__
    program_ctx.update_name_map(namer)
    return (node, _info_of(node.name)), node.name, namespace


def node_to_graph(node: Any, context: Any, rewrite_errors: bool = True) -> Any:
    """A function's tree as all converters leave it.

    Args:
        node: the tree. context: its EntityContext. rewrite_errors: see
            `function_to_graph`.
    """
    node = _analysed(node, context)
    for converter in (*_BEFORE, *([error_handlers] if rewrite_errors else [])):
        node = _applied(node, context, converter)
    return node


def _analysed(node: Any, ctx: Any) -> Any:
    return context.standard_analysis(node, ctx, is_initial=True)


def _applied(node: Any, ctx: Any, converter: Any) -> Any:
    return context.apply_(node, ctx, converter)
