"""The trees, analyses and converters of autograph, by their names of 2018."""

import ast
import importlib

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat.door import autograph_testing, finder
from twinflow.contrib.autograph import api
from twinflow.contrib.autograph.static import (
    context,
    conversion,
    naming,
    normal_form,
    origins,
    random_functions,
    source_code,
    visiting,
)
from twinflow.contrib.autograph.static.converters import (
    break_statements,
    builtin_functions,
    conditional_expressions,
    continue_statements,
    decorators,
    directives,
    error_handlers,
    function_scopes,
    list_comprehensions,
    lists,
    return_statements,
    slices,
)

anno = normal_form.transformer.anno
case = autograph_testing.TestCase("prepare")
INT32 = {"dtype": ast.parse("tf.int32", mode="eval").body}
SCALAR = {"shape": ast.parse("()", mode="eval").body}


def _break_in_while(x):
    v = []
    while x > 0:
        x -= 1
        if x % 5 == 0:
            if x % 2:
                v.append(-x)
                break
            v.append(100)
        v.append(x)
    return v


def _break_with_else(n):
    v = []
    for i in range(n):
        y = i
        while y > 0:
            y -= 1
            if y % 3 == 0:
                break
        else:
            v.append(-i)
        v.append(y)
    return v


def _continue_in_loops(x):
    v = []
    while x > 0:
        x -= 1
        if x % 2 == 0:
            continue
        for y in range(x):
            if y % 3 == 0:
                v.append(-y)
                continue
            v.append(y)
        v.append(x)
    return v


def _returns(x):
    if x < 0:
        x = -x
    elif x > 3:
        return x * x
    with tf.name_scope("a"):
        if x == 2:
            return x
        else:
            return x + 1


def _inner_returns(x):
    def inner(y):
        if y > 2:
            return y
        return -y

    return inner(x)


def _choices(x):
    return 1 if x > 3 else (2 if x == 2 else 3)


def _comprehension(n):
    v = [(i, j) for i in range(n) if i % 2 for j in range(i) if j]
    return v


@pytest.mark.parametrize("x", (-3, 0, 2, 7, 12))
@pytest.mark.parametrize(
    ("converter", "function"),
    [
        (break_statements, _break_in_while), (break_statements, _break_with_else),
        (continue_statements, _continue_in_loops), (return_statements, _returns),
        (return_statements, _inner_returns), (conditional_expressions, _choices),
        (list_comprehensions, _comprehension),
    ],
)  # fmt: skip
def test_converted_functions_give_the_same(converter, function, x):
    with case.converted(function, converter, {"tf": tf}) as result:
        result.tf = tf
        assert getattr(result, function.__name__)(x) == function(x)


def _sum_of_doubles(x, n):
    s = 0
    total = x
    for i in range(n):
        if i > 7:
            break
        if i % 2 == 0:
            continue
        total = _doubled(total)
        s += 1
    while s > 1 and total > 3:
        s -= 1
        total -= 1
    assert s > 0
    y = total if total > 0 else -total
    return y, s


def _doubled(x):
    if x > 100:
        return x
    return 2 * x


def _run(entity, *args):
    """What a function gives that was converted with all that it calls."""
    program = context.ProgramContext(
        True, (), (), api, conversion.config.DEFAULT_UNCOMPILED_MODULES
    )
    _, name, names = conversion.entity_to_graph(entity, program, None, None)
    nodes = [n for t in reversed(program.dependency_cache.values()) for n in t]
    module, _ = source_code.ast_to_object(nodes, include_source_map=True)
    vars(module).update({k: v for k, v in names.items() if k not in vars(module)})
    module.tf = tf
    return getattr(module, name)(*args)


@pytest.mark.parametrize("n", (4, 20))
def test_the_whole_conversion_makes_graphs(n):
    with tf.Graph().as_default(), tf.Session() as session:
        for x in (5, -200, 300):
            found = _run(_sum_of_doubles, tf.constant(x), tf.constant(n))
            assert session.run(found) == _sum_of_doubles(x, n)
            plain = _run(_sum_of_doubles, x, n)
            assert session.run([tf.convert_to_tensor(v) for v in plain]) == [
                *_sum_of_doubles(x, n)
            ]


class _Counter:
    def __init__(self, start):
        self.n = start

    def add(self, x):
        if x > 0:
            self.n = self.n + x
        return self.n


def test_classes_are_converted_with_their_methods():
    with tf.Graph().as_default(), tf.Session() as session:
        counter = _run(_Counter, tf.constant(3))
        assert session.run(counter.add(tf.constant(4))) == 7
        assert session.run(counter.add(tf.constant(-4))) == 7


def _fails(x):
    if x > 0:
        raise ValueError("on purpose")
    return x


