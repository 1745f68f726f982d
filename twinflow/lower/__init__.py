"""From a graph to XLA, through jax."""

from twinflow.base.library_log import quiet

with quiet():
    import jax  # noqa: F401 - it is loaded here first
