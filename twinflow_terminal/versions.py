"""Which twinflow is installed, as its metadata says."""

import importlib.metadata


def version() -> str:
    """The version of the distribution."""
    return importlib.metadata.version("twinflow")
