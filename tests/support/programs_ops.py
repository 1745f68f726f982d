"""What lines of random programs may say: each template gives the text of one call.

A template takes the Writer and returns an expression, or (number of results, text).
"""

from pathlib import Path

import numpy as np

from tests.support.programs import SMALL, Unfit, literal

LINES = Path(__file__).parent / "data" / "program_lines.txt"
TEMPLATES: list = []  # (weight, template)

UNARY = (
    "tf.exp tf.tanh tf.sigmoid tf.square tf.negative tf.abs tf.sign tf.floor tf.ceil"
    " tf.round tf.rint tf.sin tf.cos tf.tan tf.atan tf.erf tf.erfc tf.expm1 tf.sinh"
    " tf.cosh tf.asinh tf.nn.relu tf.nn.relu6 tf.nn.elu tf.nn.selu tf.nn.softplus"
    " tf.nn.softsign tf.nn.leaky_relu tf.log_sigmoid tf.identity tf.stop_gradient"
    " tf.zeros_like tf.ones_like tf.reciprocal tf.digamma tf.lgamma tf.nn.crelu"
)
POSITIVE = (
    "tf.sqrt tf.rsqrt tf.log tf.log1p tf.lgamma tf.digamma tf.reciprocal tf.acosh"
)
BINARY = (
    "tf.add tf.subtract tf.multiply tf.maximum tf.minimum tf.squared_difference"
    " tf.math.add tf.math.multiply"
)
DIVIDING = (
    "tf.divide tf.truediv tf.floordiv tf.floormod tf.mod tf.div tf.truncatediv"
    " tf.truncatemod tf.realdiv tf.floor_div tf.div_no_nan"
)
COMPARING = "tf.less tf.less_equal tf.greater tf.greater_equal tf.equal tf.not_equal"
OPERATORS = "+ - * / // % < <= > >="
REDUCING = "tf.reduce_sum tf.reduce_mean tf.reduce_max tf.reduce_min tf.reduce_prod"
SAME = ("float32", "float64", "int32", "int64")
ANY = (*SAME, "bool", "complex64", *SMALL)


def template(weight=1):
    """A decorator that adds a template."""

    def add(f):
        TEMPLATES.append((weight, f))
        return f

    return add


def _add_lines():
    """Templates of one line each, from a file."""
    for line in LINES.read_text().splitlines():
        weight, text = line[:2], line[3:]
        if weight != "# ":
            code = compile(f"f{text!r}", text, "eval")
            TEMPLATES.append((int(weight), lambda w, code=code: _filled(w, code)))


class _Picks(dict):
    """What the names in a simple template stand for."""

    def __init__(self, w):
        super().__init__()
        self.w = w

    def __missing__(self, key):
        self[key] = value = PICKS[key.rstrip("0123456789")](self.w, self)
        return value


def _filled(w, code):
    return eval(code, {"__builtins__": {}}, _Picks(w))


PICKS = {
    "f": lambda w, p: w.floating(),  # any floating
    "fv": lambda w, p: w.floating(1),
    "fm": lambda w, p: w.floating((2,)),
    "fr": lambda w, p: w.floating((1, 2, 3)),  # with axes
    "n": lambda w, p: w.number(),
    "nr": lambda w, p: w.number((1, 2, 3)),
    "nv": lambda w, p: w.number(1),
    "i": lambda w, p: w.pick(("int32", "int64")),
    "s": lambda w, p: w.pick(SMALL),
    "b": lambda w, p: w.pick(("bool",)),
    "br": lambda w, p: w.pick(("bool",), (1, 2, 3)),
    "c": lambda w, p: w.pick(("complex64",)),
    "w": lambda w, p: w.pick(("object",)),
    "wr": lambda w, p: w.pick(("object",), (1, 2)),
    "a": lambda w, p: w.pick(),
    "ar": lambda w, p: w.pick(None, (1, 2, 3)),
    "g": lambda w, p: w.beside(p["f"]),  # beside f, n, i, b ...
    "m": lambda w, p: w.beside(p["n"]),
    "j": lambda w, p: w.beside(p["i"]),
    "e": lambda w, p: w.beside(p["b"]),
    "z": lambda w, p: w.beside(p["s"]),
    "d": lambda w, p: w.beside(p["c"]),
    "unary": lambda w, p: w.choice(UNARY.split()),
    "positive": lambda w, p: w.choice(POSITIVE.split()),
    "binary": lambda w, p: w.choice(BINARY.split()),
    "dividing": lambda w, p: w.choice(DIVIDING.split()),
    "comparing": lambda w, p: w.choice(COMPARING.split()),
    "op": lambda w, p: w.choice(OPERATORS.split()),
    "reducing": lambda w, p: w.choice(REDUCING.split()),
    "axis": lambda w, p: w.axis(next(v for k, v in p.items() if k in AXED)),
    "k": lambda w, p: w.between(0, 3),
    "one": lambda w, p: w.between(1, 3),
    "number": lambda w, p: w.choice([0.5, 2.0, -1.5, 3.0, 0.25, 1.0]),
    "int": lambda w, p: w.choice([2, 3, -1, 1, 5]),
    "yes": lambda w, p: w.choice([True, False]),
    "kept": lambda w, p: w.choice(["", "", ", keepdims=True"]),
    "dtype": lambda w, p: "tf." + w.choice(
        ["float32", "float64", "int32", "int64", "bool", *SMALL, "complex64"]
    ),
}  # fmt: skip
AXED = ("fr", "nr", "ar", "br", "wr", "fm", "fv", "nv")
_add_lines()


