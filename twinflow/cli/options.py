"""The options of `twinflow run`, which stand before the script."""

from typing import NamedTuple


class Options(NamedTuple):
    """What `twinflow run` was asked for.

    Args:
        py2: the script is in Python 2. sample_data: data sets that are not there are
            made up. plots: the folder for the plots of a notebook. capsule: the file
            for a step that fails. since: the version of TensorFlow that it is for.
    """

    py2: bool = False
    sample_data: bool = False
    plots: str | None = None
    capsule: str | None = None
    since: str | None = None


_VALUES = {"--plots": "a folder", "--capsule": "a file", "--since": "a version"}


def taken(argv: list[str]) -> tuple[Options, list[str], str | None]:
    """(the options, what stands behind them, what is wrong with them)"""
    chosen, rest = Options(), list(argv)
    while rest and rest[0].startswith("--"):
        option, equals, value = rest.pop(0).partition("=")
        if option == "--py2" and not equals:
            chosen = chosen._replace(py2=True)
        elif option == "--sample-data" and not equals:
            chosen = chosen._replace(sample_data=True)
        elif option in _VALUES and (equals or rest):
            name = option.removeprefix("--")
            chosen = chosen._replace(**{name: value if equals else rest.pop(0)})
        elif option in _VALUES:
            return chosen, rest, f"{option} needs {_VALUES[option]}"
        else:
            known = (
                "--py2, --sample-data, --since VERSION, --plots DIR and --capsule FILE"
            )
            return chosen, rest, f"no option {option!r}; there are {known}"
    return chosen, rest, None


def is_notebook(path: str) -> bool:
    """Whether a file is one, by its name."""
    return path.endswith(".ipynb")
