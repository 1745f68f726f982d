"""Programs with lists, functions and Python's own functions: see programs."""

import numpy as np

import twinflow as tf
from tests.autograph.programs import ROW, TABLE, program


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
