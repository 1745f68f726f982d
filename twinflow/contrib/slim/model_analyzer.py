"""tf.contrib.slim.model_analyzer: how large variables and the values of nodes are."""

from collections.abc import Iterable
from typing import Any

_LINE = "---------"


def tensor_description(var: Any) -> str:
    """The dtype and shape of a tensor or variable, as `(float32 3x4)`.

    Raises:
        ValueError: nothing is known of the shape.
    """
    sizes = ("?" if size is None else str(size) for size in var.shape.as_list())
    return f"({var.dtype.name} {'x'.join(sizes)})"


def _print(wanted, *texts):
    if wanted:
        print(*texts)


def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """How many entries the values of all nodes have, as far as that is known.

    Args:
        graph: a tf.Graph. print_info: print a line for each node with a value.
    Returns:
        the sum
    """
    _print(print_info, _LINE)
    _print(print_info, "Operations: name -> (type shapes) [size]")
    _print(print_info, _LINE)
    total = 0
    for op in graph.get_operations():
        sizes, texts = 0, []
        for output in op.outputs:
            size = output.get_shape().num_elements() or 0
            if output.get_shape().ndims is not None:
                texts.append(tensor_description(output))
            sizes += size
        if texts:
            _print(print_info, op.name, "\t->", f"{', '.join(texts)} [{sizes}]")
        total += sizes
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """How many entries variables have, and how many bytes these take.

    Args:
        variables: a list of them. print_info: print a line for each.
    Returns:
        (entries, bytes)
    Example:
        v = tf.get_variable("v", [3, 4])
        tf.contrib.slim.model_analyzer.analyze_vars([v])  # (12, 48)
    """
    _print(print_info, _LINE)
    _print(print_info, "Variables: name (type shape) [size]")
    _print(print_info, _LINE)
    entries = total = 0
    for v in variables:
        size = v.get_shape().num_elements() or 0
        count = int(size * v.dtype.size)
        entries, total = entries + size, total + count
        _print(print_info, v.name, tensor_description(v), f"[{size}, bytes: {count}]")
    _print(print_info, f"Total size of variables: {entries}")
    _print(print_info, f"Total bytes of variables: {total}")
    return entries, total
