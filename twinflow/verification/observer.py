"""Runs a script and writes down what can be seen of it, in any TensorFlow.

    python observer.py OUT FRAMEWORK RUNNER SCRIPT ARGUMENTS...

Note [Observed]: `twinflow verify --against tensorflow` runs this file twice: with
twinflow, and with the Python of a real TensorFlow, which may be as old as 3.6. Seen are
the values that the program fetches from sessions, the summaries that it adds to a
writer, the lines that it prints (of progress bars without times) and the error that
ends it, each with the line of the program; in OUT.json, arrays in OUT.npz. What has no
seed gets one.
"""

import functools
import importlib
import io
import json
import os
import random
import re
import runpy
import sys
import threading
import traceback

import numpy as np

SEED = 1
_HERE = os.path.abspath(__file__)
_PRINTED = 1000000  # characters
_IS_BAR = re.compile(r"\d+/(Unknown|\d+ \[[=>.]+\])").search  # Keras's
_TIME = re.compile(r" - (ETA: [\d:]+s?|\d+s \d+[mu]?s/\w+)")
_LARGEST = 50000000  # bytes of an array that is kept


def shown(line):
    """What a line has in the end, without the times of a progress bar; None where it is
    a bar on its way, which is drawn as often as there is time for.
    """
    last = line.rpartition("\r")[2]
    if not _IS_BAR(last):
        return line
    return None if " - ETA: " in last else _TIME.sub("", last).rstrip()


