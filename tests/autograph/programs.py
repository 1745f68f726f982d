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