def test_errors_have_the_lines_of_the_program():
    wanted = pytest.raises(api.GraphConstructionError, match="on purpose")
    with tf.Graph().as_default(), wanted as caught:
        _run(_fails, 1)
    lines = [f for f in caught.value.custom_traceback if f[0] == __file__]
    code = _fails.__code__
    assert code.co_firstlineno + 2 in [f[1] for f in lines]
    node, ctx = case.prepare(_fails, {})
    assert error_handlers.transform(node, ctx).body[0].__class__ is ast.If


def _two_pops():
    l = list_of_three()  # noqa: F821, E741
    s = l.pop() - l.pop()
    l.append(7)
    return s, l


def _one_item(l):  # noqa: E741
    return l[1]


def test_lists_and_items_of_known_elements():
    with tf.Graph().as_default(), tf.Session() as session:
        three = tf.contrib.autograph.tensor_list([1, 2, 5])
        names = {"list_of_three": lambda: three}
        node, ctx = case.prepare(_two_pops, names)
        (made,) = anno.getanno(node.body[0].targets[0], anno.Static.ORIG_DEFINITIONS)
        said = tf.contrib.autograph.set_element_type
        made.directives[said] = {**INT32, **SCALAR}
        with case.compiled(lists.transform(node, ctx), names, tf.int32) as result:
            s, rest = result._two_pops()
        assert session.run(s) == 3
        node, ctx = case.prepare(_one_item, {})
        (made,) = anno.getanno(node.args.args[0], anno.Static.DEFINITIONS)
        made.directives[said] = INT32
        with case.compiled(slices.transform(node, ctx), {}, tf.int32) as result:
            assert session.run(result._one_item(rest)) == 7
    node, ctx = case.prepare(_one_item, {})
    with case.compiled(slices.transform(node, ctx), {}) as result:
        assert result._one_item([1, 2]) == 2


def _says_two_things(l):  # noqa: E741
    if l:
        l = []  # noqa: E741
    return l[1]


def test_faults_of_converters_show_the_code():
    node, ctx = case.prepare(_says_two_things, {})
    said = tf.contrib.autograph.set_element_type
    target = node.body[0].body[0].targets[0]
    for where, kind in ((node.args.args[0], "tf.int32"), (target, "tf.float32")):
        (made,) = anno.getanno(where, anno.Static.DEFINITIONS)
        made.directives[said] = {"dtype": source_code.parse_expression(kind)}
    with pytest.raises(SyntaxError, match=r"ambiguous annotations.*float32, tf\.int32"):
        slices.transform(node, ctx)

    def half(x):
        if x > 0:
            return x

    def in_loop(x):
        for _ in range(3):
            return x

    for function in (half, in_loop):
        node, ctx = case.prepare(function, {})
        with pytest.raises(ValueError, match="return"):
            return_statements.transform(node, ctx)


def test_scopes_have_the_names_of_functions():
    class Holder:
        def method(self, x):
            """A text."""

            def inner(y):
                return y + 1

            x += 1
            return x, inner(x)

    node, ctx = case.prepare(Holder, {}, owner_type=Holder)
    node = function_scopes.transform(node, ctx)
    with tf.Graph().as_default(), case.compiled(node, {}) as result:
        x, y = result.Holder().method(tf.constant(1))
    assert result.Holder.method.__doc__ == "A text."
    assert x.op.name.startswith("Holder/method/")
    assert y.op.name.startswith("Holder/method/inner/")


def test_decorators_are_dropped_or_imported():
    def kept(f):
        @autograph_testing.imported_decorator
        def test_fn(a):
            return a

        return test_fn

    (tree,) = [
        n for n in ast.walk(source_code.parse_entity(kept)[0])
        if getattr(n, "name", "") == "test_fn"
    ]  # fmt: skip
    names = {"autograph_testing": autograph_testing}
    for dropped, value in (((), 3), ((autograph_testing.imported_decorator,), 2)):
        _, ctx = case.prepare(kept, names, autograph_decorators=dropped)
        node = context.standard_analysis(
            ast.parse(ast.unparse(tree)).body[0], ctx, True
        )
        node = decorators.transform(node, ctx)
        prefix = "\n".join(ctx.program.additional_imports)
        module, _ = source_code.ast_to_object(node, source_prefix=prefix)
        assert module.test_fn(2) == value

    local = {"autograph_testing": type("m", (), {"imported_decorator": lambda f: f})}
    node, ctx = case.prepare(kept, local)
    with pytest.raises(ValueError, match="cannot be imported"):
        decorators.transform(node.body[0], ctx)


def _counts(a):
    c = a
    while c > 0:
        c -= 1
        d = c
        if d > 3:
            e = d
            c -= e - d
    return c


