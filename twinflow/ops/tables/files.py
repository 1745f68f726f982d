"""Text files as the columns of lookup tables."""

from twinflow.base import dtypes, files
from twinflow.base.errors import invalid
from twinflow.ops.strings.arrays import as_bytes
from twinflow.ops.strings.number import parsed

WHOLE_LINE, LINE_NUMBER = -2, -1


def read_columns(path, columns, vocab_size=-1, delimiter="\t"):
    """Columns of a text file.

    Args:
        path: the file. columns: (index, DType) for each; the index is WHOLE_LINE,
            LINE_NUMBER or the number of a field.
        vocab_size: how many lines to read; -1 = all.
        delimiter: the byte between two fields.
    Returns:
        A list of values per column.
    Raises:
        NotFoundError: there is no such file. InvalidArgumentError: a line has too few
        fields, a field is no number, or there are less lines than `vocab_size`.
    """
    text = files.read_file_to_string(path, binary_mode=True)
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    _check_lines(path, lines)
    lines = [line.removesuffix(b"\r") for line in lines]
    if vocab_size >= 0:
        if len(lines) < vocab_size:
            raise invalid(
                f"Invalid vocab_size in {path}: expected {vocab_size} but got "
                f"{len(lines)}"
            )
        del lines[vocab_size:]
    delimiter = as_bytes(delimiter)
    return [_column(path, lines, *c, columns, delimiter) for c in columns]


def _check_lines(path, lines):
    if b"" in lines:
        place = sum(len(line) + 1 for line in lines[: lines.index(b"") + 1])
        raise invalid(
            f"Invalid content in {path}: empty line found at position {place}."
        )


def _column(path, lines, index, dtype, columns, delimiter):
    if index == LINE_NUMBER:
        return list(range(len(lines)))
    if index == WHOLE_LINE:
        words = lines
    else:
        most = max(i for i, _ in columns) + 1
        words = [
            _field(path, n, s, index, most, delimiter) for n, s in enumerate(lines)
        ]
    if dtype.name == "string":
        return words
    return [_number(path, n, w, dtype) for n, w in enumerate(words)]


def _field(path, number, line, index, most, delimiter):
    fields = line.split(delimiter)
    if len(fields) < most:
        shown = line.decode("utf-8", "backslashreplace")
        raise invalid(
            f"Invalid number of columns in {path} line {number} ({shown}) : expected "
            f"{most} got {len(fields)}"
        )
    return fields[index]


def _number(path, number, word, dtype):
    found = parsed(word, dtype)
    if found is None:
        shown, kind = word.decode("utf-8", "backslashreplace"), dtypes.cpp_name(dtype)
        raise invalid(f"Field {shown} in line {number} is not a valid {kind}.")
    return found
