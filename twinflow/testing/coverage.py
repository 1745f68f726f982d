"""How much of the TensorFlow 1.12 API is there: `python -m twinflow.testing.coverage`.

data/tensorflow_1_12.txt holds one public function or class per line, with its
arguments, as `tf.add(x, y, name=None)`.
"""

import collections
import importlib.resources
import inspect
import re
import sys

import twinflow


def symbols():
    """(path, argument names) of every public symbol, e.g. ("math.add", ["x", ...])."""
    data = importlib.resources.files("twinflow.testing") / "data/tensorflow_1_12.txt"
    for line in data.read_text().splitlines():
        path, _, rest = line.removeprefix("tf.").partition("(")
        plain = re.sub(r"<[^>]*>", "", rest.rstrip(")"))
        names = [a.partition("=")[0].strip(" *") for a in plain.split(",")]
        yield path, [n for n in names if n.isidentifier()]


def find(path):
    """The object that twinflow has under a path, or None."""
    value = twinflow
    for part in path.split("."):
        try:
            value = getattr(value, part)
        except (AttributeError, ImportError):
            return None
    return value


def missing_arguments(value, wanted):
    """The names of TensorFlow's arguments that a function does not take."""
    try:
        taken = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return []
    kinds = {p.kind for p in taken.values()}
    if (
        inspect.Parameter.VAR_KEYWORD in kinds
        or inspect.Parameter.VAR_POSITIONAL in kinds
    ):
        return []
    return [name for name in wanted if name not in taken and name != "self"]


def report(names):
    """Lines that say, per module, what is there and what is not."""
    there: collections.Counter = collections.Counter()
    total: collections.Counter = collections.Counter()
    absent: dict = collections.defaultdict(list)
    different = []
    for path, arguments in symbols():
        module = path.rpartition(".")[0] or "tf"
        value = find(path)
        total[module] += 1
        there[module] += value is not None
        if value is None:
            absent[module].append(path.rpartition(".")[2])
        elif lacks := missing_arguments(value, arguments):
            different.append(f"tf.{path} does not take {', '.join(lacks)}")
    lines = [f"{there[m]:5} of {total[m]:4}  {m}" for m in sorted(total)]
    if names:
        lines += [f"missing in {m}: {' '.join(absent[m])}" for m in sorted(absent)]
    lines += different
    return [
        *lines,
        f"{sum(there.values())} of {sum(total.values())} symbols are there.",
    ]


if __name__ == "__main__":
    print("\n".join(report("--missing" in sys.argv[1:])))