def test_analyses_find_what_tensorflow_found():
    node, _ = case.prepare(_counts, {})
    loop = node.body[1]
    shown = {}
    for name in ("BODY_SCOPE", "COND_SCOPE"):
        key = getattr(context.activity.NodeAnno, name)
        scope = anno.getanno(loop, key)
        shown[name] = [
            ",".join(sorted(map(str, s)))
            for s in (scope.used, scope.modified, scope.created)
        ]
    assert shown == {"BODY_SCOPE": ["c,d", "c,d,e", "d,e"], "COND_SCOPE": ["c", "", ""]}
    keys = anno.Static.DEFINED_VARS_IN, anno.Static.LIVE_VARS_OUT
    before, after = (set(map(str, anno.getanno(loop, k))) for k in keys)
    assert before >= {"a", "c"} and after == {"c"}
    assert len(anno.getanno(node.body[2].value, anno.Static.DEFINITIONS)) == 3
    assert len(anno.getanno(node.body[0].value, anno.Static.DEFINITIONS)) == 1


def test_walks_keep_state_and_refuse_what_does_not_fit():
    info = visiting.EntityInfo(None, None, {}, None, None, None)

    class Unpaired(visiting.Base):
        def visit_If(self, node):
            self.enter_local_scope()
            return self.generic_visit(node)

        def visit_For(self, node):
            return self.visit(node.body)

    class Words(visiting.Base):
        found = ()

        def visit_Constant(self, node):
            around = [type(n).__name__ for n in self.enclosing_entities]
            self.found = (*self.found, (node.value, around))
            return node

    with pytest.raises(AssertionError, match="Inconsistent local scope"):
        Unpaired(info).visit(source_code.parse_str("if a:\n  b"))
    with pytest.raises(ValueError, match=r'expected "ast\.AST", got "<class .list.>"'):
        Unpaired(info).visit(source_code.parse_str("for a in b:\n  c"))
    words = Words(info)
    words.visit(source_code.parse_str("def f():\n  g = lambda: 'a'\n  return 'b'"))
    assert words.found == (("a", ["FunctionDef", "Lambda"]), ("b", ["FunctionDef"]))


def test_small_things():
    tree = source_code.parse_str("def f(x, g):\n  return g(x + 1) * 2  # twice")
    normal = normal_form.transform(tree, visiting.EntityInfo(*(None,) * 6))
    module, text = source_code.ast_to_object(normal)
    assert "tmp_1001 = x + 1" in text and module.f(2, lambda v: v) == 6
    source = "def f(x):\n  return x  # same"
    tree = source_code.parse_str(source)
    origins.resolve(tree.body[0], source)
    origin = anno.getanno(tree.body[0].body[0], anno.Basic.ORIGIN)
    assert (origin.loc.lineno, origin.comment) == (2, "same")
    found = origins.create_source_map(tree.body[0], source, "file.py", [0])
    assert found[("file.py", 2)] == origin
    np.random.seed(0)
    for _ in range(20):
        compile(ast.unparse(random_functions.generate_random_functiondef()), "", "exec")
    with pytest.raises(ValueError, match="single expression"):
        source_code.parse_expression("a; b")
    namer = naming.Namer({"break_": 1}, True, None, ())
    assert namer.new_symbol("break_", ()) == "break__1"

    def invalid(a, b=3):
        del a, b

    call = source_code.parse_expression("invalid(1)")
    with pytest.raises(ValueError, match="Unexpected keyword argument value, 3"):
        directives.map_arguments(call, invalid)


def test_gast_is_there_where_it_is_not_installed():
    finder.open_door()
    try:
        gast = importlib.import_module("gast")
        name = gast.Name("a", gast.Load(), None)
        assert isinstance(name, gast.Name) and isinstance(name, ast.Name)
        assert isinstance(ast.parse("b", mode="eval").body, gast.Name)
        assert gast.Name("a", gast.Param(), None).arg == "a"
        assert gast.FunctionDef is ast.FunctionDef
    finally:
        finder.close_door()


def test_printing_shows_strings_as_python_does(capfd):
    made = case.converted(lambda_free_print, builtin_functions, {})
    with tf.Graph().as_default(), tf.Session() as session, made as result:
        session.run(result.lambda_free_print(tf.constant("a"), tf.constant([1, 2])))
    assert capfd.readouterr().out == "a [1 2] [1, 2]\n"


def lambda_free_print(a, b):
    return print(a, b, [1, 2])


def test_operators_of_2018_take_what_they_took():
    operators = tf.contrib.autograph.operators
    with tf.Graph().as_default(), tf.Session() as session:
        ranges = [operators.range_(tf.constant(3)), operators.range_(1, tf.constant(0))]
        first, none = session.run(ranges)
        assert first.tolist() == [0, 1, 2] and none.tolist() == []
        assert list(operators.range_(2, 0, -1)) == [2, 1]
        items = tf.contrib.autograph.tensor_list([1, 2])
        assert session.run(operators.len_(items)) == 2
        for elements, shape in (([3, 4.0], None), ([3, 4], (2,))):
            with pytest.raises(ValueError, match=r"same dtype|incompatible shape"):
                tf.contrib.autograph.tensor_list(elements, element_shape=shape)
        whole = tf.contrib.autograph.utils.wrap_py_func(
            lambda a, b: a + b, tf.int64, (1, tf.constant(1))
        )
        assert session.run(whole) == 2
