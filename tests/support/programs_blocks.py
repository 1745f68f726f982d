"""Lines of random programs that hold others: branches, loops, gradients, variables."""

from tests.support.programs import ANY_FLOAT, Unfit, literal
from tests.support.programs_ops import TEMPLATES

MOST_DEPTH = 2
CHOOSING = ("cond(", "case(", "loop(", "map_fn(", "scan(", "fold", "TensorArray(")


def add_line(w):
    """Add one line made from a template, or a block; tries until something fits."""
    for _ in range(200):
        weights = BLOCK_WEIGHTS if w.depth < MOST_DEPTH else []
        blocks = [b for _, b in weights]
        rate = 0.0 if w.wild else 0.16
        try:
            if blocks and w.chance(rate):
                w.random.choices(blocks, [n for n, _ in weights])[0](w)
            else:
                _add_template(w)
            return
        except Unfit:
            continue
        except Exception as error:
            if w.wild or w.is_odd(error):
                raise
    raise Unfit


def _add_template(w):
    template = w.random.choices(_FORMS, _WEIGHTS)[0]
    try:
        found = template(w)
    except (IndexError, ValueError) as error:  # drawn beside a shape that is no such
        raise Unfit from error
    count, text = found if isinstance(found, tuple) else (1, found)
    if not 0 < count < 7:
        raise Unfit
    names = [w.name() for _ in range(count)]
    w.attempt = f"{', '.join(names)}{',' * isinstance(found, tuple)} = {text}"
    w.add(names, w.attempt)


_FORMS = [f for _, f in TEMPLATES]
_WEIGHTS = [n for n, _ in TEMPLATES]


def _some_lines(low, high):
    return lambda w: [add_line(w) for _ in range(w.random.randint(low, high))]


def _same(w, dtype, shape):
    """A value of this dtype and shape, a late one if there is one."""
    fit = [n for n, v in w.values.items() if v.dtype == dtype and v.shape == shape]
    if not fit:
        raise Unfit
    name = fit[-1] if w.chance(0.7) else w.choice(fit)
    late = w.latest()
    if late and late != name and dtype.kind == "f" and w.chance(0.7):
        name += f" + tf.reduce_sum(tf.cast({late}, tf.{dtype}))"
    return name


def _predicate(w):
    options = [
        "tf.reduce_sum({f}) > {n}",
        "tf.size({a}) > {k}",
        "tf.reduce_any({f} > 0)",
    ]
    text = w.choice(options)
    return text.format(
        f=w.pick(ANY_FLOAT),
        a=w.pick(),
        n=w.choice([0.5, 0.0, 2.0, -1.0]),
        k=w.between(1, 6),
    )


def _branch(w, dtype, shape, low=1):
    """A function without arguments that gives this dtype and shape; its name."""
    name = w.name("f")
    steps = lambda: _some_lines(low, 2)(w)
    lines = w.block(name, {}, steps, lambda: _same(w, dtype, shape))
    return name, lines


def cond(w):
    x = w.pick(ANY_FLOAT if w.chance(0.7) else None)
    test, v = _predicate(w), w[x]
    (f, a), (g, b) = (_branch(w, v.dtype, v.shape, low) for low in (1, 0))
    target = w.name()
    if w.chance(0.2):
        text = f"{target} = tf.case([({test}, {f})], default={g})"
    else:
        text = f"{target} = tf.cond({test}, {f}, {g})"
    _keep(w, [*a, *b, text], [target])


def _keep(w, lines, targets):
    """Run the last of the lines, and keep them all if it gives what is wanted."""
    w.run(lines[-1])
    w.keep(lines, targets)


def loop(w):
    x = w.pick(ANY_FLOAT if w.chance(0.7) else None)
    i, a, test, body = w.name(), w.name(), w.name("f"), w.name("f")
    start, times = w.scope_constant(0), w.random.randint(0, 3)
    arguments = {i: ("tf.constant(0)", start), a: (x, w[x])}
    stop = f"{i} < {times}"
    if w.chance(0.3) and w[x].dtype.kind == "f":
        stop = f"tf.logical_and({stop}, tf.reduce_sum({a}) < 20.0)"
    lines = [f"def {test}({i}, {a}):", f"    return {stop}"]
    w.run("\n".join(lines))
    result = lambda: f"{i} + 1, {_same(w, w[x].dtype, w[x].shape)}"
    lines += w.block(body, arguments, lambda: _some_lines(1, 3)(w), result)
    t = w.name()
    text = f"{w.name()}, {t} = tf.while_loop({test}, {body}, [tf.constant(0), {x}])"
    names = text.split(" = ")[0].split(", ")
    _keep(w, [*lines, text], names)


def mapped(w):
    x = w.pick(ANY_FLOAT, (1, 2, 3), lambda v: len(v))
    a, f, target = w.name(), w.name("f"), w.name()
    first = {a: (f"{x}[0]", w[x][0])}
    result = lambda: _same(w, w[x].dtype, w[x][0].shape)
    if w.chance(0.4):
        b = w.name()
        first = {b: (f"{x}[0]", w[x][0]), **first}
        form = w.choice(["tf.scan", "tf.foldl", "tf.foldr"])
    else:
        form = "tf.map_fn"
    lines = w.block(f, first, lambda: _some_lines(1, 2)(w), result)
    _keep(w, [*lines, f"{target} = {form}({f}, {x})"], [target])


