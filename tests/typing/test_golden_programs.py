"""The golden programs, which run in TensorFlow 1.12, are right for type checkers too.

They use the public names in many more ways than `ordinary.py`, and nobody wrote them
with annotations in mind: what a checker finds in one that runs is an annotation of ours
that says less than what is taken, or more than what is given.
"""

import ast
import json
import textwrap
from pathlib import Path

from tests.golden import runner
from tests.typing.test_checkers import pyright_errors

PROGRAMS = Path(runner.__file__).parent / "programs"
HEAD = """\
import numpy
import twinflow as tf
from typing import Any
np: Any = numpy  # its own stubs are strict
tfe = tf.contrib.eager
def show(*values: Any) -> None: ...
"""
OWN = {  # what programs that run do wrong themselves
    "unconnected_gradients": "asked for only where it is there",
    "UnconnectedGradients": "asked for only where it is there",
    '"Iterable[SupportsRichComparisonT': "`logs=None` of a callback is never None",
    '"None" is not subscriptable': "`logs=None` of a callback is never None",
    "_shared_name": "a private name",
    "_keras_mask": "a private name",
    "is possibly unbound": "given in a branch that is always taken",
}
CAUGHT = "attempt("  # runs a function and shows the error that it raises


def written(folder):
    """Writes a file for each file of programs, a function for each that ends well."""
    for path in sorted(PROGRAMS.glob("*.py")):
        golden = json.loads(path.with_suffix(".json").read_text())
        text = HEAD
        for number, (name, source) in enumerate(runner.programs(path)):
            if any("error" in shown for shown in golden[name]) or not source.strip():
                continue
            made = (
                f"def program{number}() -> None:\n{textwrap.indent(source, '    ')}\n"
            )
            ast.parse(made)
            text += made
        yield folder / path.name
        (folder / path.name).write_text(text)


def test_programs_that_run_are_right(tmp_path):
    files = list(written(tmp_path))
    assert sum(f.read_text().count("\ndef program") for f in files) > 600
    wrong = []
    for file, line, what in pyright_errors(tmp_path, files):
        source = (tmp_path / file).read_text().splitlines()[line - 1]
        if CAUGHT not in source and not any(own in what for own in OWN):
            wrong.append(f"{file}: {source.strip()}\n    {' '.join(what.split())}")
    assert not wrong, "\n".join(wrong)
