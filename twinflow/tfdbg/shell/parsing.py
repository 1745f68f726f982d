"""What a person types: words, slices, ranges, sizes and times.

Note [Words of a command]: whitespace ends a word, unless it is within brackets or
quotes. A word that is quoted as a whole loses its quotes.
"""

import argparse
import ast
import re
import sys
from typing import Any

import numpy as np

from twinflow.tfdbg.shell.intervals import is_interval

_WORD = re.compile(
    r"""(?: \[[^\]]*\] | "[^"]*" | '[^']*' | \S )+""", re.VERBOSE
)  # fmt: skip
_SLICING = re.compile(r"^\[(\d|,|\s|:)+\]$")
_QUOTES = ('"', "'")


def parse_command(command: str) -> list[str]:
    """The words of a command: see Note [Words of a command]."""
    return [_unquoted(m.group()) for m in _WORD.finditer(command.strip())]


def _unquoted(word: str) -> str:
    quoted = len(word) > 1 and word[0] == word[-1] and word[0] in _QUOTES
    return word[1:-1] if quoted else word


def extract_output_file_path(args: list[str]) -> tuple[list[str], str | None]:
    """Words without a `> path` at their end, and that path.

    An interval, such as `--memory >1kB`, is no path.

    Raises:
        SyntaxError: nothing follows the ">".
    """
    if args and args[-1].endswith(">"):
        raise SyntaxError("Redirect file path is empty")
    if not args or ">" not in "".join(args[-2:]):
        return args, None
    last = args[-1]
    if len(args) > 1 and args[-2].endswith(">") and not last.startswith(">"):
        before = args[-2][:-1]
        return [*args[:-2], *([before] if before else [])], last
    if last.startswith(">"):
        of_option = len(args) > 1 and args[-2].startswith("-")
        if of_option and is_interval(last):
            return args, None
        return args[:-1], last[1:]
    before, sign, path = last.rpartition(">")
    if not sign or (before.endswith("=") and is_interval(">" + path)):
        return args, None
    return [*args[:-1], before], path


def parse_tensor_name_with_slicing(in_str: str) -> tuple[str, str]:
    """`x:0[1, :]` as ("x:0", "[1, :]")."""
    name, bracket, rest = in_str.partition("[")
    return (name, bracket + rest) if in_str.endswith("]") else (in_str, "")


def validate_slicing_string(slicing_string: str) -> bool:
    """Whether a text has only what slices have."""
    return bool(_SLICING.match(slicing_string))


def _parse_slices(slicing_string: str) -> tuple:
    """`[1, :3]` as (1, slice(None, 3)).

    Raises:
        ValueError: it is no slicing.
    """
    if not validate_slicing_string(slicing_string):
        raise ValueError("Invalid tensor-slicing string.")
    found: list = []
    for part in slicing_string[1:-1].split(","):
        ends = [int(x) if x.strip() else None for x in part.split(":")]
        found.append(ends[0] if len(ends) == 1 else slice(*ends))
    return tuple(found)


def parse_indices(indices_string: str) -> list[int]:
    """`[1, 2]`, or without its brackets, as a list.

    Raises:
        ValueError: something in it is no integer.
    """
    text = indices_string.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return [int(part.strip()) for part in text.split(",")]


def parse_ranges(range_string: str) -> list[list[float]]:
    """`[0, inf]`, or `[[-inf, -1], [1, inf]]`, as a list of ranges.

    Raises:
        ValueError: a range has not two numbers. SyntaxError: a bracket is missing.
    """
    text = range_string.strip()
    if not text:
        return []
    literal = re.sub(r"\binf\b", repr(sys.float_info.max), text)
    ranges = ast.literal_eval(literal)
    if ranges and not isinstance(ranges[0], list | tuple):
        ranges = [ranges]
    for one in ranges:
        if len(one) != 2:
            raise ValueError("Incorrect number of elements in range")
        for which, end in zip(("1st", "2nd"), one):
            if not isinstance(end, int | float):
                raise ValueError(
                    f"Incorrect type in the {which} element of range: {type(end)}"
                )
    return [list(one) for one in ranges]


def evaluate_tensor_slice(tensor: Any, tensor_slicing: str) -> Any:
    """A part of an array.

    Args:
        tensor: ndarray. tensor_slicing: such as "[:, 1]".
    Raises:
        ValueError: it is no slicing.
    """
    return np.asarray(tensor)[_parse_slices(tensor_slicing)]


def get_print_tensor_argparser(description: str) -> argparse.ArgumentParser:
    """The arguments of a command that shows a tensor."""
    parser = argparse.ArgumentParser(description=description, usage=argparse.SUPPRESS)
    parser.add_argument(
        "tensor_name", type=str,
        help="Name of the tensor, followed by any slicing indices, e.g., "
        "hidden1/Wx_plus_b/MatMul:0, hidden1/Wx_plus_b/MatMul:0[1, :]",
    )  # fmt: skip
    parser.add_argument(
        "-n", "--number", dest="number", type=int, default=-1,
        help="0-based dump number for the specified tensor. Required for tensor with "
        "multiple dumps.",
    )  # fmt: skip
    parser.add_argument(
        "-r", "--ranges", dest="ranges", type=str, default="",
        help="Numerical ranges to highlight tensor elements in. Examples: -r 0,1e-8, "
        '-r [-0.1,0.1], -r "[[-inf, -0.1], [0.1, inf]]"',
    )  # fmt: skip
    parser.add_argument(
        "-a", "--all", dest="print_all", action="store_true",
        help="Print the tensor in its entirety, i.e., do not use ellipses.",
    )  # fmt: skip
    parser.add_argument(
        "-s", "--numeric_summary", action="store_true",
        help="Include summary for non-empty tensors of numeric (int*, float*, "
        "complex*) and Boolean types.",
    )  # fmt: skip
    parser.add_argument(
        "-w", "--write_path", type=str, default="",
        help="Path of the numpy file to write the tensor data to, using numpy.save().",
    )  # fmt: skip
    return parser
