"""Random programs as Python text that runs under twinflow and TensorFlow 1.12.

A Writer runs each line that it adds, so that the next one can use what it gave: its
dtype, shape and value. Most lines fit; in a faulty program the last line is drawn
without looking at what fits. `tests.support.programs_run` says what a program may use.
"""

import math
import random as random_module
import re

import numpy as np

import twinflow as tf
from tests.support.programs_run import gradients
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

MOST_ELEMENTS, MOST_STRING, LARGEST = 200, 60, 1e5
ANY_FLOAT = ("float32", "float64", "float16")
FLOATS, INTS = ("float32", "float64"), ("int32", "int64")
SMALL = ("uint8", "int8", "uint16", "int16", "float16")
DIMENSIONS = [(), (1,), (2,), (3,), (4,), (2, 3), (3, 2), (1, 3), (2, 1), (3, 3)]
DIMENSIONS += [(2, 2), (4, 1), (2, 3, 2), (1, 2, 3), (2, 2, 1), (0,), (0, 3), (2, 0)]
WORDS = [b"", b"a", b"bc", b"Def g", b"1.5", b"-3", b"x,y", b"7"]


class Unfit(Exception):
    """A line that is not wanted: nothing fits, or what it gives is too large."""


class Writer:
    """Adds lines to a program, and runs them.

    Attributes:
        values: the arrays that can be used, by name. lines: those of the block being
            written. wild: whether choices ignore what fits. depth: of blocks.
    """

    def __init__(self, seed):
        self.random = random_module.Random(seed)
        self.values, self.lines, self.depth, self.count = {}, [], 0, 0
        self.wild, self.used, self.variables, self.made = False, set(), {}, set()
        self.attempt = ""
        self.scope = {"tf": tf, "tfe": tf.contrib.eager, "np": np}
        self.scope["G"] = gradients(tf, [], lambda: True)

    # -------------------------------------------------------------- choosing
    def chance(self, p):
        return self.random.random() < p

    def choice(self, options):
        return self.random.choice(list(options))

    def name(self, letter="t"):
        self.count += 1
        return f"{letter}{self.count}"

    def fitting(self, dtypes=None, ndim=None, where=None):
        """The names of the values that fit, or of all where the Writer is wild."""
        if self.wild and self.chance(0.4):
            return list(self.values)
        return [
            n for n, v in self.values.items()
            if (dtypes is None or str(v.dtype) in dtypes)
            and (ndim is None or v.ndim in np.atleast_1d(ndim))
            and (where is None or where(v))
        ]  # fmt: skip

    def pick(self, dtypes=None, ndim=None, where=None):
        """The name of a value that fits; later ones are likelier."""
        names = self.fitting(dtypes, ndim, where)
        if not names:
            raise Unfit
        place = max(self.random.randrange(len(names)) for _ in range(2))
        return names[place]

    def floating(self, ndim=None, where=None):
        return self.pick(
            (*FLOATS, "float16") if self.chance(0.1) else FLOATS, ndim, where
        )

    def number(self, ndim=None, where=None):
        return self.pick((*FLOATS, *INTS), ndim, where)

    def like(self, name, ndim=None, where=None):
        """Another value of the dtype of `name`."""
        return self.pick((str(self[name].dtype),), ndim, where)

    def beside(self, name):
        """Another value of the same dtype that broadcasts with `name`."""
        a = self[name]
        return self.like(name, where=lambda v: _broadcast(a.shape, v.shape))

    def __getitem__(self, name):
        return self.values[name]

    def axis(self, name, extra=0):
        """An axis of a value, maybe counted from its end."""
        n = self[name].ndim + extra
        if self.wild and self.chance(0.4):
            return self.choice([n, -n - 1, 0, 1, 2, -2])
        if n == 0:
            raise Unfit
        return self.random.randrange(-n, n)

    def between(self, low, high):
        """An integer, low <= i <= high, or around it where the Writer is wild."""
        if self.wild and self.chance(0.4):
            return self.choice([low - 1, high + 1, low, -1, 0])
        if high < low:
            raise Unfit
        return self.random.randint(low, high)

    def numbers(self, dtype, shape):
        """An array of plain numbers (or words, or truth values)."""
        size = math.prod(shape)
        draw = self.random
        if dtype == "object":
            flat = [draw.choice(WORDS) for _ in range(size)]
        elif dtype == "bool":
            flat = [draw.random() < 0.5 for _ in range(size)]
        elif np.dtype(dtype).kind in "ui":
            low = 0 if dtype.startswith("u") else -4
            flat = [draw.randint(low, 7) for _ in range(size)]
        elif np.dtype(dtype).kind == "c":
            flat = [complex(_plain(draw), _plain(draw)) for _ in range(size)]
        else:
            flat = [_plain(draw) for _ in range(size)]
        return np.array(flat, dtype).reshape(shape)

    def literal(self, dtype, shape):
        return literal(self.numbers(dtype, shape))

    # -------------------------------------------------------------- writing
    def steps(self):
        """How many lines there are, those of blocks included."""
        return sum(" = " in line for line in self.lines)

    def scope_constant(self, value):
        return np.array(value, np.int32)

    def scope_dtype(self, name):
        return f"tf.{self[name].dtype}"

    def latest(self, dtypes=(*ANY_FLOAT, *INTS)):
        """The last number that the block has made, or None."""
        made = [n for n in self.values if n in self.made and n[0] == "t"]
        fit = [n for n in made if str(self[n].dtype) in dtypes]
        return fit[-1] if fit else None

    def is_odd(self, error):
        """Whether an error is none that a wrong call may raise."""
        return not isinstance(error, tf.errors.OpError | TypeError | ValueError)

    def keep(self, lines, names):
        """Keep lines that ran, if what they give is wanted."""
        found = {n: array_of(self.scope[n]) for n in names}
        if not all(self.is_wanted(v) for v in found.values()):
            raise Unfit
        self.lines += lines
        self.values.update(found)
        self.made |= set(names)
        self.used |= set(re.findall(r"\b[tx]\d+\b", " ".join(lines))) - set(names)

    def run(self, text):
        with dispatch.entered(MODE):
            exec(text, self.scope)

    def add(self, names, text):
        """Run a line that makes `names`, and keep it if what it gives is wanted."""
        self.run(text)
        self.keep([text], names)

    def is_wanted(self, v):
        """Whether a value is small enough, and finite mostly."""
        if v.dtype == object:
            return v.size <= 20 and all(len(s) <= MOST_STRING for s in v.flat)
        if v.size > MOST_ELEMENTS:
            return False
        if v.dtype.kind in "fc" and v.size:
            with np.errstate(invalid="ignore", over="ignore"):
                tame = bool((np.abs(v) <= LARGEST).all())
            return tame or self.chance(0.05)
        return True

    def block(self, header, arguments, steps, result):
        """The lines of a function, and the name of it.

        Args:
            header: its name. arguments: {parameter: value while it is written}.
            steps: adds lines. result: () -> the text of what it returns.
        """
        outer, values, used = self.lines, self.values, self.used
        made, self.made = self.made, set()
        self.lines, self.values, self.depth = [], dict(values), self.depth + 1
        try:
            for name, (text, value) in arguments.items():
                self.run(f"{name} = {text}")
                self.values[name] = value
            steps()
            last = f"return {result()}"
            body = [*self.lines, last]
        finally:
            self.lines, self.values, self.depth = outer, values, self.depth - 1
            self.made = made
        self.used = used | self.used
        lines = [f"def {header}({', '.join(arguments)}):", *("    " + s for s in body)]
        self.run("\n".join(lines))
        return lines


def _plain(draw):
    return draw.choice(
        [draw.randint(-3, 4), draw.randint(-12, 12) / 4, draw.gauss(0, 1)]
    )


def _broadcast(a, b):
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def array_of(value):
    """The value of a tensor as an ndarray."""
    a = value.numpy()
    return np.array(a, object) if isinstance(a, bytes) else np.asarray(a)


def literal(a):
    """Python text of an array."""
    dtype = "object" if a.dtype == object else f"'{a.dtype}'"
    text = f"np.array({a.tolist()!r}, {dtype})"
    if 0 in a.shape:
        text += f".reshape({a.shape})"
    return text
