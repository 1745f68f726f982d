"""tf.data.Options: switches of TensorFlow's own data runtime."""

from typing import Any

_NAMES = (
    "experimental_autotune", "experimental_filter_fusion",
    "experimental_hoist_random_uniform", "experimental_latency_all_edges",
    "experimental_map_and_batch_fusion", "experimental_map_and_filter_fusion",
    "experimental_map_fusion", "experimental_map_parallelization",
    "experimental_map_vectorization", "experimental_noop_elimination",
    "experimental_shuffle_and_repeat_fusion", "experimental_stats",
)  # fmt: skip


_OTHERS = ("experimental_autotune", "experimental_stats")


class Options:
    """Switches of a dataset: how its transforms are rewritten (Note [Rewriting]).

    `experimental_autotune`, `experimental_stats`, `experimental_latency_all_edges`,
    `experimental_hoist_random_uniform` and `experimental_map_vectorization` are
    accepted and change nothing.

    Example:
        options = tf.data.Options(); options.experimental_autotune = True
    """

    __slots__ = _NAMES

    def __init__(self) -> None:
        for name in _NAMES:
            setattr(self, name, None)

    def __eq__(self, other):
        if not isinstance(other, Options):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in _NAMES)

    __hash__ = None

    def _static_optimizations(self):
        """The rewritings that are switched on, see data.rewriting."""
        on = [n for n in _NAMES if getattr(self, n) and n not in _OTHERS]
        return [n.removeprefix("experimental_") for n in on]

    def merge(self, options: Any) -> "Options":
        """Both, as new Options.

        Raises:
            ValueError: they contradict each other.
        """
        found = Options()
        for name in _NAMES:
            a, b = getattr(self, name), getattr(options, name)
            if None not in (a, b) and a != b:
                raise ValueError(f"Cannot merge incompatible values of option: {name}")
            setattr(found, name, b if a is None else a)
        return found
