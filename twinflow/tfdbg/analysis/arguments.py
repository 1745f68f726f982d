"""The arguments of the commands that look at dumps."""

import argparse
from typing import Any

from twinflow.tfdbg.shell import parsing

SORT_TENSORS_BY_TIMESTAMP = "timestamp"
SORT_TENSORS_BY_DUMP_SIZE = "dump_size"
SORT_TENSORS_BY_OP_TYPE = "op_type"
SORT_TENSORS_BY_TENSOR_NAME = "tensor_name"
SORT_KEYS = (
    SORT_TENSORS_BY_TIMESTAMP, SORT_TENSORS_BY_DUMP_SIZE, SORT_TENSORS_BY_OP_TYPE,
    SORT_TENSORS_BY_TENSOR_NAME,
)  # fmt: skip
_NODE_HELP = (
    "Name of the node or an output tensor from the node, e.g., "
    "hidden1/Wx_plus_b/MatMul, hidden1/Wx_plus_b/MatMul:0"
)
_FENN_HELP = (
    "When applying the tensor filter, exclude node with names matching the regular "
    "expression. Applicable only if --tensor_filter or -f is used."
)


def _parser(description: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=description, usage=argparse.SUPPRESS)


def parsers(depth: int) -> dict[str, argparse.ArgumentParser]:
    """{command: its parser}.

    Args:
        depth: how far trees of inputs go where nothing else is said.
    """
    return {
        "list_tensors": _list_tensors(),
        "node_info": _node_info(),
        "list_inputs": _tree("Show inputs to a node.", "input", depth),
        "list_outputs": _tree(
            "Show the nodes that receive the outputs of given node.", "output", depth
        ),
        "print_tensor": parsing.get_print_tensor_argparser(
            "Print the value of a dumped tensor."
        ),
        "print_source": _print_source(),
        "list_source": _list_source(),
        "eval": _eval(),
    }


def _list_tensors() -> argparse.ArgumentParser:
    p = _parser("List dumped intermediate tensors.")
    p.add_argument(
        "-f", "--tensor_filter", dest="tensor_filter", type=str, default="",
        help="List only Tensors passing the filter of the specified name",
    )  # fmt: skip
    p.add_argument(
        "-fenn", "--filter_exclude_node_names", dest="filter_exclude_node_names",
        type=str, default="", help=_FENN_HELP,
    )  # fmt: skip
    _filters(p)
    p.add_argument(
        "-s", "--sort_by", dest="sort_by", type=str, default=SORT_TENSORS_BY_TIMESTAMP,
        help=f"the field to sort the data by: ({' | '.join(SORT_KEYS)})",
    )  # fmt: skip
    p.add_argument(
        "-r", "--reverse", dest="reverse", action="store_true",
        help="sort the data in reverse (descending) order",
    )  # fmt: skip
    return p


def _filters(p: Any) -> None:
    p.add_argument(
        "-n", "--node_name_filter", dest="node_name_filter", type=str, default="",
        help="filter node name by regex.",
    )  # fmt: skip
    p.add_argument(
        "-t", "--op_type_filter", dest="op_type_filter", type=str, default="",
        help="filter op type by regex.",
    )  # fmt: skip


def _node_info() -> argparse.ArgumentParser:
    p = _parser("Show information about a node.")
    p.add_argument("node_name", type=str, help=_NODE_HELP)
    for short, name, text in (
        ("-a", "attributes", "Also list attributes of the node."),
        ("-d", "dumps", "Also list dumps available from the node."),
        ("-t", "traceback", "Also include the traceback of the node's creation (if "
         "available in Python)."),
    ):  # fmt: skip
        p.add_argument(short, f"--{name}", dest=name, action="store_true", help=text)
    return p


def _tree(description: str, what: str, depth: int) -> argparse.ArgumentParser:
    others = "input nodes" if what == "input" else "recipient nodes"
    shown = "inputs to" if what == "input" else "recipients of"
    p = _parser(description)
    p.add_argument("node_name", type=str, help=_NODE_HELP)
    p.add_argument(
        "-c", "--control", action="store_true", help="Include control inputs."
    )
    p.add_argument(
        "-d", "--depth", dest="depth", type=int, default=depth,
        help=f"Maximum depth of recursion used when showing the {what} tree.",
    )  # fmt: skip
    p.add_argument(
        "-r", "--recursive", dest="recursive", action="store_true",
        help=f"Show {shown} the node recursively, i.e., the {what} tree.",
    )  # fmt: skip
    p.add_argument(
        "-t", "--op_type", action="store_true", help=f"Show op types of {others}."
    )
    return p


def _print_source() -> argparse.ArgumentParser:
    p = _parser(
        "Print a Python source file with overlaid debug information, including the "
        "nodes (ops) or Tensors created at the source lines."
    )
    p.add_argument("source_file_path", type=str, help="Path to the source file.")
    p.add_argument(
        "-t", "--tensors", dest="tensors", action="store_true",
        help="Label lines with dumped Tensors, instead of ops.",
    )  # fmt: skip
    p.add_argument(
        "-m", "--max_elements_per_line", type=int, default=10,
        help="Maximum number of elements (ops or Tensors) to show per source line.",
    )  # fmt: skip
    p.add_argument(
        "-b", "--line_begin", type=int, default=1,
        help="Print source beginning at line number (1-based.)",
    )  # fmt: skip
    return p


def _list_source() -> argparse.ArgumentParser:
    p = _parser(
        "List source files responsible for constructing nodes and tensors present in "
        "the run()."
    )
    p.add_argument(
        "-p", "--path_filter", type=str, default="",
        help="Regular expression filter for file path.",
    )  # fmt: skip
    p.add_argument(
        "-n", "--node_name_filter", type=str, default="",
        help="Regular expression filter for node name.",
    )  # fmt: skip
    return p


def _eval() -> argparse.ArgumentParser:
    p = _parser(
        "Evaluate an expression of the values of dumped tensors, whose names stand in "
        "backticks; np is numpy. Put expressions with spaces into quotes, such as "
        'eval "np.sum(`Softmax:0`, axis=1)".'
    )
    p.add_argument(
        "expression", type=str,
        help="Names are NODE:SLOT, NODE:SLOT:DEBUGOP, each with [NUMBER] behind it for "
        "a later dump, and DEVICE: in front of it where several devices have it.",
    )  # fmt: skip
    p.add_argument(
        "-a", "--all", dest="print_all", action="store_true",
        help="Print the tensor in its entirety, i.e., do not use ellipses.",
    )  # fmt: skip
    p.add_argument(
        "-w", "--write_path", type=str, default="",
        help="Path of the numpy file to write the evaluation result to, using "
        "numpy.save()",
    )  # fmt: skip
    return p
