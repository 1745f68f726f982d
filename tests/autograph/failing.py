"""Programs that fail in converted code, each at a line that says `# here`."""

import numpy as np

import twinflow as tf

FAILING: dict = {}


def failing(kind, text, *args):
    """Put a function, its error and its arguments into the table."""

    def put(function):
        FAILING[function.__name__] = (function, kind, text, args)
        return function

    return put


ROW = np.array([1.0, 2.0, 3.0], np.float32)


@failing(TypeError, "int32", ROW)
def dtype_changes(x):
    total = 0  # before
    for v in x:
        total = total + v  # here
    return total


@failing(ValueError, r"\(1,\)", ROW)
def shape_changes(x):
    out = x[:1]  # before
    for v in x:
        out = tf.concat([out, [v]], 0)  # here
    return out


@failing(TypeError, "None", ROW)
def kind_changes(x):
    best = None  # before
    for v in x:
        best = v  # here
    return best


@failing(ValueError, "no value before", ROW)
def undefined_before_a_loop(x):
    for v in x:
        last = v * 2.0  # here
    return last


@failing(ValueError, "in one branch only", np.float32(1.0))
def undefined_in_a_branch(x):
    if x > 0.0:  # before
        y = x * 2.0  # here
    return y


@failing(TypeError, "both branches", np.float32(1.0))
def dtypes_of_branches(x):
    if x > 0.0:
        y = tf.constant(1)  # before
    else:
        y = x  # here
    return y


@failing(TypeError, "both branches", np.float32(1.0))
def kinds_of_branches(x):
    if x > 0.0:
        y = x  # before
    else:
        y = "text"  # here
    return y


@failing(TypeError, "bool scalar", ROW)
def condition_is_no_scalar(x):
    while x > 0.0:  # here
        x = x - 1.0
    return x


@failing(tf.errors.InvalidArgumentError, "too small", np.float32(-1.0))
def assertion(x):
    if x < 5.0:
        assert x > 0.0, "too small"  # here
    return x


@failing(tf.errors.InvalidArgumentError, "not in", np.int32(7))
def index_at_run_time(i):
    s = 0.0
    while i < 9:
        s = s + tf.gather(ROW, i)  # here
        i = i + 1
    return s


@failing(ValueError, "[Dd]imension|shape", ROW)
def shapes_inside_a_branch(x):
    if x[0] > 0.0:
        x = tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))  # here
    return x


def _called(v):
    return v + tf.ones([4])  # here


@failing(ValueError, "[Dd]imension|shape", ROW)
def inside_a_called_function(x):
    s = x
    for _ in range(2):
        if s[0] > 0.0:
            s = _called(s)
    return s


@failing(ZeroDivisionError, "division by zero", ROW)
def error_of_python(x):
    for v in x:
        x = x * (1 / 0) * v  # here
    return x


@failing(TypeError, "one dtype", ROW)
def list_of_two_dtypes(x):
    out = []
    for v in x:
        out.append(v)
        out.append(tf.cast(v, tf.int32))  # here
    return tf.stack(out)


@failing(TypeError, "'match' at", np.float32(1.0))
def match_is_refused(x):
    match 1:  # here
        case 1:
            y = x
    if y > 0.0:
        y = y * 2.0
    return y


@failing(UnboundLocalError, "y", np.float32(1.0))
def read_before_assignment(x):
    if x is None:
        y = x
    return x + y  # here


@failing(ValueError, "pop", ROW)
def pop_that_may_not_be_reached(x):
    found = [x[0], x[1]]
    return found.pop() if x[0] > 5.0 else x[2]  # here


@failing(TypeError, "'yield' .a generator.", np.float32(1.0))
def generator_is_refused(x):
    if x > 0.0:
        yield x  # here


def _gives_some(x):  # here
    if x > 0.0:
        yield x


@failing(TypeError, "_gives_some was not converted", np.float32(1.0))
def generator_that_asks_a_tensor(x):
    total = x
    for v in _gives_some(x):  # here
        total += v
    return total


@failing(TypeError, "'async def'", np.float32(1.0))
async def async_is_refused(x):  # here
    return x


@failing(TypeError, "':=' at a place", np.float32(1.0))
def assignment_that_may_not_be_reached(x):
    return (y := x) * y if x > 0.0 else -x  # here


@failing(TypeError, "dict of 2", ROW)
def keys_change(x):
    d = {"a": x[0]}  # before
    for v in x:
        d = {"a": v, "b": v}  # here
    return d["a"]


@failing(TypeError, "tuple of 2", ROW)
def tensor_becomes_tuple(x):
    s = x[0]  # before
    while tf.reduce_sum(s) < 10.0:
        s = (s, s)  # here
    return s


@failing(TypeError, "float64", ROW)
def precision_changes(x):
    s = x[0]  # before
    for _ in x:
        s = tf.cast(s, tf.float64) + 1.0  # here
    return s


@failing(TypeError, "int32", np.float32(1.0))
def returned_dtypes(x):
    if x > 0.0:
        return x  # before
    return tf.constant(1)  # here


@failing(TypeError, "attribute|'o.n' changes", ROW)
def attribute_changes(x):
    o = type("Holder", (), {})()
    o.n = tf.constant(1)  # before
    for v in x:
        o.n = v  # here
    return o.n


@failing(ValueError, "in a while loop", ROW)
def changed_by_an_inner_function(x):
    total = tf.constant(0.0)

    def add(v):
        nonlocal total
        total = total + v  # here

    for v in x:
        add(v)
    return total


@failing(TypeError, "comprehension over", ROW)
def comprehension_of_unknown_length(x):
    some = tf.boolean_mask(x, x > 1.0)
    return [v * 2.0 for v in some]  # here
