"""AutoGraph's passes: malt's, and ours where a list, a comparison or an error asks."""

import ast
from collections.abc import Iterator
from typing import Any

from twinflow.autograph import directives, staged_list
from twinflow.autograph.transpiler import (
    LOOP_OPTIONS,
    activity,
    anno,
    break_statements,
    call_trees,
    cfg,
    conditional_expressions,
    continue_statements,
    control_flow,
    converter,
    functions,
    liveness,
    qual_names,
    reaching_definitions,
    reaching_fndefs,
    return_statements,
    templates,
    variables,
)

FREE = staged_list.FREE
LISTS = "lists"  # the option of a loop or branch that names the lists it changes


def converted_tree(node: Any, ctx: Any) -> Any:
    """The definition of a function in calls of operators.

    Args:
        node: what rewrites.rewritten gives. ctx: malt's transformer.Context.
    """
    node = _analysed(node, ctx)
    node = functions.transform(node, ctx)
    node = Directives(ctx).visit(node)
    node = break_statements.transform(node, ctx)
    node = Asserts(ctx).visit(node)
    node = continue_statements.transform(node, ctx)
    node = return_statements.transform(node, ctx)
    node = qual_names.resolve(node)
    node = activity.resolve(node, ctx, None)
    node = Lists(ctx).visit(node)
    node = call_trees.transform(node, ctx)
    node = _control_flow(node, ctx)
    node = conditional_expressions.transform(node, ctx)
    node = Logic(ctx).visit(node)
    return variables.transform(node, ctx)


def _analysed(node: Any, ctx: Any) -> Any:
    graphs = cfg.build(node)
    node = qual_names.resolve(node)
    node = activity.resolve(node, ctx, None)
    node = reaching_definitions.resolve(node, ctx, graphs)
    anno.dup(node, {anno.Static.DEFINITIONS: anno.Static.ORIG_DEFINITIONS})
    return node


def _control_flow(node: Any, ctx: Any) -> Any:
    graphs = cfg.build(node)
    node = qual_names.resolve(node)
    node = activity.resolve(node, ctx, None)
    node = reaching_definitions.resolve(node, ctx, graphs)
    node = reaching_fndefs.resolve(node, ctx, graphs)
    node = liveness.resolve(node, ctx, graphs)
    return ControlFlow(ctx).visit(node)


class Directives(converter.Base):
    """Calls that say something of a list or a loop (tf.contrib.autograph)."""

    def __init__(self, ctx: Any) -> None:
        super().__init__(ctx)
        self.loops: list = []

    def visit_Expr(self, node: Any) -> Any:
        call = node.value
        if not isinstance(call, ast.Call):
            return node
        found = self._value(call.func)
        if found is directives.set_element_type:
            return self._element_type(node, call)
        if found is directives.set_loop_options and self.loops:
            self._loop_options(call)
            return _copied(node, ast.Pass())
        return node

    def _value(self, func: Any) -> Any:
        """The object that a dotted name outside the function stands for, or None."""
        if isinstance(func, ast.Attribute):
            return getattr(self._value(func.value), func.attr, None)
        known = isinstance(func, ast.Name) and self.ctx.info.namespace
        return known.get(func.id) if known else None

    def _element_type(self, node: Any, call: Any) -> Any:
        """`l = ag__.element_type(l, dtype, shape)`, where the list has a name."""
        if not call.args or not isinstance(call.args[0], ast.Name):
            return node
        (new,) = templates.replace(
            "target = ag__.element_type(args)", target=call.args[0], args=call.args
        )
        new.value.keywords = call.keywords
        return _copied(node, new)

    def _loop_options(self, call: Any) -> None:
        names = directives.LOOP_OPTION_NAMES
        given = dict(zip(names, call.args, strict=False))
        given |= {k.arg: k.value for k in call.keywords}
        found = anno.getanno(self.loops[-1], anno.Basic.DIRECTIVES, {})
        found[LOOP_OPTIONS] = given
        anno.setanno(self.loops[-1], anno.Basic.DIRECTIVES, found)

    def visit_While(self, node: Any) -> Any:
        self.loops.append(node)
        node = self.generic_visit(node)
        self.loops.pop()
        return node

    visit_For = visit_While


class Asserts(converter.Base):
    """`assert` as a call."""

    def visit_Assert(self, node: Any) -> Any:
        msg = node.msg or ast.Constant(None)
        found = templates.replace(
            "ag__.assert_stmt(lambda: test, lambda: msg)", test=node.test, msg=msg
        )
        return _copied(node, found[0])


