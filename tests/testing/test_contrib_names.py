"""The functions and classes of tf.contrib that are not refused, by name and arguments.

contrib_1_12.txt has a line for each of TensorFlow 1.12: its path, then its arguments.
"""

from pathlib import Path

from tests.support import coverage
from twinflow.base.unsupported import group_of_symbol

DATA = Path(__file__).parents[1] / "support" / "data" / "contrib_1_12.txt"


def _lacks(path, arguments):
    """What is missing of a name: itself, some arguments, or nothing."""
    value = coverage.find(path)
    if value is None or getattr(value, "refused", None) is True:
        return path
    return coverage.missing_arguments(value, arguments)


def test_nearly_all_of_contrib_is_there():
    rows = [line.split() for line in DATA.read_text().splitlines()]
    rows = [(path[3:], arguments) for path, *arguments in rows]
    wanted = [row for row in rows if group_of_symbol(row[0]) is None]
    lacking = [row for row in wanted if _lacks(*row)]
    assert len(wanted) > 900
    assert len(lacking) <= len(wanted) / 100, lacking
