"""The arguments of the commands that go on with a run."""

import argparse

from twinflow.tfdbg.shell import parsing


def parsers() -> dict[str, argparse.ArgumentParser]:
    """{command: its parser}."""
    plain = {
        "invoke_stepper": "Invoke stepper (cont, step, breakpoint, etc.)",
        "run_info": "Display information about this Session.run() call.",
    }
    found = {
        name: argparse.ArgumentParser(description=text, usage=argparse.SUPPRESS)
        for name, text in plain.items()
    }
    found["run"] = _run()
    found["print_feed"] = parsing.get_print_tensor_argparser(
        "Print the value of a feed in feed_dict."
    )
    return found


def _run() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        description="Run through, with or without debug tensor watching.",
        usage=argparse.SUPPRESS,
    )
    p.add_argument(
        "-t", "--times", dest="times", type=int, default=1,
        help="How many Session.run() calls to proceed with.",
    )  # fmt: skip
    p.add_argument(
        "-n", "--no_debug", dest="no_debug", action="store_true",
        help="Run through without debug tensor watching.",
    )  # fmt: skip
    p.add_argument(
        "-f", "--till_filter_pass", dest="till_filter_pass", type=str, default="",
        help="Run until a tensor in the graph passes the specified filter.",
    )  # fmt: skip
    p.add_argument(
        "-fenn", "--filter_exclude_node_names", dest="filter_exclude_node_names",
        type=str, default="",
        help="When applying the tensor filter, exclude node with names matching the "
        "regular expression. Applicable only if --tensor_filter or -f is used.",
    )  # fmt: skip
    for name, example in (
        ("node_name", "node names to be watched in the run, e.g., loss, reshape.*"),
        ("op_type", "op type to be watched in the run, e.g., (MatMul|Add), Variable.*"),
        ("tensor_dtype",
         "tensor dtype to be watched in the run, e.g., (float32|float64), int.*"),
    ):  # fmt: skip
        p.add_argument(
            f"--{name}_filter", dest=f"{name}_filter", type=str, default="",
            help=f"Regular-expression filter for {example}",
        )  # fmt: skip
    p.add_argument(
        "-p", "--profile", dest="profile", action="store_true",
        help="Run and profile TensorFlow graph execution.",
    )  # fmt: skip
    return p