class Lists(converter.Base):
    """Changes of lists that are local variables, as assignments.

    `l.append(x)` becomes `l = ag__.list_append(l, x)`, so that a loop or branch around
    it carries the list; each of them notes the names of such lists.
    """

    def __init__(self, ctx: Any) -> None:
        super().__init__(ctx)
        self.blocks: list = []
        self.scopes: list = []
        self.free: set = set()

    def visit_FunctionDef(self, node: Any) -> Any:
        self.scopes.append(_locals_of(node))
        self.free |= _taken_from(node)
        blocks, self.blocks = self.blocks, []
        node = self.generic_visit(node)
        self.blocks = blocks
        self.scopes.pop()
        return node

    def _names(self, names: Any) -> ast.Tuple:
        marked = [FREE + n if n in self.free else n for n in names]
        return ast.Tuple([ast.Constant(n) for n in marked], ast.Load())

    def _local(self, target: Any) -> bool:
        named = isinstance(target, ast.Name) and self.scopes
        return bool(named) and target.id in self.scopes[-1]

    def _note(self, name: str) -> None:
        for block in self.blocks:
            block[name] = None

    def visit_While(self, node: Any) -> Any:
        names: dict = {}
        if isinstance(node, ast.While):
            node.test = _Unsure(self).visit(node.test)
        self.blocks.append(names)
        node = self.generic_visit(node)
        self.blocks.pop()
        if names:
            found = anno.getanno(node, anno.Basic.DIRECTIVES, {})
            options = dict(found.get(LOOP_OPTIONS, {}))
            options[LISTS] = self._names(names)
            anno.setanno(node, anno.Basic.DIRECTIVES, {**found, LOOP_OPTIONS: options})
        return node

    visit_For = visit_While

    def visit_If(self, node: Any) -> Any:
        names: dict = {}
        node.test = _Unsure(self).visit(node.test)
        self.blocks.append(names)
        node = self.generic_visit(node)
        self.blocks.pop()
        if names:
            anno.setanno(node, LISTS, self._names(names))
        return node

    def visit_Expr(self, node: Any) -> Any:
        before = self._pops(node)
        found = self._appended(self.generic_visit(node))
        return [*before, found] if before else found

    def _appended(self, node: Any) -> Any:
        """A statement that appends to a local list as an assignment."""
        call = node.value
        is_method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if not is_method or call.keywords or not self._local(call.func.value):
            return node
        name, target = call.func.attr, call.func.value
        if name not in ("append", "extend") or len(call.args) != 1:
            return node
        self._note(target.id)
        new = f"target = ag__.list_{name}(target, args)"
        (found,) = templates.replace(new, target=target, args=call.args)
        return _copied(node, found)

    def visit_Assign(self, node: Any) -> Any:
        before = self._pops(node)
        node = self.generic_visit(node)
        if len(node.targets) == 1 and self._item(node.targets[0]):
            node = self._stored(node, node.targets[0], node.value)
        return [*before, node]

    def visit_Return(self, node: Any) -> Any:
        return [*self._pops(node), self.generic_visit(node)]

    def _pops(self, node: Any) -> list:
        """The statements before one that takes elements out of local lists.

        The calls in it become the names of what they gave.
        """
        found: list = []
        if getattr(node, "value", None) is not None:
            node.value = _Pops(self, found).visit(node.value)
            node.value = _Unsure(self).visit(node.value)
        return [_copied(node, n) for n in found]

    def _new(self, root: str) -> str:
        return self.ctx.namer.new_symbol(root, set())

    def _item(self, target: Any) -> bool:
        """Whether an assignment's target is one element of a local variable."""
        one = isinstance(target, ast.Subscript) and self._local(target.value)
        return one and not isinstance(target.slice, ast.Slice | ast.Tuple)

    def _stored(self, node: Any, target: Any, value: Any) -> Any:
        if not isinstance(target.slice, ast.Constant):
            self._note(target.value.id)
        (found,) = templates.replace(
            "target = ag__.set_item(target, key, item)",
            target=target.value, key=target.slice, item=value,
        )  # fmt: skip
        return _copied(node, found)

    def visit_AugAssign(self, node: Any) -> Any:
        before = self._pops(node)
        node = self.generic_visit(node)
        target = node.target
        listed = isinstance(node.op, ast.Add) and isinstance(node.value, ast.List)
        if listed and self._local(target):
            self._note(target.id)
            (new,) = templates.replace(
                "target = ag__.list_plus(target, args)",
                target=target, args=node.value,
            )  # fmt: skip
            return [*before, _copied(node, new)]
        if not self._item(target) or not isinstance(target.slice, _PLAIN):
            return [*before, node]
        read = templates.replace_as_expression(
            "target[key]", target=target.value, key=target.slice
        )
        new = ast.BinOp(left=read, op=node.op, right=node.value)
        return [*before, self._stored(node, target, new)]


