"""How the programs run: as they are, and as AutoGraph converts them."""

import ast
import linecache

import numpy as np

import twinflow as tf
from twinflow.base import dispatch, nest
from twinflow.eager.mode import MODE
from twinflow.graph import variable_store

WAYS = {
    "e": "eager",
    "g": "graph",
    "G": "graph without a start",
    "f": "function",
    "a": "converted in a graph",
    "A": "converted",
    "I": "in a converted if",
    "L": "in a converted for",
    "W": "in a converted while",
}
_BLOCKS = {
    "I": ("if count > 0:",),
    "L": ("for step in tf.range(count):",),
    "W": ("while count > 0:", "count = count - 1"),
}


def converted_ways(program):
    """The ways a program runs as AutoGraph converts it.

    A function is converted as a whole and with its body in each kind of block, a graph
    as a whole; what a block has to return is a tensor, not a feed. `P` marks what is
    no mistake there: Python's own control flow.
    """
    if "P" in program.ways or "A" in program.ways:
        return program.ways.replace("P", "").strip("egGf")
    return "AILW" * ("f" in program.ways) + "a" * ("g" in program.ways)


def written(way, path, text):
    """Write a program to a file.

    Returns:
        Its function.
    """
    lines = text.strip().split("\n")
    if way in _BLOCKS:
        head, *last = _BLOCKS[way]
        lines = [
            "count = kept = tf.constant(1)", head,
            *("    " + line for line in [*_kept(lines), *last]), "return kept",
        ]  # fmt: skip
    body = "\n".join("    " + line for line in lines)
    path.write_text(f"def program():\n{body}\n")
    linecache.checkcache(str(path))
    names = {"tf": tf, "np": np, "keep": keep}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["program"]


def _kept(lines):
    """The lines of a body whose result is kept, not returned."""
    text = "def program():\n" + "\n".join("    " + line for line in lines)
    lines = list(lines)
    for node in _own(ast.parse(text).body[0]):
        if isinstance(node, ast.Return):
            first, last = node.lineno - 2, node.end_lineno - 2
            end = len(text.split("\n")[last + 1][: node.end_col_offset]) - 4
            lines[last] = lines[last][:end] + ")" + lines[last][end:]
            begin = node.col_offset - 4
            old = lines[first][begin:].removeprefix("return")
            lines[first] = lines[first][:begin] + "kept = keep(kept, " + old.lstrip()
    return lines


def _own(node):
    """The statements of a function, without those of the functions in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield child
            yield from _own(child)


@tf.contrib.autograph.do_not_convert()
def keep(kept, result):
    """`kept`, once a result is there."""
    flat = [x for x in nest.flatten(result) if isinstance(x, tf.Tensor | tf.Operation)]
    with tf.control_dependencies(flat):
        return tf.identity(kept)


def run(way, path, text):
    """Run a program; it is to raise."""
    program = written(way, path, text)
    with tf.Graph().as_default():
        if way in "gGa":
            return _in_session(way, program)
        with dispatch.entered(MODE):
            variable_store.home().state.pop("variable_store", None)
            if way != "e":
                wrap = tf.contrib.eager.defun if way == "f" else tf.function
                program = wrap(program)
            return program()


def _in_session(way, program):
    if way == "a":
        program = tf.contrib.autograph.to_graph(program)
    found = program()
    fetches, feeds = found if _with_feeds(found) else (found, None)
    with tf.Session() as session:
        if way != "G":
            session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def _with_feeds(found):
    return type(found) is tuple and len(found) == 2 and type(found[1]) is dict
