"""Uncaught errors end in the user's line: at most five lines of twinflow's after it."""

import os
import subprocess
import sys
import traceback

import numpy as np
import pytest

import twinflow as tf
from tests.base.mistakes import MISTAKES
from tests.source_tree import ROOT
from twinflow.base import dispatch, tracebacks
from twinflow.eager.mode import MODE
from twinflow.graph.graph import Graph

CASES = [(name, mode) for name, (modes, _) in MISTAKES.items() for mode in modes]


def raised(program, mode):
    """The error of a program that is run as a script would be."""
    if mode == "f":
        lines = "\n".join("    " + line for line in program.splitlines())
        program = f"@tf.contrib.eager.defun\ndef f():\n{lines}\nf()"
    code = compile(program, "script.py", "exec")
    scope = Graph().as_default() if mode == "g" else dispatch.entered(MODE)
    with scope:
        try:
            exec(code, {"tf": tf, "np": np, "__name__": "script"})
        except Exception as error:
            return error
    raise AssertionError(f"{program} raises nothing")


def lines_after_the_user(error):
    """The lines between the user's last line and the error itself, as printed."""
    own = traceback.format_exception_only(type(error), error)
    with tracebacks.shortened(error, error.__traceback__) as (short, _):
        entries = traceback.format_tb(short)
    user = [i for i, text in enumerate(entries) if 'File "script.py"' in text]
    assert user, "".join(entries)
    assert own
    return "".join(entries[user[-1] + 1 :]).splitlines()


@pytest.mark.parametrize("name, mode", CASES)
def test_a_mistake(name, mode):
    error = raised(MISTAKES[name][1], mode)
    lines = lines_after_the_user(error)
    assert len(lines) <= 5, "\n".join(lines)
    for earlier in (error.__cause__, error.__suppress_context__ or error.__context__):
        if isinstance(earlier, BaseException):
            with tracebacks.shortened(error, error.__traceback__):
                frames = traceback.extract_tb(earlier.__traceback__)
            assert len([f for f in frames if "twinflow" in f.filename]) <= 1


def test_all_frames_are_back_after_printing():
    error = raised(MISTAKES["shapes of a product"][1], "g")
    before = traceback.format_tb(error.__traceback__)
    with tracebacks.shortened(error, error.__traceback__) as (short, count):
        assert count > 1
        assert len(traceback.format_tb(short)) < len(before)
    assert traceback.format_tb(error.__traceback__) == before


# ------------------------------------------------------------------ scripts
def printed(tmp_path, program, *, run=("script.py",), **more):
    (tmp_path / "script.py").write_text(
        "import numpy as np\nimport twinflow as tf\n" + program
    )
    done = subprocess.run(
        [sys.executable, *run], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **more}, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    return done.stderr


def files_in(text):
    lines = (line.strip() for line in text.splitlines())
    return [os.path.basename(x.split('"')[1]) for x in lines if x.startswith("File ")]


@pytest.mark.parametrize(
    "name", ["shapes of a product", "a variable without a value", "an unknown name"]
)
def test_a_script(name, tmp_path):
    text = printed(tmp_path, MISTAKES[name][1])
    assert set(files_in(text)) == {"script.py"}
    assert "TWINFLOW_TRACEBACK=full shows them" in text


def test_a_script_with_all_frames(tmp_path):
    program = MISTAKES["shapes of a product"][1]
    text = printed(tmp_path, program, TWINFLOW_TRACEBACK="full")
    assert set(files_in(text)) > {"script.py"}
    assert "left out" not in text


@pytest.mark.parametrize(
    "program, last",
    [
        ("np.linalg.inv(np.zeros((2, 2)))", "linalg.py"),  # not called by twinflow
        ("1 / 0", "script.py"),
    ],
)
def test_errors_that_have_nothing_to_do_with_twinflow(program, last, tmp_path):
    text = printed(tmp_path, program)
    assert files_in(text)[-1].endswith(last)
    assert "left out" not in text


def test_an_accident_within_twinflow_shows_where(tmp_path):
    program = (
        "from twinflow.ops.core import constant\n"
        "del constant.__dict__['convert_to_tensor']\n"
        "tf.constant(1.0)\n"
        "constant.__dict__.clear()\n"
        "tf.constant(1.0)\n"
    )
    text = printed(tmp_path, program)
    files = files_in(text)
    assert files[0] == "script.py" and files[-1] != "script.py"
    assert len(files) <= 2
    assert "of twinflow left out" in text or len(files) == 2


def test_the_hook_that_was_there_is_asked(tmp_path):
    program = (
        "import sys\nimport importlib\ntf.matmul(tf.ones([2, 3]), tf.ones([4, 4]))\n"
    )
    text = printed(
        tmp_path, program,
        run=("-c", "import sys, runpy\n"
                   "sys.excepthook = lambda *a: print('mine', a[0].__name__, "
                   "file=sys.stderr)\nrunpy.run_path('script.py')"),
    )  # fmt: skip
    assert text.endswith("mine ValueError\n")


# ------------------------------------------------------------------ notebooks
CELLS = """
import io, contextlib, sys
sys.argv = ["ipython"]
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shell.run_cell("import numpy as np\\nimport twinflow as tf")
for cell in CELLS:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        result = shell.run_cell(cell)
    assert result.error_in_exec is not None, cell
    print(len(out.getvalue().splitlines()))
    print(out.getvalue(), file=sys.stderr)
"""


def in_ipython(cells):
    pytest.importorskip("IPython")
    done = subprocess.run(
        [sys.executable, "-c", CELLS.replace("CELLS:", f"{cells!r}:")], text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [int(n) for n in done.stdout.split()], done.stderr


def test_cells_of_a_notebook():
    names = [name for name, (modes, _) in MISTAKES.items() if "g" in modes]
    lengths, text = in_ipython(["tf.reset_default_graph()\n" + MISTAKES[n][1]
                                for n in names])  # fmt: skip
    assert len(lengths) == len(names)
    long = {n: length for n, length in zip(names, lengths) if length > 10}
    # Some go through several lines of the user, or name several places.
    assert len(long) <= 6 and max(long.values()) <= 15, (long, text)
    assert "Caused by op" not in text and "direct cause" not in text
    assert "site-packages/IPython" not in text
    assert "interactiveshell.py" not in text


SWITCHES = {"%env TWINFLOW_TRACEBACK=full", "%xmode Verbose"}


@pytest.mark.parametrize("switch", sorted(SWITCHES))
def test_a_notebook_can_show_all_frames(switch):
    cell = f"get_ipython().run_line_magic({switch[1:].split(' ', 1)!r}[0], "
    cell += f"{switch.split(' ', 1)[1]!r})\n"
    lengths, text = in_ipython([cell + MISTAKES["shapes of a product"][1]])
    assert lengths[0] > 30 and "twinflow/ops" in text and "left out" not in text


def test_what_an_error_says_elsewhere_stays():
    error = raised(MISTAKES["a variable without a value"][1], "g")
    whole, cause = str(error), error.__cause__
    with tracebacks._brief(error):
        assert "Caused by op" not in str(error)
    assert str(error) == whole and "Caused by op" in whole
    assert error.__cause__ is cause
