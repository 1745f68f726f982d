"""Programs with Python's control flow, each with arguments to run it on."""

import numpy as np

import twinflow as tf

ROW = np.array([1.0, -2.0, 3.0, 0.5], np.float32)
TABLE = np.arange(6, dtype=np.float32).reshape(3, 2)
PROGRAMS: dict = {}


def program(*args):
    """Put a function and its arguments into the table."""

    def put(function):
        PROGRAMS[function.__name__] = (function, args)
        return function

    return put


# ---------------------------------------------------------------- branches
@program(np.float32(3.0))
@program(np.float32(-3.0))
def absolute(x):
    if x < 0:
        x = -x
    return x


@program(np.float32(2.0), np.float32(5.0))
def two_outputs(x, y):
    a = b = 0.0
    if x < y:
        a = y - x
    else:
        b = x - y
    return a, b


@program(np.float32(0.5))
def chain_of_tests(x):
    if x > 2.0:
        y = x
    elif x > 1.0:
        y = x * 2.0
    elif x > 0.0:
        y = x * 3.0
    else:
        y = x * 4.0
    return y


@program(np.float32(0.5))
def early_return(x):
    if x > 1.0:
        return x * x
    if x > 0.0:
        return x + 1.0
    return -x


@program(np.float32(2.5))
def nested_branches(x):
    if x > 0.0:
        if x > 2.0:
            y = x * x
        else:
            y = x
        y = y + 1.0
    else:
        y = x - 1.0
    return y


@program(np.float32(2.0))
def ternaries(x):
    y = x if x > 3.0 else x * x
    return y + (1.0 if y < 1.0 else 2.0)


@program(np.float32(2.0))
def python_flags(x, training=True):
    if training:
        x = x * 2.0
    if not training or x > 100.0:
        x = x + 1.0
    return x


@program(np.float32(1.0), np.float32(2.0))
def connectives(x, y):
    if x > 0.0 and y > 0.0 and not x > y:
        return x + y
    if x < 0.0 or y < 0.0:
        return x - y
    return x * y


@program(ROW, np.int32(7))
def guarded_index(x, i):
    if i < 4 and x[i] > 0.0:
        return x[i]
    return tf.reduce_sum(x)


@program(np.float32(2.0))
def comparisons_in_a_row(x):
    if 0.0 < x <= 2.0 != 3.0:
        return x * 5.0
    return x


@program(np.float32(2.0))
def structures(x):
    d = {"a": x, "b": (x, x + 1.0)}
    if x > 1.0:
        d = {"a": x * 2.0, "b": (x, x * 3.0)}
    return d["a"] + d["b"][1]


@program(np.float32(3.0))
def one_side_keeps_none(x):
    best = None
    if best is None:
        best = x
    if best > 1.0:
        best = best - 1.0
    return best


@program(np.float32(3.0))
def attributes(x):
    class_like = Holder()
    class_like.value = x
    if x > 1.0:
        class_like.value = x * 2.0
    return class_like.value


class Holder:
    """Has attributes."""


@program(np.float32(1.5))
def numbers_meet_tensors(x):
    y = 1
    if x > 1.0:
        y = x
    else:
        y = 2.0
    return y * 2.0