@template(4)
def concat(w):
    x = w.pick(None, (1, 2, 3))
    shape, n = w[x].shape, w.axis(x)
    rest = lambda s: s[: n % len(s)] + s[n % len(s) + 1 :]
    y = w.like(x, len(shape), lambda v: rest(v.shape) == rest(shape))
    return f"tf.concat([{x}, {y}, {x}], {n})"


@template(4)
def stack(w):
    x = w.pick()
    y = w.like(x, where=lambda v: v.shape == w[x].shape)
    return f"tf.stack([{x}, {y}], {w.axis(x, 1)})"


@template(3)
def unstack(w):
    x = w.pick(None, (1, 2, 3))
    axis = w.axis(x)
    n = w[x].shape[axis] if not w.wild and -w[x].ndim <= axis < w[x].ndim else 2
    if n < 2:
        raise Unfit
    return n, f"tf.unstack({x}, axis={axis})"


@template(3)
def split(w):
    x = w.pick(None, (1, 2, 3))
    axis = w.axis(x)
    n = w[x].shape[axis] if -w[x].ndim <= axis < w[x].ndim else 3
    if w.chance(0.5):
        first = w.between(0, n)
        return 2, f"tf.split({x}, [{first}, {n - first}], {axis})"
    parts = w.choice([k for k in (2, 3) if w.wild or n % k == 0] or [2])
    return parts, f"tf.split({x}, {parts}, {axis})"


@template(3)
def tile(w):
    x = w.pick()
    times = [w.between(0, 2) for _ in w[x].shape]
    return f"tf.tile({x}, {times + [2] * (w.wild and w.chance(0.3))})"


@template(4)
def pad(w):
    x = w.number((1, 2, 3))
    amounts = [[w.between(0, 1), w.between(0, 1)] for _ in w[x].shape]
    if w.wild and w.chance(0.3):
        amounts = amounts[:-1]
    mode = w.choice(["CONSTANT", "CONSTANT", "REFLECT", "SYMMETRIC"])
    return f"tf.pad({x}, {amounts}, '{mode}')"


@template(4)
def gather(w):
    x = w.pick(None, (1, 2, 3))
    axis = w.axis(x)
    n = w[x].shape[axis] if -w[x].ndim <= axis < w[x].ndim else 2
    shape = w.choice([(), (2,), (3,), (2, 2), (0,)])
    places = [w.between(0, n - 1) for _ in range(int(np.prod(shape)))]
    ids = literal(np.array(places, w.choice(["int32", "int64"])).reshape(shape))
    return f"tf.gather({x}, {ids}, axis={axis})"


@template(2)
def gather_nd(w):
    x = w.pick(None, (1, 2, 3))
    depth = w.between(1, w[x].ndim)
    rows = [
        [w.between(0, (*w[x].shape, 1, 1)[i] - 1) for i in range(depth)]
        for _ in range(w.between(1, 3))
    ]
    return f"tf.gather_nd({x}, {rows})"


@template(2)
def scatter_nd(w):
    x = w.number((1, 2))
    n = w[x].shape[0]
    if not n:
        raise Unfit
    size = w.between(1, 4)
    rows = [[w.between(0, size - 1)] for _ in range(n)]
    return f"tf.scatter_nd({rows}, {x}, {[size, *w[x].shape[1:]]})"


