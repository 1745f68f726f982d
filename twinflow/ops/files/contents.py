"""Files read, written and found by ops, on the host."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import files, stores
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import rank_of, text
from twinflow.ops.strings.arrays import as_text, filled, flat, one
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.kinds import Variable

if TYPE_CHECKING:
    from twinflow.ops.variables.creators import VariableV1


def _infer_name(filename, *_):
    rank_of(filename, 0, "filename")
    return ()


def _read_kernel(filename):
    if np.ndim(filename):
        raise invalid(
            "Input filename tensor must be scalar, but had shape: "
            f"{text(np.shape(filename))}"
        )
    return files.read_file_to_string(as_text(one(filename)), binary_mode=True)


ReadFile = define("ReadFile", infer=_infer_name, host=_read_kernel, strict=True)


def read_file(filename: Any, name: str | None = None) -> Tensor:
    """All of a file as one string.

    Args:
        filename: string scalar. name: the name of the node in a graph.
    Returns:
        string scalar
    Raises:
        NotFoundError: there is no such file.
    """
    return apply(ReadFile, (filename,), None, name)


def _infer_write(filename, contents):
    rank_of(filename, 0, "filename")
    rank_of(contents, 0, "contents")
    return []


def _write_kernel(filename, contents):
    path = as_text(one(filename))
    if stores.dirname(path):
        files.MakeDirs(stores.dirname(path))
    files.write_string_to_file(path, one(contents))
    return ()


WriteFile = define("WriteFile", infer=_infer_write, host=_write_kernel, stateful=True)


def write_file(
    filename: TensorValue, contents: TensorValue, name: str | None = None
) -> Any:
    """Write a string to a file; folders on its way are made.

    Args:
        filename, contents: string scalars. name: the name of the node in a graph.
    Returns:
        The op in a graph.
    """
    return apply(WriteFile, (filename, contents), None, name)


def _matching_kernel(pattern):
    found = files.Glob([as_text(p) for p in flat(pattern)])
    return filled(sorted(os.fsencode(f) for f in found), (len(found),))


MatchingFiles = define(
    "MatchingFiles", infer=lambda pattern: (None,), host=_matching_kernel
)


def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """The paths that match patterns with ``*``, ``?`` and ``[abc]``, sorted.

    Args:
        pattern: string scalar or string[n]. name: the name of the node in a graph.
    Returns:
        string[m]
    """
    return apply(MatchingFiles, (pattern,), None, name)


def match_filenames_once(pattern: TensorValue, name: str | None = None) -> "VariableV1":
    """A local variable with the paths that match when it is initialised.

    Args:
        pattern: string scalar or string[n]. name: the name of the variable.
    """
    return Variable(
        lambda: matching_files(pattern),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=False,
        name=name or "matching_filenames",
    )