class Observer:
    """What was seen.

    Args:
        tf: the framework.
    Attributes:
        events: dicts that JSON takes. arrays: {name: array}.
    """

    def __init__(self, tf):
        self.tf, self.events, self.arrays = tf, [], {}
        house = os.path.dirname(os.path.abspath(tf.__file__))
        standard = os.path.dirname(os.path.abspath(os.__file__))
        self._internal = (house + os.sep, standard + os.sep, _HERE, "<")
        self._main, self._busy, self._line = threading.get_ident(), False, []

    # ------------------------------------------------------------------ places
    def is_of_program(self, file):
        """Whether a file is the user's."""
        return not os.path.abspath(file).startswith(self._internal) and file[:1] != "<"

    def place(self):
        """(file, line, text) of the line of the program that runs now."""
        for frame, line in traceback.walk_stack(sys._getframe(1)):
            if self.is_of_program(frame.f_code.co_filename):
                return frame.f_code.co_filename, line
        return "", 0

    def add(self, kind, **more):
        """One thing was seen."""
        if threading.get_ident() == self._main:
            file, line = more.pop("place", None) or self.place()
            event = dict(more, kind=kind, file=file, line=line)
            self.events.append(event)

    # ------------------------------------------------------------------ values
    def kept(self, value):
        """A description of a value; arrays go to `arrays`."""
        if value is None:
            return None
        if isinstance(value, dict):
            return {str(k): self.kept(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.kept(v) for v in value]
        array = np.asarray(value)
        if array.dtype.kind in "OSU":
            return {"texts": [_text(v) for v in array.ravel()][:10000],
                    "shape": list(array.shape)}  # fmt: skip
        if array.nbytes > _LARGEST:
            return {"dtype": array.dtype.name, "shape": list(array.shape)}
        name = f"a{len(self.arrays)}"
        self.arrays[name] = array
        return {"array": name}

    # ------------------------------------------------------------------ hooks
    def install(self):
        """Look at sessions, writers and seeds."""
        tf = self.tf
        for owner, name in (
            (tf.Session, "run"), (tf.train.MonitoredSession, "run"),
            (tf.Tensor, "eval"), (tf.Variable, "eval"),
        ):  # fmt: skip
            self._replace(owner, name, self._running)
        self._replace(tf.summary.FileWriter, "add_summary", self._summary)
        self._replace(tf.Graph, "__init__", self._seeded)
        start = tf.enable_eager_execution

        @functools.wraps(start)
        def enable(*args, **kwargs):
            start(*args, **kwargs)
            tf.set_random_seed(SEED)

        tf.enable_eager_execution = enable
        if tf.__name__ == "twinflow":  # where it is there before the program begins
            tf.get_default_graph().seed = SEED
        random.seed(SEED)
        np.random.seed(SEED)

    def _replace(self, owner, name, make):
        own = [kind for kind in owner.__mro__ if name in vars(kind)][:1]
        for kind in set(own) | {k for k in _below(owner) if name in vars(k)}:
            real = vars(kind)[name]
            setattr(kind, name, functools.wraps(real)(make(real)))

    def _running(self, real):
        def run(*args, **kwargs):
            caller = sys._getframe(1).f_code.co_filename
            if self._busy or not self.is_of_program(caller):
                return real(*args, **kwargs)
            self._busy, place = True, self.place()
            try:
                found = real(*args, **kwargs)
            finally:
                self._busy = False
            self.add("run", place=place, values=self.kept(found))
            return found

        return run

    def _summary(self, real):
        def add_summary(writer, summary, *args, **kwargs):
            self.add("summary", values=self._parts(summary))
            return real(writer, summary, *args, **kwargs)

        return add_summary

    def _parts(self, summary):
        if isinstance(summary, bytes):
            summary = self.tf.Summary.FromString(summary)
        return {
            v.tag: self.kept(np.float32(v.simple_value))
            for v in summary.value
            if v.HasField("simple_value")
        }

    def _seeded(self, real):
        def init(graph, *args, **kwargs):
            real(graph, *args, **kwargs)
            if type(graph) is self.tf.Graph:
                graph.seed = SEED

        return init

    # ------------------------------------------------------------------ print, error
    def write(self, text):
        """Something was printed."""
        self._line.append(text)
        while "\n" in "".join(self._line):
            line, _, rest = "".join(self._line).partition("\n")
            self._line = [rest]
            line = shown(line)
            if line is None:
                continue
            if sum(len(e.get("text", "")) for e in self.events[-100:]) < _PRINTED:
                self.add("print", text=line)

    def failed(self, error):
        """The program ended with an error."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if self.is_of_program(f.filename)]
        place = (own[-1].filename, own[-1].lineno) if own else ("", 0)
        names = [k.__name__ for k in type(error).__mro__]
        text = str(getattr(error, "message", None) or error)
        self.add("error", place=place, text=text[:2000], classes=names)

    def save(self, path):
        """Write OUT.json and OUT.npz."""
        np.savez(path + ".npz", **self.arrays)
        with open(path + ".json", "w") as target:
            json.dump({"version": self.tf.__version__, "events": self.events}, target)


class Told(io.TextIOBase):
    """A file that hands on what is written to it."""

    encoding = "utf-8"

    def __init__(self, observer):
        self._observer = observer

    def writable(self):
        return True

    def write(self, text):
        self._observer.write(text)
        return len(text)


def _below(kind):
    """The classes derived from one."""
    for derived in kind.__subclasses__():
        yield derived
        yield from _below(derived)


def _text(value):
    return value.decode("latin1") if isinstance(value, bytes) else str(value)


def main(path, tf, runner, script, *args):
    """Run `script` and write what was seen to `path`.json and `path`.npz.

    Args:
        tf: the framework. runner: the module whose `main` runs scripts, or None.
    """
    sys.modules.setdefault("twinflow", tf)
    observer, real = Observer(tf), sys.stdout
    observer.install()
    sys.stdout = Told(observer)
    try:
        if runner is not None:
            runner.main([script, *args])
        else:
            sys.argv[:] = [script, *args]
            sys.path.insert(0, os.path.dirname(script))
            runpy.run_path(script, run_name="__main__")
    except SystemExit as left:
        if left.code not in (None, 0):
            observer.failed(left)
    except Exception as error:
        observer.failed(error)
    finally:
        sys.stdout = real
        observer.save(path)


if __name__ == "__main__":
    out, framework, module, *rest = sys.argv[1:]
    sys.path[:] = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(_HERE)]
    main(
        out,
        importlib.import_module(framework),
        None if module == "-" else importlib.import_module(module),
        *rest,
    )
