"""The options of `twinflow run`, which stand before the script.

Read without click, which takes longer to load than many a script to run; click knows
them from the same table, for the help.
"""

from typing import Any, NamedTuple


class Options(NamedTuple):
    """What `twinflow run` was asked for.

    Args:
        py2: the script is in Python 2. sample_data: data sets that are not there are
            made up. plots: the folder for the plots of a notebook. capsule: the file
            for a step that fails. since: the version of TensorFlow that it is for.
        eager: eager execution is on. pdb: the debugger opens where it fails. profile:
            a report says where its time went. seed: of everything that draws numbers.
    """

    py2: bool = False
    sample_data: bool = False
    plots: str | None = None
    capsule: str | None = None
    since: str | None = None
    eager: bool = False
    pdb: bool = False
    profile: bool = False
    seed: int | None = None


class Option(NamedTuple):
    """A row of the table: its name, what it takes ("" for a switch), what it does."""

    name: str
    unit: str
    what: str
    text: str


TABLE = (
    Option("--eager", "", "", "Begin with eager execution, as "
           "tf.enable_eager_execution() does."),
    Option("--seed", "N", "a whole number", "Seed Python's random, NumPy's, and every "
           "graph and eager execution."),
    Option("--pdb", "", "", "Open the debugger where the script fails, as "
           "`twinflow debug` does; `q` leaves it."),
    Option("--profile", "", "", "Say on the standard error where the time went, as "
           "`twinflow profile` does."),
    Option("--py2", "", "", "It is written in Python 2; no file is changed."),
    Option("--since", "VERSION", "a version", "It was written for a TensorFlow before "
           "1.0, as 0.8 (tf.mul, tf.pack)."),
    Option("--sample-data", "", "", "Make up data sets that are not on this machine."),
    Option("--plots", "DIR", "a folder", "Where the plots of a notebook go "
           "(NAME_plots)."),
    Option("--capsule", "FILE", "a file", "Keep a step that fails, for "
           "`twinflow replay`."),
)  # fmt: skip
_NAMED = {option.name: option for option in TABLE}


def taken(argv: list[str]) -> tuple[Options, list[str], str | None]:
    """(the options, what stands behind them, what is wrong with them)"""
    chosen, rest = Options(), list(argv)
    while rest and rest[0][:1] == "-" and rest[0] not in ("-", "-m"):
        name, equals, value = rest.pop(0).partition("=")
        if name == "--":  # ends them
            break
        option = _NAMED.get(name)
        if option is None or (equals and not option.unit):
            *most, last = [" ".join(filter(None, o[:2])) for o in TABLE]
            known = f"{', '.join(most)} and {last}"
            return chosen, rest, f"no option {name!r}; there are {known}"
        if option.unit and not equals and not rest:
            return chosen, rest, f"{name} needs {option.what}"
        given: Any = value if equals else rest.pop(0) if option.unit else True
        if option.unit == "N" and not _is_number(given):
            return chosen, rest, f"{name} needs {option.what}, got {given!r}"
        given = int(given) if option.unit == "N" else given
        chosen = chosen._replace(**{name[2:].replace("-", "_"): given})
    return chosen, rest, None


def _is_number(text: object) -> bool:
    return str(text).isascii() and str(text).isdigit()


def is_notebook(path: str) -> bool:
    """Whether a file is one, by its name."""
    return path.endswith(".ipynb")