def _scalar(w):
    """The text of a scalar made of what the block gave."""
    late = w.latest(ANY_FLOAT) or w.pick(ANY_FLOAT)
    other = w.pick(ANY_FLOAT)
    return f"tf.reduce_sum({late}) + tf.cast(tf.reduce_sum({other}), {late}.dtype)"


def slope(w):
    """The gradients of a function, sometimes of their squares."""
    xs = [w.pick(ANY_FLOAT) for _ in range(w.random.randint(1, 2))]
    f, names = w.name("f"), [w.name() for _ in xs]
    arguments = {n: (x, w[x]) for n, x in zip(names, xs, strict=True)}
    lines = w.block(f, arguments, lambda: _some_lines(1, 4)(w), lambda: _scalar(w))
    # Which gradients are None may hang on the branch that ran.
    plain = w.depth == 0 and not any(c in " ".join(lines) for c in CHOOSING)
    note = ", note=True" if plain else ""
    targets = [w.name() for _ in xs]
    if w.chance(0.35):
        g, a = w.name("f"), w.name()
        inner = ", ".join([a, *xs[1:]])
        lines += [f"def {g}({a}):"]
        lines += [f"    return tf.reduce_sum(tf.square(G({f}, {inner})[0]))"]
        w.run("\n".join(lines[-2:]))
        targets = targets[:1]
        text = f"{targets[0]}, = G({g}, {xs[0]})"
    else:
        text = f"{', '.join(targets)}, = G({f}, {', '.join(xs)}{note})"
    _keep(w, [*lines, text], targets)


def custom(w):
    """A function with a gradient of its own, and its gradient."""
    x = w.pick(ANY_FLOAT)
    f, y = w.name("f"), w.name()
    k = w.choice([0.5, -2.0, 3.0])
    lines = [
        "@tf.custom_gradient",
        f"def {f}({y}):",
        f"    return tf.tanh({y}), lambda dy: dy * {k} * tf.cos({y})",
    ]
    w.run("\n".join(lines))
    a, b = w.name(), w.name()
    text = f"{a}, {b} = {f}({x}), G(lambda x: tf.reduce_sum({f}(x)), {x})[0]"
    _keep(w, [*lines, text], [a, b])


def variable(w):
    """Assign to a variable, and read it after that."""
    if w.depth:
        raise Unfit
    x = w.pick(("float32", "float64", "int32", "int64"))
    v = w[x]
    fit = [
        n
        for n, (a, _) in w.variables.items()
        if a.dtype == v.dtype and a.shape == v.shape
    ]
    if fit and w.chance(0.8):
        name = w.choice(fit)
    else:
        name = w.name("v")
        initial = w.numbers(str(v.dtype), v.shape)
        w.run(f"{name} = tfe.Variable({literal(initial)}, name='{name}')")
        w.variables[name] = (initial, None)
    initial, last = w.variables[name]
    o, t = w.name("o"), w.name()
    form = w.choice(["assign", "assign_add", "assign_sub"])
    first = f"with tf.control_dependencies([{last}]): " if last else ""
    lines = [f"{first}{o} = {name}.{form}({x})"]
    lines += [f"with tf.control_dependencies([{o}]): {t} = {name}.read_value() * 1"]
    w.run("\n".join(lines))
    w.keep(lines, [t])
    w.variables[name] = (initial, t)


def tensor_array(w):
    x = w.pick((*ANY_FLOAT, "int32"))
    fit = w.fitting((str(w[x].dtype),), where=lambda v: v.shape == w[x].shape)
    ta, t, n = w.name("a"), w.name(), w.random.randint(1, 3)
    dtype = f"tf.{w[x].dtype}"
    lines = [f"{ta} = tf.TensorArray({dtype}, {n})"]
    for k in range(n):
        lines += [f"{ta} = {ta}.write({k}, {w.choice(fit)})"]
    gathered = f"tf.convert_to_tensor({{}}.gather({[n - 1, 0][:n]}))"  # eager: a list
    forms = ["{}.stack()", gathered, f"{{}}.read({n - 1})"]
    forms += ["{}.concat()"] * (w[x].ndim > 0)
    lines += [f"{t} = {w.choice(forms).format(ta)}"]
    w.run("\n".join(lines))
    w.keep(lines, [t])


def filled_array(w):
    """A TensorArray that a loop fills."""
    x = w.pick(ANY_FLOAT)
    i, a, body, t = w.name(), w.name("a"), w.name("f"), w.name()
    n = w.random.randint(1, 3)
    k = w.choice([0.5, 2.0, 1.0])
    lines = [
        f"def {body}({i}, {a}):",
        f"    return {i} + 1, {a}.write({i}, {x} * tf.cast({i}, {x}.dtype) * {k})",
        f"{t} = tf.while_loop(lambda i, a: i < {n}, {body},"
        f" [0, tf.TensorArray({w.scope_dtype(x)}, {n})])[1].stack()",
    ]
    w.run("\n".join(lines))
    w.keep(lines, [t])


BLOCK_WEIGHTS = [
    (5, cond), (5, loop), (3, mapped), (8, slope), (1, custom), (5, variable),
    (2, tensor_array), (1, filled_array),
]  # fmt: skip
