"""tensorflow.python.tools.inspect_checkpoint: what is in a checkpoint, printed."""

import argparse
import re
import sys
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.checkpoint.reader import NewCheckpointReader

FLAGS: Any = None
_V2_HINT = """

It's likely that this is a V2 checkpoint and you need to provide the filename
*prefix*.  Try removing the '.' and extension.  Try:
inspect checkpoint --file_name = {}"""


def print_tensors_in_checkpoint_file(
    file_name: str, tensor_name: str, all_tensors: bool, all_tensor_names: bool = False
) -> None:
    """Print what is in a checkpoint.

    Args:
        file_name: the checkpoint: its prefix, or its file if it has version 1.
        tensor_name: the tensor to print; "" for the names, dtypes and shapes of all.
        all_tensors: print the values of all. all_tensor_names: print their names.
    """
    try:
        reader = NewCheckpointReader(file_name)
        if all_tensors or all_tensor_names:
            for key in sorted(reader.get_variable_to_shape_map()):
                print("tensor_name: ", key)
                if all_tensors:
                    print(reader.get_tensor(key))
        elif not tensor_name:
            print(reader.debug_string().decode("utf-8", errors="ignore"))
        else:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
    except errors.OpError as error:
        print(error.message)
        part = re.fullmatch(r"(.*)\.(index|meta|data-\d{5}-of-\d{5})", file_name)
        if isinstance(error, errors.DataLossError) and part:
            print(_V2_HINT.format(part[1]))


def parse_numpy_printoption(kv_str: str) -> None:
    """Set one of NumPy's print options.

    Args:
        kv_str: "name=value".
    Raises:
        argparse.ArgumentTypeError: there is no such option, or it has another type.
    """
    name, _, text = kv_str.partition("=")
    options = np.get_printoptions()
    if name not in options:
        raise argparse.ArgumentTypeError(f"'{name}' is not a valid printoption.")
    kind = type(options[name])
    if kind is type(None):
        raise argparse.ArgumentTypeError(
            f"Setting '{name}' from the command line is not supported."
        )
    try:
        value = text.lower() in ("1", "true", "yes") if kind is bool else kind(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    np.set_printoptions(**{name: value})


def main(unused_argv: Any = None) -> None:
    """The command `inspect_checkpoint`."""
    if not FLAGS.file_name:
        print(
            "Usage: inspect_checkpoint --file_name=checkpoint_file_name "
            "[--tensor_name=tensor_to_print] [--all_tensors] [--all_tensor_names] "
            "[--printoptions]"
        )
        sys.exit(1)
    print_tensors_in_checkpoint_file(
        FLAGS.file_name, FLAGS.tensor_name, FLAGS.all_tensors, FLAGS.all_tensor_names
    )