class _Pops(ast.NodeTransformer):
    """Takes `l.pop()` out of an expression, where it is sure to be reached."""

    def __init__(self, lists: Lists, found: list) -> None:
        self.lists, self.found = lists, found

    def visit_Call(self, node: Any) -> Any:
        node = self.generic_visit(node)
        method, owner = isinstance(node.func, ast.Attribute), self.lists
        if not (method and node.func.attr == "pop" and owner._local(node.func.value)):
            return node
        if node.keywords or len(node.args) > 1:
            return node
        owner._note(node.func.value.id)
        name = owner._new("popped")
        self.found += templates.replace(
            "target, item = ag__.list_pop(target, args)",
            target=node.func.value, item=name, args=node.args,
        )  # fmt: skip
        return ast.Name(name, ast.Load())

    def _left(self, node: Any) -> Any:
        return node

    visit_Lambda = visit_IfExp = visit_BoolOp = visit_ListComp = _left
    visit_SetComp = visit_DictComp = visit_GeneratorExp = _left


class _Unsure(ast.NodeTransformer):
    """`l.pop()` where it may not be reached: a call that refuses staged lists."""

    def __init__(self, lists: Lists) -> None:
        self.lists = lists

    def visit_Call(self, node: Any) -> Any:
        node = self.generic_visit(node)
        func = node.func
        pops = isinstance(func, ast.Attribute) and func.attr == "pop"
        if pops and self.lists._local(func.value) and not node.keywords:
            name = ast.Constant(func.value.id)
            new: Any = ast.parse("ag__.pop_where_sure", mode="eval").body
            return _copied(node, ast.Call(new, [name, func.value, *node.args], []))
        return node

    def visit_Lambda(self, node: Any) -> Any:
        return node


_PLAIN = (ast.Name, ast.Constant)


def _locals_of(node: Any) -> set[str]:
    """The names that belong to a function: its arguments, and what it assigns."""
    args = node.args
    found = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    outer: set = set()
    waiting = list(node.body)
    while waiting:
        n = waiting.pop()
        if isinstance(n, ast.FunctionDef):
            found.add(n.name)
            continue
        if isinstance(n, ast.Lambda):
            continue
        if isinstance(n, ast.Global | ast.Nonlocal):
            outer.update(n.names)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            found.add(n.id)
        waiting += ast.iter_child_nodes(n)
    return found - outer


def _taken_from(node: Any) -> set[str]:
    """The names of what loops and branches pop from, or replace elements of."""
    found = set()
    blocks = (b for b in ast.walk(node) if isinstance(b, ast.For | ast.While | ast.If))
    inner: Iterator[Any] = (n for b in blocks for n in ast.walk(b))
    for n in inner:
        item = isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
        if item or (isinstance(n, ast.Attribute) and n.attr == "pop"):
            found.add(getattr(n.value, "id", ""))
    return found


class ControlFlow(control_flow.ControlFlowTransformer):
    """malt's, whose branches know of their lists too."""

    def visit_If(self, node: Any) -> Any:
        lists = anno.getanno(node, LISTS, None)
        found = super().visit_If(node)
        if lists is not None:
            keyword = ast.keyword(LISTS, lists)
            found[-1].value.keywords.append(keyword)
        return found


class Logic(converter.Base):
    """`and`, `or`, `not`, `==`, `!=`, comparisons in a row, comprehensions."""

    def visit_BoolOp(self, node: Any) -> Any:
        node = self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        found = node.values.pop()
        while node.values:
            found = _call(name, _later(node.values.pop()), _later(found))
        return found

    def visit_comprehension(self, node: Any) -> Any:
        node = self.generic_visit(node)
        node.iter = _call("items_of", node.iter)
        return node

    def visit_UnaryOp(self, node: Any) -> Any:
        node = self.generic_visit(node)
        return _call("not_", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: Any) -> Any:
        node = self.generic_visit(node)
        if len(node.ops) == 1:
            name = _EQUAL.get(type(node.ops[0]))
            return node if name is None else _call(name, node.left, *node.comparators)
        signs: list[ast.expr] = [ast.Constant(_SIGNS[type(op)]) for op in node.ops]
        rest = [_later(c) for c in node.comparators]
        return _call("compared", node.left, ast.Tuple(signs, ast.Load()), *rest)


_EQUAL: dict = {ast.Eq: "eq", ast.NotEq: "not_eq"}
_SIGNS: dict = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip


def _call(name: str, *args: Any) -> Any:
    found = templates.replace_as_expression("ag__.name()", name=name)
    found.args = list(args)
    return found


def _later(value: Any) -> Any:
    return templates.replace_as_expression("lambda: value", value=value)


def _copied(node: Any, new: Any) -> Any:
    """A new statement at the place of the old one."""
    origin = anno.getanno(node, anno.Basic.ORIGIN, None)
    if origin is not None and not anno.hasanno(new, anno.Basic.ORIGIN):
        anno.setanno(new, anno.Basic.ORIGIN, origin)
    return new
