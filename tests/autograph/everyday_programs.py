"""Programs as people write them: decoders, searches, networks, data, objects."""

import numpy as np

import twinflow as tf
from tests.autograph.programs import ROW, TABLE, program

RNG = np.random.RandomState(0)
LOGITS = RNG.randn(6, 5).astype(np.float32)
W = RNG.randn(4, 4).astype(np.float32) * 0.5
SEQ = RNG.randn(5, 3, 4).astype(np.float32)


@program(LOGITS, np.int32(2))
def greedy_decoder(logits, end):
    out = []
    score = tf.constant(0.0)
    for step in logits:
        k = tf.argmax(step, output_type=tf.int32)
        score += tf.reduce_max(tf.nn.log_softmax(step))
        if tf.equal(k, end):
            break
        out.append(k)
    else:
        score = score - 1.0
    return tf.stack(out), score, len(out)


@program(LOGITS)
def beam_search_staged(logits):
    width = 3
    scores = tf.constant([0.0, -1e9, -1e9])
    paths = tf.zeros([3, 6], tf.int32)
    done = tf.fill([3], False)
    t = 0
    while t < 6 and not tf.reduce_all(done):
        lp = tf.nn.log_softmax(logits[t])
        total = tf.reshape(scores[:, None] + lp[None, :], [-1])
        best, index = tf.nn.top_k(total, width)
        parent, symbol = index // 5, index % 5
        column = tf.one_hot(t, 6, dtype=tf.int32)
        paths = tf.gather(paths, parent) * (1 - column) + symbol[:, None] * column
        done = tf.logical_or(tf.gather(done, parent), tf.equal(symbol, 2))
        scores = best
        t += 1
    return scores, paths, t


@program(np.int32(27))
def collatz_path(n):
    path, top = [n], n
    while n > 1:
        n = n // 2 if tf.equal(n % 2, 0) else 3 * n + 1
        top = max(top, n)
        path.append(n)
    return tf.stack(path), top


@program(np.float32(10.0))
def bisect(y):
    lo, hi = tf.constant(0.0), y
    for _ in range(50):
        mid = (lo + hi) / 2.0
        if abs(mid * mid - y) < 1e-4:
            return mid
        if mid * mid < y:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2.0


@program(SEQ, W, np.array([5, 2, 4], np.int32))
def rnn_early_stop(seq, w, lengths):
    h = tf.zeros([3, 4])
    outs = []
    for t, x in enumerate(seq):
        if t >= tf.reduce_max(lengths):
            break
        new = tf.tanh(tf.matmul(h, w) + x)
        alive = tf.to_float(t < lengths)[:, None]
        h = alive * new + (1.0 - alive) * h
        if tf.reduce_sum(h * h) > 11.0:
            continue
        outs.append(h)
    return h, len(outs)


@program(TABLE)
def dataset_loop(table):
    s = tf.constant(0.0)
    n = 0
    for row in tf.data.Dataset.from_tensor_slices(TABLE):
        if row[0] > 3.0:
            break
        s += tf.reduce_sum(row * table[n])
        n += 1
    return s, n


@program(np.array([[1, 5, 3], [7, 2, 8], [4, 4, 9]], np.int32))
def nested_break_else(m):
    found = -1
    for i in tf.range(3):
        for j in tf.range(3):
            if m[i, j] > 7:
                found = i * 3 + j
                break
        else:
            continue
        break
    else:
        found = -2
    return found


def power(x, n):
    if n == 0:
        return tf.ones_like(x)
    half = power(x, n // 2)
    if n % 2:
        return half * half * x
    return half * half


@program(ROW)
def recursion(x):
    return power(x, 5)


class Account:
    """A balance that a loop changes."""

    def __init__(self, start):
        self.balance = start

    def step(self, v):
        if v > 0.0:
            return self.balance + v
        elif self.balance + v < 0.0:
            return self.balance
        return self.balance + v * 2.0

    def rate(self):
        return 0.5 if self.balance > 1.0 else 0.25

    def __call__(self, xs):
        for v in xs:
            self.balance = self.step(v)
        return self.balance * self.rate()


@program(ROW)
def methods(x):
    return Account(tf.constant(1.0))(x)


@program(ROW, np.float32(2.0))
def closures(x, k):
    def make(scale):
        def f(v):
            if v > 0.0:
                return v * scale * k
            return -v

        return f

    functions = [make(float(i)) for i in range(3)]
    total = tf.constant(0.0)
    for v in x:
        for f in functions:
            total += f(v)
    return total


@program(ROW, ROW * 2)
def zip_enum(a, b):
    s = tf.constant(0.0)
    for i, (x, y) in enumerate(zip(a, b)):
        if i % 2 == 0:
            s += x * y
        else:
            s -= x if x > y else y
    for x, i in zip(a, range(10)):
        s += x * tf.to_float(i)
    for j in range(tf.constant(1), tf.constant(9), 3):
        s += tf.to_float(j)
    for j in reversed(range(3)):
        s = s * 1.1 + j
    return s


@program(ROW)
def comprehension(x):
    parts = [v * float(i) for i, v in enumerate(tf.unstack(x)) if i != 1]
    d = {k: tf.reduce_sum(x) * k for k in (1.0, 2.0)}
    total = d[1.0]
    for p in parts:
        if p > 0.0:
            total += p
    return total, sum(parts), [v * 2.0 for v in x]


@program(ROW)
def dict_and_tuple_state(x):
    st = {"sum": tf.constant(0.0), "n": 0}
    pair = (tf.constant(1.0), tf.constant(2.0))
    for v in x:
        st["sum"] += v
        st["n"] += 1
        pair = pair[1], pair[0] * v
    return st["sum"], st["n"], pair


@program(np.float32(3.0))
def newton(x):
    y = x
    steps = 0
    while True:
        nxt = 0.5 * (y + x / y)
        steps += 1
        if abs(nxt - y) < 1e-5 or steps > 20:
            break
        y = nxt
    return nxt, steps


@program(np.array([3, 1, 2, 0], np.int32), ROW)
def gather_until(nxt, x):
    i = tf.constant(0)
    seen = tf.zeros([4], tf.bool)
    total = tf.constant(0.0)
    while not seen[i]:
        total += x[i]
        seen = tf.logical_or(seen, tf.cast(tf.one_hot(i, 4), tf.bool))
        i = nxt[i]
    return total


@program(ROW)
def kwargs_star(x):
    def f(a, *rest, scale=2.0, **kw):
        t = a * scale
        for r in rest:
            if r > 0.0:
                t += r
        return t + kw.get("z", 0.0)

    return f(x[0], *tf.unstack(x[1:]), z=x[3]), f(x[1], scale=x[2])


@program(ROW)
def lambda_and_map(x):
    g = lambda v: v if v > 0.0 else -v * 2.0
    ys = list(map(g, tf.unstack(x)))
    return sum(ys), g(x[1]), tf.map_fn(g, x)


@program(ROW)
def chained_and_inplace(x):
    s = tf.constant(0.0)
    i = tf.constant(0)
    while 0 <= i < 4:
        s *= 2.0
        s += x[i]
        i += 2 if s > 0.0 else 1
    return s, i


@program(ROW)
def early_return_in_nested_loops(x):
    for i in tf.range(4):
        for j in tf.range(4):
            if x[i] * x[j] < -5.0:
                return x[i] + x[j] * 10.0
    return tf.constant(-1.0)
