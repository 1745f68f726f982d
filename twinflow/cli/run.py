"""`twinflow run`: a script of 2018 as `python script.py` would run it, on twinflow."""

import builtins
import functools
import importlib.machinery
import os
import pkgutil
import runpy
import sys
import types

from twinflow.base import spawn_hooks
from twinflow.base.convert import manners
from twinflow.compat.door import finder, habits, homes
from twinflow.graph.defaults import enable_eager_execution
from twinflow.ops.random.setting import setting
from twinflow_terminal import running

# What few programs need is loaded where it is used, so that the others start sooner.
_HINT = "twinflow.cli.hints:say"
_REFUSED = "twinflow.cli.old_scripts:refused"
_NOTEBOOK = "twinflow.cli.notebooks.running:run_file"
_PRINT_ERROR = "twinflow.cli.notebooks.showing:print_error"
_SAMPLES = "twinflow.cli.samples.making:install"  # loads scikit-learn, where it is
_CAPSULE = "twinflow.capsules.recording:begin"
_PYTHON_2 = "twinflow.compat.python2"
_OLDER = "twinflow.compat.older.serving:serve"
_SEED = "twinflow.cli.seeding:seed_all"
_MEASURED = "twinflow.cli.profile:measured"
_POST_MORTEM = "twinflow.cli.debug:post_mortem"
_RUNPY = ("<frozen runpy>", runpy.__file__)


def main(argv):
    """Run `[options] script.py [arguments]` or `-m module [arguments]` under the door.

    Returns:
        0, or 2 where there is nothing to run; what the script raises goes on, with the
        runner's frames left out of its traceback.
    """
    chosen, argv, wrong = running.taken(argv)
    if wrong:
        return _wrong(wrong)
    return start(chosen, argv)


def start(chosen: running.Options, argv: list[str]) -> int:
    """The same, where the options are known."""
    if not argv or (argv[0] == "-m" and len(argv) < 2):
        return _wrong("which script?")
    if chosen.plots is not None and not running.is_notebook(argv[0]):
        return _wrong("--plots is for notebooks")
    finder.open_door()
    for restore in (habits.restore, _draw_as_tensorflow, _cut_off):
        restore()
        spawn_hooks.call_first(restore)
    for value, use in ((chosen.capsule, _CAPSULE), (chosen.since, _OLDER)):
        try:
            if value is not None:
                pkgutil.resolve_name(use)(value)
        except ValueError as error:
            return _wrong(str(error))
    if chosen.sample_data:
        pkgutil.resolve_name(_SAMPLES)()
    if chosen.seed is not None:
        pkgutil.resolve_name(_SEED)(chosen.seed)
    if chosen.eager:
        enable_eager_execution()
    return _run(chosen, argv)


def _wrong(text):
    print(f"twinflow run: {text}", file=sys.stderr)
    return 2


def _run(chosen, argv):
    work = functools.partial(_run_script, argv, chosen)
    if argv[0] == "-m":
        work = functools.partial(_run_module, argv[1:], chosen)
    try:
        return pkgutil.resolve_name(_MEASURED)(work) if chosen.profile else work()
    except BaseException as error:
        if chosen.pdb and isinstance(error, Exception):
            return pkgutil.resolve_name(_POST_MORTEM)(error)
        _hide_runner(chosen, notebook=running.is_notebook(argv[0]))
        raise
    finally:
        if chosen.py2:
            pkgutil.resolve_name(f"{_PYTHON_2}.runtime:end_line")()


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
        _read_python_2(os.getcwd())
    module = homes.PROGRAMS.get(argv[0], argv[0])
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def _run_script(argv, chosen):
    script = argv[0]
    path = os.path.abspath(script)
    folder = path if os.path.isdir(path) else os.path.dirname(os.path.realpath(path))
    if chosen.py2:
        _read_python_2(folder)
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
    if running.is_notebook(script):
        return _run_notebook(source, argv, folder, chosen)
    sys.argv[:] = argv
    _put_first(folder)
    try:
        code = _code(source, path, chosen)
    except SyntaxError:
        if not chosen.py2 and pkgutil.resolve_name(_REFUSED)(source, script):
            return 1
        raise
    exec(code, _main_module(path))
    return 0


def _run_notebook(source, argv, folder, chosen):
    def main_module():
        sys.argv[:] = argv
        _put_first(folder)
        return _main_module(None)

    return pkgutil.resolve_name(_NOTEBOOK)(source, argv[0], chosen, main_module)


def _read_python_2(folder):
    """Let imports mend the modules of a folder."""
    pkgutil.resolve_name(f"{_PYTHON_2}.importing:install")(folder)


def _code(source, path, chosen):
    if chosen.py2:
        return pkgutil.resolve_name(f"{_PYTHON_2}.mending:code_of")(source, path)
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
    hook = pkgutil.resolve_name(_PRINT_ERROR) if notebook else sys.excepthook

    def show(kind, error, tb):
        while tb is not None and _is_runner(tb.tb_frame.f_code.co_filename):
            tb = tb.tb_next
        pkgutil.resolve_name(_HINT)(error, chosen)
        hook(kind, error.with_traceback(tb), tb)

    sys.excepthook = show


_FOLDER = os.path.dirname(os.path.abspath(__file__))
_TERMINAL = os.path.dirname(os.path.abspath(running.__file__))
_OWN = (_FOLDER + os.sep, _TERMINAL + os.sep)
_ABOVE = os.path.join(os.path.dirname(_FOLDER), "__main__.py")


def _is_runner(file_name):
    if file_name in _RUNPY or file_name == _ABOVE:
        return True
    return file_name.startswith(_OWN) or file_name == _ENTRY


_ENTRY = os.path.abspath(sys.argv[0])  # the console script
