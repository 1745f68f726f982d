"""`twinflow run`: a script of 2018 as `python script.py` would run it, on twinflow."""

import builtins
import importlib.machinery
import os
import pkgutil
import runpy
import sys
import traceback
import types

from twinflow.base import spawn_hooks, tracebacks
from twinflow.base.convert import manners
from twinflow.cli import hints, old_scripts, options
from twinflow.cli.notebooks import cells, running
from twinflow.compat.door import finder, habits
from twinflow.compat.python2 import importing, mending, runtime
from twinflow.ops.random.setting import setting

_SAMPLES = "twinflow.cli.samples.making:install"  # loads scikit-learn, where it is
_RUNPY = ("<frozen runpy>", runpy.__file__)


def main(argv):
    """Run `[options] script.py [arguments]` or `-m module [arguments]` under the door.

    Returns:
        0, or 2 where there is nothing to run; what the script raises goes on, with the
        runner's frames left out of its traceback.
    """
    chosen, argv, wrong = options.taken(argv)
    if not wrong and (not argv or (argv[0] == "-m" and len(argv) < 2)):
        wrong = "which script?"
    if not wrong and chosen.plots is not None and not cells.is_notebook(argv[0]):
        wrong = "--plots is for notebooks"
    if wrong:
        print(f"twinflow run: {wrong}", file=sys.stderr)
        return 2
    finder.open_door()
    for restore in (habits.restore, _draw_as_tensorflow, _cut_off):
        restore()
        spawn_hooks.call_first(restore)
    if chosen.sample_data:
        pkgutil.resolve_name(_SAMPLES)()
    try:
        if argv[0] == "-m":
            return _run_module(argv[1:], chosen)
        return _run_script(argv, chosen)
    except BaseException:
        _hide_runner(chosen, notebook=cells.is_notebook(argv[0]))
        raise
    finally:
        if chosen.py2:
            runtime.end_line()


def _draw_as_tensorflow():
    """Seeded programs draw the numbers of TensorFlow 1.12, unless they are told not."""
    setting.follow_environment("tensorflow")


def _cut_off():
    """Floats lose their fractions beside integers, in eager execution."""
    manners.cut_off = True


def _run_module(argv, chosen):
    sys.argv[:] = argv
    _put_first(os.getcwd())
    if chosen.py2:
        importing.install(os.getcwd())
    runpy.run_module(argv[0], run_name="__main__", alter_sys=True)
    return 0


def _run_script(argv, chosen):
    script = argv[0]
    path = os.path.abspath(script)
    folder = path if os.path.isdir(path) else os.path.dirname(os.path.realpath(path))
    if chosen.py2:
        importing.install(folder)
    if os.path.isdir(path):  # a folder with a __main__.py
        sys.argv[:] = argv
        runpy.run_path(path, run_name="__main__")
        return 0
    try:
        with open(path, "rb") as f:
            source = f.read()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"twinflow: can't open file {path!r}: {reason}", file=sys.stderr)
        return 2
    if cells.is_notebook(script):
        return _run_notebook(source, argv, folder, chosen)
    sys.argv[:] = argv
    _put_first(folder)
    try:
        code = _code(source, path, chosen)
    except SyntaxError:
        if not chosen.py2 and old_scripts.refused(source, script):
            return 1
        raise
    exec(code, _main_module(path))
    return 0


def _run_notebook(source, argv, folder, chosen):
    path = argv[0]
    try:
        found = cells.read(source, path)
    except cells.Unreadable as error:
        print(f"twinflow: {error}", file=sys.stderr)
        return 2
    if not chosen.py2 and running.refused(found, source, path):
        return 1
    sys.argv[:] = argv
    _put_first(folder)
    running.run(found, path, chosen, _main_module(None))
    return 0


def _code(source, path, chosen):
    if chosen.py2:
        return mending.code_of(source, path)
    return compile(source, path, "exec", dont_inherit=True)


def _put_first(folder):
    """Let imports look in `folder` first, where Python had the runner's own folder."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[:1] = [folder]


def _main_module(path):
    """The names of a fresh `__main__`; that of a notebook has no file."""
    module = types.ModuleType("__main__")
    module.__builtins__ = builtins
    if path is not None:
        module.__file__ = path
        module.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
        module.__cached__ = None
    sys.modules["__main__"] = module
    return vars(module)


def _hide_runner(chosen, *, notebook):
    """Let the traceback at the end of the process begin in the script."""
    hook = _print_cells if notebook else sys.excepthook

    def show(kind, error, tb):
        while tb is not None and _is_runner(tb.tb_frame.f_code.co_filename):
            tb = tb.tb_next
        hints.say(error, chosen)
        hook(kind, error.with_traceback(tb), tb)

    sys.excepthook = show


def _print_cells(kind, error, tb):
    """Print an error with the lines of cells, which are in no file."""
    with tracebacks.shortened(error, tb) as (short, count):
        tracebacks.say(count)
        traceback.print_exception(kind, error, short)


_OWN = os.path.dirname(os.path.abspath(__file__))
_ABOVE = os.path.join(os.path.dirname(_OWN), "__main__.py")


def _is_runner(file_name):
    if file_name in _RUNPY or file_name == _ABOVE:
        return True
    return file_name.startswith(_OWN + os.sep) or file_name == _ENTRY


_ENTRY = os.path.abspath(sys.argv[0])  # the console script
