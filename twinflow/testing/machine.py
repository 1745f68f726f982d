"""What tests ask of the machine."""

import os
import sys
import tempfile
import unittest
from typing import Any
from unittest import mock  # noqa: F401 - public as tf.test.mock

from twinflow.base import devices


def is_gpu_available(
    cuda_only: Any = False, min_cuda_compute_capability: Any = None
) -> Any:
    """Whether there is an accelerator; the arguments are accepted."""
    return devices.num_gpus() > 0


def gpu_device_name() -> str:
    """The name of the first accelerator, "" without one."""
    return "/device:GPU:0" if devices.num_gpus() else ""


def is_built_with_cuda() -> bool:
    """Whether jax has a plugin for accelerators."""
    return devices.accelerators() is not None


_folders: list = []


def get_temp_dir() -> Any:
    """A folder for the files of this process's tests, the same at each call."""
    if not _folders:
        _folders.append(tempfile.TemporaryDirectory(prefix="twinflow_test_"))
    return _folders[0].name


def test_src_dir_path(relative_path: Any) -> Any:
    """The path of a file beside the program that runs."""
    return os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), relative_path)


def main(argv: Any = None) -> None:
    """Run the tests of the program."""
    unittest.main(argv=argv)
