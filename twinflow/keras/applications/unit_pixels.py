"""Images as those networks take them that were trained with pixels from -1 to 1."""

from typing import Any

from twinflow.keras.applications import imagenet_utils


def preprocess_input(x: Any, data_format: Any = None) -> Any:
    """Pixels from 0 to 255 as numbers from -1 to 1; see imagenet_utils ("tf")."""
    return imagenet_utils.preprocess_input(x, data_format, "tf")