# ---------------------------------------------------------------- while
@program(np.int32(10))
def count_down(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@program(np.float32(100.0))
def halve(x):
    while x > 1.0:
        x = x / 2.0
    return x


@program(np.int32(20))
def collatz_like(n):
    steps = 0
    while n > 1:
        if tf.equal(n % 2, 0):
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program(np.float32(2.0))
def newton(x):
    guess = x
    while tf.abs(guess * guess - x) > 1e-3:
        guess = (guess + x / guess) / 2.0
    return guess


@program(np.int32(30))
def while_break(n):
    i = 0
    while True:
        i += 3
        if i > n:
            break
    return i


@program(np.int32(12))
def while_continue(n):
    total = 0
    i = 0
    while i < n:
        i += 1
        if tf.equal(i % 3, 0):
            continue
        total += i
    return total


@program(np.int32(5))
def nested_while(n):
    i, s = 0, 0
    while i < n:
        j = 0
        while j < i:
            s += j
            j += 1
        i += 1
    return s, i


@program(np.int32(5))
def while_else(n):
    i = 0
    while i < n:
        i += 1
        if i == 100:
            break
    else:
        i = -i
    return i


@program(np.int32(9))
def walrus(n):
    total = 0
    while (n := n - 2) > 0:
        total += n
    return total, n


@program(np.int32(17))
def return_in_while(n):
    i = 0
    while i < n:
        if i * i > n:
            return i * 100
        i += 1
    return i


@program(np.float32(1.0))
def python_while(x):
    k = 3
    while k:
        x = x * 2.0
        k -= 1
    return x


# ---------------------------------------------------------------- for
@program(ROW)
def sum_of_rows(x):
    s = 0.0
    for v in x:
        s += v
    return s


@program(TABLE)
def rows_of_a_table(x):
    best = x[0]
    for row in x:
        if tf.reduce_sum(row) > tf.reduce_sum(best):
            best = row
    return best


@program(np.int32(6))
def range_of_tensor(n):
    s = 0
    for i in range(n):
        s += i * i
    return s


@program(np.int32(2), np.int32(11))
def range_with_step(a, b):
    s = 0
    for i in range(b, a, -3):
        s = s * 10 + i
    return s


@program(ROW)
def tf_range(x):
    s = 0.0
    for i in tf.range(4):
        s += x[i] * tf.cast(i, tf.float32)
    return s


@program(ROW)
def enumerated(x):
    s = 0.0
    for i, v in enumerate(x):
        s += v * tf.cast(i, tf.float32)
    return s


@program(ROW, ROW * 2)
def zipped(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    return s


@program(ROW)
def for_break(x):
    s = 0.0
    for v in x:
        if v < 0.0:
            break
        s += v
    return s


@program(ROW)
def for_continue(x):
    s = 0.0
    for v in x:
        if v < 0.0:
            continue
        s += v
    return s


@program(ROW)
def return_in_for(x):
    for v in x:
        if v > 2.0:
            return v * 10.0
    return tf.constant(-1.0)


@program(ROW)
def for_else(x):
    for v in x:
        if v > 100.0:
            break
    else:
        x = -x
    return x


@program(TABLE)
def nested_for(x):
    s = 0.0
    for row in x:
        for v in row:
            if v > 4.0:
                break
            s += v
    return s


@program(np.float32(2.0))
def python_for_with_tensor_break(x):
    s = 0.0
    for k in [1.0, 2.0, 3.0, 4.0]:
        if k > x:
            break
        s += k * x
    return s


@program(ROW)
def reversed_rows(x):
    s = 0.0
    for v in reversed(x if isinstance(x, list) else tf.unstack(x)):
        s = s * 2.0 + v
    return s


@program(np.int64(4))
def dataset_elements(n):
    s = tf.constant(0, tf.int64)
    for i in tf.data.Dataset.range(5):
        s += i * n
    return s


@program(np.int64(4))
def dataset_numbered(n):
    s = tf.constant(0, tf.int64)
    for i, (a, b) in enumerate(tf.data.Dataset.from_tensor_slices(([1, 2], [3, 4]))):
        s += tf.cast(a * b + i, tf.int64) * n
    return s


@program(np.int64(3))
def dataset_break(n):
    s = tf.constant(0, tf.int64)
    for i in tf.data.Dataset.range(10).repeat():
        if i > n:
            break
        s += i
    return s


# ---------------------------------------------------------------- lists
@program(ROW)
def append_each(x):
    out = []
    for v in x:
        out.append(v * 2.0)
    return tf.stack(out)


@program(ROW)
def append_some(x):
    out = []
    for v in x:
        if v > 0.0:
            out.append(v * v)
    return tf.stack(out), len(out)


@program(np.int32(5))
def append_in_while(n):
    out = [tf.constant(100)]
    i = 0
    while i < n:
        out.append(i * i)
        i += 1
    return tf.stack(out)


@program(ROW)
def append_and_pop(x):
    out = []
    for v in x:
        out.append(v)
    last = out.pop()
    return tf.stack(out) * last


@program(ROW)
def lists_in_branches_of_one_length(x):
    out = []
    if x[0] > 0.0:
        out.append(x * 2.0)
    else:
        out.append(x)
    return out[0]


@program(np.float32(3.0))
def lists_in_branches(x):
    out = [x]
    if x > 1.0:
        out.append(x * 2.0)
        out.append(x * 3.0)
    else:
        out.append(-x)
    return tf.stack(out)


@program(ROW)
def list_items(x):
    acc = [x[0], x[1]]
    for v in x:
        acc[0] = acc[0] + v
        acc[1] = acc[1] * v
    return acc[0] + acc[1]


@program(TABLE)
def list_of_rows_joined(x):
    out = []
    for row in x:
        out.append(row * 2.0)
    return tf.concat(out, 0)


@program(ROW)
def comprehension(x):
    return tf.add_n([x * k for k in range(3) if k != 1])


# ---------------------------------------------------------------- calls
def _helper(v):
    if v > 0.0:
        return v * 3.0
    return -v


@program(ROW)
def calls_functions(x):
    s = 0.0
    for v in x:
        s += _helper(v)
    return s


@program(np.float32(2.0))
def closures(x):
    def inner(y):
        if y > x:
            return y - x
        return x * k

    k = 5.0
    return inner(x + 1.0) + inner(x - 1.0)


@program(np.float32(4.0))
def lambdas(x):
    f = lambda y: y * 2.0 if y > 3.0 else y
    return f(x) + f(x - 2.0)


def _power(x, n):
    if n < 1:
        return 1.0
    return x * _power(x, n - 1)


@program(np.float32(3.0))
def recursion(x):
    return _power(x, 3)


class _Counter:
    def __init__(self, step):
        self.step = step
        self.__hidden = 2.0

    def add(self, x):
        while x < 10.0:
            x = x + self.step * self.__hidden
        return x


class _Doubler(_Counter):
    def add(self, x):
        if x > 0.0:
            x = super().add(x)
        return x * 2.0


@program(np.float32(1.0))
def methods(x):
    return _Doubler(1.5).add(x)


@program(np.float32(1.0))
def default_arguments(x, *rest, scale=2.0, **more):
    if x > 0.0:
        x = x * scale
    return x + len(rest) + len(more)


# ---------------------------------------------------------------- builtins
@program(ROW)
def builtins(x):
    n = int(x.shape[0])
    if n > 3:
        x = x * float(n)
    return max(x[0], x[1]) + min(x) + sum(x) + abs(x[1]) + float(int(x[2]))


@program(np.float32(2.5))
def conversions(x):
    n = int(x)
    s = 0
    for i in range(n):
        s += i + 1
    return float(s) * x


@program(np.float32(2.0))
def try_and_with(x):
    with tf.name_scope("inner"):
        try:
            if x > 1.0:
                x = x * 2.0
        finally:
            x = x + 1.0
    return x


@program(np.float32(2.0))
def annotated(x):
    y: float = 0.0
    if x > 1.0:
        y: float = x
    return y


@program(np.float32(2.0))
def global_names(x):
    global _seen
    _seen = x
    if x > 1.0:
        _seen = x * 3.0
    return _seen


_seen = None


@program(TABLE)
def power_iteration(a):
    m = tf.matmul(a, a, transpose_b=True)
    v = tf.ones([3, 1])
    i = 0
    while i < 5:
        w = tf.matmul(m, v)
        v = w / tf.norm(w)
        i = i + tf.constant(1)
    return tf.squeeze(v)


@program(np.float32(0.0))
def state_machine(x):
    state, steps = 0, 0
    while state < 3 and steps < 20:
        steps = steps + tf.constant(1)
        if state < 1:
            state = 1
            x = x + 1.0
        elif state < 2:
            state = 2 if x > 2.0 else 0
        else:
            state = 3
    return x, steps


@program(ROW)
def swaps(x):
    moved = True
    while moved:
        moved = False
        for i in range(tf.size(x) - 1):
            if x[i] > x[i + 1]:
                places = tf.range(4)
                here = tf.where(tf.equal(places, i), tf.fill([4], i + 1), places)
                order = tf.where(tf.equal(places, i + 1), tf.fill([4], i), here)
                x = tf.gather(x, order)
                moved = True
    return x


@program(np.int32(13))
def stack_of_digits(n):
    digits, total = [], 0
    while n > 0:
        digits.append(n % 2)
        n = n // 2
    while len(digits) > 0:
        total = total * 2 + digits.pop()
    return total


@program(np.array([1, -2, 3], np.int32))
def dynamic_items(x):
    acc = [x[0], x[1], x[2]]
    for i in tf.range(3):
        acc[i] = acc[i] * 2
    return tf.stack(acc)