@template(3)
def reshape(w):
    x = w.pick()
    n = w[x].size
    shapes = [[n], [1, n], [n, 1], [-1, 1]]
    shapes += [[k, n // k] for k in (2, 3) if n % k == 0]
    shapes += [[n + 1], [-1, -1], [-2], [2, -1]] * w.wild
    return f"tf.reshape({x}, {w.choice(shapes)})"


@template(3)
def transpose(w):
    x = w.pick(None, (2, 3))
    order = list(range(w[x].ndim))
    w.random.shuffle(order)
    if w.wild and w.chance(0.5):
        order[0] = w.choice([5, -1, order[-1]])
    return f"tf.transpose({x}, {order})"


@template(3)
def slice_(w):
    x = w.pick(None, (1, 2, 3))
    begin = [w.between(0, n) for n in w[x].shape]
    size = [w.choice([-1, w.between(0, n - b)]) for n, b in zip(w[x].shape, begin)]
    return f"tf.slice({x}, {begin}, {size})"


@template(4)
def strided(w):
    x = w.pick(None, (1, 2, 3))
    kept = w[x].shape[: max(1, w.between(1, 3))] or (1,)
    return f"{x}[{', '.join(_index(w, n) for n in kept)}]"


def _index(w, n):
    if w.chance(0.2):
        return w.choice(["tf.newaxis", "..."])
    if w.chance(0.3):
        return str(w.between(-n, n - 1))
    ends = [w.choice(["", w.between(-n - 1, n + 1)]) for _ in range(2)]
    return "{}:{}:{}".format(*ends, w.choice(["", 1, 2, -1, -2]))


@template(4)
def matmul(w):
    x = w.floating(2)
    flip_x, flip_y = w.chance(0.3), w.chance(0.3)
    inner = w[x].shape[0 if flip_x else -1] if w[x].ndim else 1
    place = -1 if flip_y else 0
    y = w.like(x, 2, lambda v: v.ndim == 2 and v.shape[place] == inner)
    return f"tf.matmul({x}, {y}, transpose_a={flip_x}, transpose_b={flip_y})"


@template(2)
def batch_matmul(w):
    x = w.floating(3)
    return f"tf.matmul({x}, {w.like(x, 3)}, transpose_b=True)"


@template(2)
def einsum(w):
    x = w.floating(2)
    form = w.choice(["ij,ij->i", "ij,kj->ik", "ij,ij->", "ij,ik->jk"])
    return f"tf.einsum('{form}', {x}, {w.like(x, 2)})"


@template(3)
def solving(w):
    x = w.pick(("float32", "float64"), 2, lambda v: v.shape[0] > 0)
    square = f"tf.matmul({x}, {x}, transpose_b=True)"
    square += f" + tf.eye({w[x].shape[0]}, dtype={x}.dtype)"
    ops = ["tf.cholesky", "tf.matrix_inverse", "tf.matrix_determinant"]
    ops += ["tf.linalg.logdet", "tf.self_adjoint_eigvals"]
    if w.chance(0.4):
        return f"tf.matrix_solve({square}, {w.like(x, 2)})"
    return f"{w.choice(ops)}({square})"


@template(3)
def convolution(w):
    x = w.floating(where=lambda v: v.size and v.size <= 64)
    n = w[x].size
    form = w.choice([f"[1, {n}, 1, 1]", f"[{n}, 1, 1, 1]", f"[1, 1, {n}, 1]"])
    if n % 4 == 0:
        form = w.choice([f"[1, 2, 2, {n // 4}]", f"[1, {n // 2}, 2, 1]", form])
    image, dtype = f"tf.reshape({x}, {form})", w[x].dtype
    depth = eval(form)[-1]
    padding = w.choice(["'SAME'", "'VALID'"])
    if w.chance(0.5):
        k = w.literal(str(dtype), (w.between(1, 2), 1, depth, 2))
        return f"tf.nn.conv2d({image}, {k}, [1, {w.between(1, 2)}, 1, 1], {padding})"
    if w.chance(0.3):
        k = w.literal(str(dtype), (2, 1, depth, 2))
        return f"tf.nn.depthwise_conv2d({image}, {k}, [1, 1, 1, 1], {padding})"
    pool = w.choice(["max_pool", "avg_pool"])
    sizes = f"[1, {w.between(1, 2)}, {w.between(1, 2)}, 1]"
    return f"tf.nn.{pool}({image}, {sizes}, [1, {w.between(1, 2)}, 1, 1], {padding})"


@template(2)
def conv1d(w):
    x = w.floating(3)
    k = w.literal(str(w[x].dtype), (2, w[x].shape[-1], 2))
    return f"tf.nn.conv1d({x}, {k}, 1, '{w.choice(['SAME', 'VALID'])}')"


@template(3)
def entropy(w):
    x = w.floating(2, lambda v: v.size)
    n, k = w[x].shape if w[x].ndim == 2 else (2, 2)
    if w.chance(0.5):
        labels = [w.between(0, k - 1) for _ in range(n)]
        f = "tf.nn.sparse_softmax_cross_entropy_with_logits"
        return f"{f}(labels={labels}, logits={x})"
    y = w.like(x, 2, lambda v: v.shape == w[x].shape)
    f = w.choice(["softmax", "sigmoid"])
    end = "_v2" * (f == "softmax" and w.chance(0.5))
    labels = f"tf.nn.softmax({y})"
    return f"tf.nn.{f}_cross_entropy_with_logits{end}(labels={labels}, logits={x})"


@template(3)
def segments(w):
    x = w.number((1, 2))
    n = w[x].shape[0]
    ids = [w.between(0, 2) for _ in range(n)]
    f = w.choice(["sum", "mean", "max", "min", "prod"])
    if w.chance(0.5):
        g = w.choice(["sum", "max", "min", "prod", "mean", "sqrt_n"])
        return f"tf.unsorted_segment_{g}({x}, {ids}, {w.between(3, 4)})"
    ids = ids if w.wild else sorted(ids)
    return f"tf.segment_{f}({x}, {ids})"


@template(2)
def sparse(w):
    x = w.floating(2, lambda v: v.size)
    rows = w[x].shape[0] if w[x].ndim else 2
    m = w.between(1, 3)
    places = sorted({(w.between(0, m - 1), w.between(0, rows - 1)) for _ in range(3)})
    values = w.literal(str(w[x].dtype), (len(places),))
    s = f"tf.SparseTensor({[list(p) for p in places]}, {values}, [{m}, {rows}])"
    f = w.choice(["tf.sparse_tensor_to_dense({})", "tf.sparse_reduce_sum({}, 1)"])
    f = w.choice(
        [
            f,
            f"tf.sparse_tensor_dense_matmul({{}}, {x})",
            "tf.sparse_add({0}, {0}).values",
        ]
    )
    return f.format(s)


@template(2)
def partition(w):
    x = w.pick(None, (1, 2))
    parts = [w.between(0, 1) for _ in range(w[x].shape[0])]
    return 2, f"tf.dynamic_partition({x}, {parts}, 2)"


@template(2)
def stitch(w):
    x = w.number((1, 2))
    n = w[x].shape[0]
    order = list(range(n))
    w.random.shuffle(order)
    return f"tf.dynamic_stitch([{order}, [{w.between(0, n)}]], [{x}, {x}[:1]])"


@template(1)
def blocks(w):
    x = w.number(where=lambda v: v.size and v.size % 4 == 0 and v.size <= 64)
    n = w[x].size // 4
    image = f"tf.reshape({x}, [1, 2, 2, {n}])"
    if w.chance(0.3):
        return f"tf.space_to_depth({image}, 2)"
    if w.chance(0.3):
        return f"tf.space_to_batch_nd({image}, [2, 2], [[0, 0], [0, 0]])"
    return f"tf.depth_to_space(tf.reshape({x}, [1, 1, {n}, 4]), 2)"


@template(1)
def norms(w):
    x = w.floating(2, lambda v: v.size)
    mean, variance = f"tf.reduce_mean({x}, 0)", f"tf.abs(tf.reduce_max({x}, 0))"
    if w.chance(0.5):
        return f"tf.nn.batch_normalization({x}, {mean}, {variance}, None, None, 0.1)"
    return f"tf.nn.bias_add({x}, {w.like(x, 1)})"


@template(1)
def sequences(w):
    x = w.pick(None, (2, 3))
    n, most = w[x].shape[:2]
    lengths = [w.between(0, most) for _ in range(n)]
    return f"tf.reverse_sequence({x}, {lengths}, seq_axis=1, batch_axis=0)"


@template(1)
def lookup(w):
    x = w.floating((1, 2), lambda v: v.size)
    ids = [w.between(0, w[x].shape[0] - 1) for _ in range(w.between(1, 3))]
    return f"tf.nn.embedding_lookup({x}, {ids})"


@template(1)
def constants(w):
    dtype = w.choice([*ANY, "object"])
    return f"tf.constant({w.literal(dtype, w.choice([(), (2,), (2, 3), (3,)]))})"
