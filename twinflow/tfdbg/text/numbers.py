"""A table of what kinds of numbers an array has, and how large they are."""

import numpy as np

from twinflow.tfdbg.text.rich_text import RichTextLines


def numeric_summary(tensor: np.ndarray) -> RichTextLines:
    """How many elements are nan, -inf, -, 0, + and +inf; min, max, mean and std.

    Args:
        tensor: ndarray of numbers or bool.
    Returns:
        RichTextLines; one line that says why not for what is empty or has no numbers.
    """
    if not isinstance(tensor, np.ndarray) or not tensor.size:
        return RichTextLines(["No numeric summary available due to empty tensor."])
    if tensor.dtype == bool:
        trues = int(np.sum(tensor))
        counts = [("False", tensor.size - trues), ("True", trues)]
        return RichTextLines(_count_lines(counts, tensor.size))
    if tensor.dtype.kind not in "iufc" and tensor.dtype.name != "bfloat16":
        text = f"No numeric summary available due to tensor dtype: {tensor.dtype}."
        return RichTextLines([text])
    finite = tensor[np.isfinite(tensor)]
    lines = _count_lines(_kinds(tensor), tensor.size)
    if finite.size and tensor.dtype.kind != "c":
        names = ["min", "max", "mean", "std"]
        values = [str(f(finite)) for f in (np.min, np.max, np.mean, np.std)]
        lines += _table([names, values])
    elif finite.size:
        values = [str(f(finite)) for f in (np.mean, np.std)]
        lines += _table([["mean", "std"], values])
    return RichTextLines(lines)


def _kinds(tensor: np.ndarray) -> list[tuple[str, int]]:
    """How many are nan, -inf, -, 0, + and +inf, of complex ones by their real part."""
    real = np.real(tensor)
    known = ~np.isnan(tensor)
    with np.errstate(invalid="ignore"):
        masks = {
            "nan": ~known,
            "-inf": known & (real == -np.inf),
            "-": known & (real < 0) & (real != -np.inf),
            "0": known & (tensor == 0),
            "+": known & (real > 0) & (real != np.inf),
            "+inf": known & (real == np.inf),
        }
    return [(name, int(np.sum(mask))) for name, mask in masks.items()]


def _count_lines(counts: list[tuple[str, int]], total: int) -> list[str]:
    there = [(name, str(n)) for name, n in counts if n]
    left = _table([[name for name, _ in there], [n for _, n in there]])
    right = _table([["total"], [str(total)]])
    return [a + b[1:] for a, b in zip(left, right)]


def _table(rows: list[list[str]]) -> list[str]:
    """Lines `| a b |` whose cells are all as wide as the longest."""
    width = max((len(cell) for row in rows for cell in row), default=0)
    return ["| " + " ".join(cell.rjust(width) for cell in row) + " |" for row in rows]
