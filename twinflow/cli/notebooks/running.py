"""A notebook as a script: its code cells in order, in one namespace."""

import ast
import linecache
import sys
from collections.abc import Callable

from twinflow.cli import old_scripts
from twinflow.cli.notebooks import plots, showing
from twinflow.cli.notebooks.cells import (
    Unreadable,
    joined,
    read,
    wants_python_2,
)
from twinflow.compat.python2 import mending, names, tokens
from twinflow_terminal.running import Options


def run_file(
    data: bytes, path: str, chosen: Options, main_module: Callable[[], dict]
) -> int:
    """Run a notebook; what one of its cells raises goes on.

    Args:
        data: the file. path: as the user named it. chosen: the options.
        main_module: makes `__main__`, and gives its names.
    Returns:
        0; 1 where it has to be run as Python 2, and 2 where it is no notebook.
    """
    try:
        cells = read(data, path)
    except Unreadable as error:
        print(f"twinflow: {error}", file=sys.stderr)
        return 2
    if not chosen.py2 and _refused(cells, data, path):
        return 1
    _run(cells, path, chosen, main_module())
    return 0


def _refused(cells, data, path):
    """Whether some cells are in Python 2, and --py2 was not given; says so."""
    whole = joined(cells)
    if mending.is_old(whole.text):
        text = old_scripts.explained(whole.text, path, whole.named(cells))
        print(text, file=sys.stderr)
        return True
    if wants_python_2(data):
        print(
            f"twinflow: {path} was made with Python 2; it is read as Python 3, "
            "`twinflow run --py2` reads it as Python 2.",
            file=sys.stderr,
        )
    return False


def _run(cells, path, chosen, main):
    """Run the cells, with `main` for their names."""
    kept = plots.begin(chosen.plots or f"{path.removesuffix('.ipynb')}_plots")
    showing.install()
    main.update(display=showing.display, get_ipython=showing.get_ipython)
    if chosen.py2:
        main.update({name: getattr(names, name) for name in names.__all__})
    for cell in cells:
        kept.begin(cell.number)
        for _, text in cell.skipped:
            showing.skipped(text, f"{cell.title}: ")
        _run_cell(cell, chosen.py2, main)
        plots.flush()


def _run_cell(cell, py2, main):
    """Run a cell, and show the value of the expression at its end."""
    lines = cell.written.split("\n")
    linecache.cache[cell.title] = (
        len(cell.written), None, [f"{line}\n" for line in lines], cell.title
    )  # fmt: skip
    if py2:
        tree = mending.changed_tree(cell.source, cell.title)
    else:
        tree = ast.parse(cell.source, cell.title)
    last = tree.body[-1] if tree.body else None
    shows = isinstance(last, ast.Expr) and not _ends_quietly(cell.source)
    if shows:
        tree.body.pop()
    exec(compile(tree, cell.title, "exec", dont_inherit=True), main)
    if shows:
        code = compile(ast.Expression(last.value), cell.title, "eval")
        value = eval(code, main)
        if value is not None:
            main["_"] = value
            showing.shown(value)


def _ends_quietly(source):
    """Whether a semicolon stands at the end, before comments."""
    lines = tokens.logical_lines(source)
    return bool(lines) and lines[-1][-1].text == ";"
