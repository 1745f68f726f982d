"""Values of tensors as lines, which know the indices of what they show."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.tfdbg.dumps.values import InconvertibleTensorProto
from twinflow.tfdbg.text.numbers import numeric_summary
from twinflow.tfdbg.text.rich_text import RichLine, RichTextLines

BEGIN_INDICES_KEY = "i0"
OMITTED_INDICES_KEY = "omitted"
DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR = "bold"
METADATA_KEY = "tensor_metadata"

_ELLIPSIS = "..."
_PIECE = re.compile(
    r"""[bu]?'(?:[^'\\]|\\.)*' | [bu]?"(?:[^"\\]|\\.)*"  # a string
      | \[ | \] | \.\.\. | [^\s,\[\]] (?: [^,\[\]]* [^\s,\[\]] )?""",
    re.VERBOSE,
)
_LABEL = re.compile(r"(?P<name>.*:\d+)(?P<op>:\w+)?(?P<slicing>\[.*)?$")


class HighlightOptions:
    """Which elements of a tensor are marked, and how.

    Args:
        criterion: a function from the array to one of bool of the same shape.
        description: str, or None. font_attr: the attribute of what is marked.
    """

    def __init__(
        self,
        criterion: Callable,
        description: str | None = None,
        font_attr: Any = DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR,
    ) -> None:
        self.criterion = criterion
        self.description = description
        self.font_attr = font_attr


def format_tensor(
    tensor: Any,
    tensor_label: str | None,
    include_metadata: bool = False,
    auxiliary_message: RichTextLines | None = None,
    include_numeric_summary: bool = False,
    np_printoptions: dict | None = None,
    highlight_options: HighlightOptions | None = None,
) -> RichTextLines:
    """The lines of a tensor's value.

    Args:
        tensor: ndarray, or another object, such as None.
        tensor_label: its name; None for no line with it.
        include_metadata: whether dtype and shape are shown.
        auxiliary_message: lines below the name. include_numeric_summary: bool.
        np_printoptions: for np.set_printoptions; they stay set, as in TensorFlow.
        highlight_options: which elements to mark.
    Returns:
        RichTextLines; their annotations say with which indices each line begins.
    """
    whole = RichTextLines([])
    marked = None
    is_array = isinstance(tensor, np.ndarray)
    if is_array and highlight_options is not None:
        marked = np.argwhere(highlight_options.criterion(tensor))
    if tensor_label is not None:
        whole.append_rich_line(_title(tensor_label, tensor, marked, highlight_options))
    if include_metadata and is_array:
        whole.append(f"  dtype: {tensor.dtype}")
        whole.append(f"  shape: {tensor.shape}")
    if whole.num_lines():
        whole.append("")
    if auxiliary_message:
        whole.extend(auxiliary_message)
    if include_numeric_summary and is_array:
        whole.append("Numeric summary:")
        whole.extend(numeric_summary(tensor))
        whole.append("")
    if np_printoptions is not None:
        np.set_printoptions(**np_printoptions)
    if is_array:
        lines = repr(tensor).split("\n")
        notes = _annotate_ndarray_lines(lines, tensor)
        whole.extend(RichTextLines(lines, annotations=notes))
    else:
        whole.extend(RichTextLines(_lines_of(tensor)))
    if highlight_options is not None and marked is not None and len(marked):
        _mark(whole, marked.tolist(), highlight_options.font_attr)
    return whole


def _lines_of(value: Any) -> list[str]:
    if isinstance(value, InconvertibleTensorProto):
        return str(value).split("\n")
    shown = value if isinstance(value, np.generic) else repr(value)
    return str(shown).split("\n")


def _title(
    label: str, tensor: Any, marked: Any, options: HighlightOptions | None
) -> RichLine:
    """`Tensor "x:0:DebugIdentity": Highlighted(...): 2 of 5 element(s) (40.00%)`"""
    line = RichLine('Tensor "')
    parts = _LABEL.match(label)
    name = parts["name"] if parts else label
    line += RichLine(name, "bold")
    if parts and parts["op"]:
        line += ":"
        line += RichLine(parts["op"][1:], "yellow")
    line += (parts["slicing"] or "" if parts else "") + '":'
    if marked is not None and options is not None:
        why = "" if options.description is None else f"({options.description})"
        share = 100.0 * len(marked) / tensor.size if tensor.size else 0.0
        line += (
            f" Highlighted{why}: {len(marked)} of {tensor.size} element(s) "
            f"({share:.2f}%)"
        )
    return line


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """The brackets, elements and ellipses of a line of an array, with their columns."""
    begin = text.index("(") + 1 if text.startswith("array(") else 0
    for match in _PIECE.finditer(text, begin):
        yield match.group(), match.start(), match.end()


def _annotate_ndarray_lines(
    array_lines: list[str],
    tensor: np.ndarray,
    np_printoptions: dict | None = None,
    offset: int = 0,
) -> dict:
    """Annotations: the dtype and shape, and the first indices of each line."""
    options = np.get_printoptions() if np_printoptions is None else np_printoptions
    edge = options.get("edgeitems", 3)
    notes: dict = {METADATA_KEY: {"dtype": tensor.dtype, "shape": tensor.shape}}
    index: list[int] = []  # of the element that comes next
    closed = False
    for i, line in enumerate(array_lines):
        first = None
        for piece, _, _ in _pieces(line):
            if piece == "[":
                index.append(0)
                continue
            if piece == "]":
                index.pop()
                if not index:
                    closed = True
                    break
            elif first is None:
                key = OMITTED_INDICES_KEY if piece == _ELLIPSIS else BEGIN_INDICES_KEY
                first = {key: index + [0] * (tensor.ndim - len(index))}
            if piece == _ELLIPSIS:
                index[-1] = tensor.shape[len(index) - 1] - edge
            elif index:
                index[-1] += 1
        if first is not None and tensor.ndim:
            notes[i + offset] = first
        if closed:  # the dtype may stand in a line of its own
            break
    return notes


def locate_tensor_element(formatted: RichTextLines, indices: list) -> tuple:
    """Where an element is within the lines of a tensor.

    Args:
        formatted: what `format_tensor` gave.
        indices: list of int; or several of them, in ascending order.
    Returns:
        whether it is omitted (by "..."), its line, and its columns from start to end,
        None where they are not known. Lists of them for several elements.
    Raises:
        AttributeError: the lines do not know their tensor.
        ValueError: the indices do not fit.
    """
    if METADATA_KEY not in formatted.annotations:
        raise AttributeError("tensor_metadata is not available in annotations.")
    several = bool(indices) and isinstance(indices[0], list)
    wanted = indices if several else [indices]
    _validate_indices_list(wanted, formatted)
    known = _rows(formatted)
    found, at = [], 0
    for index in wanted:
        while at + 1 < len(known) and known[at + 1][1] <= index:
            at += 1
        row, first, omitted = known[at]
        found.append(_place(formatted, row, first, omitted, index))
    columns = tuple(list(column) for column in zip(*found))
    return columns if several else found[0]


def _rows(formatted: RichTextLines) -> list[tuple]:
    """(line, first indices, whether they are omitted) of the lines, in order."""
    notes = ((k, n) for k, n in formatted.annotations.items() if isinstance(k, int))
    return sorted(
        (k, n.get(OMITTED_INDICES_KEY, n.get(BEGIN_INDICES_KEY)),
         OMITTED_INDICES_KEY in n)
        for k, n in notes if OMITTED_INDICES_KEY in n or BEGIN_INDICES_KEY in n
    )  # fmt: skip


def _place(
    formatted: RichTextLines, row: int, first: list[int], omitted: bool, index: list
) -> tuple:
    if omitted:
        return True, row, None, None
    return False, row, *_locate_element(formatted.lines[row], index[-1] - first[-1])


def _locate_element(line: str, position: int) -> tuple[int | None, int | None]:
    """The columns of the element of this position in a line, None after an ellipsis."""
    elements = [piece for piece in _pieces(line) if piece[0] not in "[]"]
    for i, (text, start, end) in enumerate(elements):
        if text == _ELLIPSIS:
            break
        if i == position:
            return start, end
    return None, None


def _validate_indices_list(indices_list: list, formatted: RichTextLines) -> None:
    shape = formatted.annotations[METADATA_KEY]["shape"]
    before = None
    for index in indices_list:
        if len(index) != len(shape):
            raise ValueError(
                f"Dimensions mismatch: requested: {len(index)}; actual: {len(shape)}"
            )
        if any(i >= size for i, size in zip(index, shape)):
            raise ValueError("Indices exceed tensor dimensions.")
        if any(i < 0 for i in index):
            raise ValueError("Indices contain negative value(s).")
        if before is not None and before > index:
            raise ValueError("Input indices sets are not in ascending order.")
        before = index


def _mark(whole: RichTextLines, marked: list, attribute: Any) -> None:
    """Give elements of a tensor's lines a font attribute."""
    if METADATA_KEY not in whole.annotations or not marked[0]:
        return
    omitted, rows, starts, ends = locate_tensor_element(whole, marked)
    for hidden, row, start, end in zip(omitted, rows, starts, ends):
        if not hidden and start is not None:
            whole.font_attr_segs.setdefault(row, []).append((start, end, attribute))
