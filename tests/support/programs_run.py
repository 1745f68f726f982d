"""Runs a random program eagerly, in a graph or as a function; notes what came of it.

The same file runs under twinflow and, with Python 3.6, under TensorFlow 1.12:
`PYTHON programs_run.py SOURCES.json RECORDS.pickle 0` writes two records a program. A
source defines ARRAYS, SHAPES, `variables()` and `program(*tensors)`, which returns a
list of tensors; it finds `tf`, `tfe`, `np`, `V` (its variables) and `G` (the gradients
of a function) as globals.
"""

import importlib
import json
import pickle
import re
import sys

import numpy as np


class Record(object):
    """What came of a program: arrays and notes, or an error.

    Attributes:
        arrays: the values of the outputs. notes: which gradients are None.
        error, text: the name of the class and the message. early: whether it came
            while a graph was built. line: of the program. raised: the exception itself.
    """

    def __init__(self, arrays=None, notes=(), raised=None, early=False, line=None):
        self.arrays, self.notes, self.early, self.line = arrays, notes, early, line
        self.raised, self.error, self.text = raised, None, ""
        if raised is not None:
            self.error = type(raised).__name__
            self.text = re.split(r"\s+\[\[|\n", str(raised))[0][:400]

    def __repr__(self):
        if self.error is not None:
            when = " while building" if self.early else ""
            return "{} in line {}{}: {}".format(self.error, self.line, when, self.text)
        return "\n  ".join(
            "{}{} {}".format(a.dtype, list(a.shape), a.tolist()) for a in self.arrays
        )

    def plain(self):
        """The record as a dict that any Python can unpickle."""
        arrays = self.arrays
        if arrays is not None:
            arrays = [(str(a.dtype), a.shape, a.tolist()) for a in arrays]
        fields = dict(vars(self), arrays=arrays)
        del fields["raised"]
        return fields


def from_plain(fields):
    """The Record that `plain` was asked of."""
    record = Record()
    vars(record).update(fields)
    if record.arrays is not None:
        record.arrays = [
            np.array(v, object if d == "object" else d).reshape(s)
            for d, s, v in record.arrays
        ]
    return record


def gradients(tf, notes, with_tape):
    """`G(f, *xs, note=False)`: the gradients of the sum of f(*xs), zeros for None."""

    def of(f, *xs, **options):
        xs = [x * 1 for x in xs]  # an identity is the same tensor in eager TensorFlow
        if with_tape():
            with tf.GradientTape() as tape:
                for x in xs:
                    tape.watch(x)
                y = f(*xs)
            slopes = tape.gradient(y, xs)
        else:
            slopes = tf.gradients(f(*xs), xs)
        if options.get("note"):
            notes.append([s is None for s in slopes])
        return [
            tf.zeros_like(x) if s is None else tf.convert_to_tensor(s)
            for x, s in zip(xs, slopes)
        ]

    return of


def load(tf, source, with_tape, **more):
    """The globals of a program after its definitions ran."""
    notes = []
    scope = {"tf": tf, "tfe": tf.contrib.eager, "np": np, "notes": notes}
    scope["G"] = gradients(tf, notes, with_tape)
    scope.update(more)
    exec(compile(source, "program.py", "exec"), scope)
    return scope


def array(value):
    """An ndarray; strings as objects, which keep the zeros at their ends."""
    if isinstance(value, bytes):
        return np.array(value, object)
    return np.asarray(value)


def _line(tb):
    """The last line of the program in a traceback."""
    line = None
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == "program.py":
            line = tb.tb_lineno
        tb = tb.tb_next
    return line


def _failed(error, early=False):
    return Record(raised=error, early=early, line=_line(sys.exc_info()[2]))


def eager(tf, source, wrap=None, **more):
    """The Record of a program run eagerly, or as `wrap(program)`."""
    try:
        scope = load(tf, source, lambda: True, **more)
        scope["V"] = scope["variables"]()
        program = scope["program"]
        program = wrap(program) if wrap else program
        change = scope.get("N", lambda x: x)
        out = program(*[change(tf.constant(a)) for a in scope["ARRAYS"]])
        return Record([array(t.numpy()) for t in out], scope["notes"])
    except Exception as error:
        return _failed(error)


def function(tf, source):
    """The Record of a program run as a function (defun)."""
    return eager(tf, source, wrap=tf.contrib.eager.defun)


def place(tf, source, vague):
    """Build a program in the current graph: its scope, outputs and feeds."""
    scope = load(tf, source, lambda: False)
    arrays = scope["ARRAYS"]
    shapes = scope["SHAPES"] if vague else [a.shape for a in arrays]
    dtypes = [tf.as_dtype(a.dtype) for a in arrays]
    ins = [tf.placeholder(d, s) for d, s in zip(dtypes, shapes)]
    scope["V"] = scope["variables"]()
    out = scope["program"](*ins)
    return scope, list(out), dict(zip(ins, arrays))


def _unoptimized(tf):
    """A config that runs a graph as it is written: 1.12's optimizer has faults."""
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return config


def graph(tf, source, vague=False):
    """The Record of a program run in a Session; `vague` placeholders know less."""
    early = True
    try:
        with tf.Graph().as_default() as g:
            scope, out, feeds = place(tf, source, vague)
            with tf.Session(graph=g, config=_unoptimized(tf)) as session:
                start = tf.global_variables_initializer()
                early = False
                session.run(start)
                values = session.run(out, feeds)
        return Record([array(v) for v in values], scope["notes"])
    except Exception as error:
        return _failed(error, early)


def main(sources, records, start):
    """Append the records of the programs from number `start` on to a file."""
    tf = importlib.import_module("tensorflow")
    tf.enable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    with open(sources) as f:
        programs = json.load(f)[int(start) :]
    with open(records, "ab") as f:
        for source in programs:
            ways = eager(tf, source), graph(tf, source, vague=True)
            pickle.dump([r.plain() for r in ways], f, protocol=2)
            f.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
