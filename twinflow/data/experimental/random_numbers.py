"""tf.data.experimental.RandomDataset: random numbers without an end."""

from twinflow.base import dtypes
from twinflow.data.dataset import Dataset
from twinflow.data.pipeline.stages import Staged
from twinflow.data.pipeline.stateful_stages import Words
from twinflow.data.structure import Structure
from twinflow.ops.random.streams import get_seed

_SCALAR = Structure(None, [dtypes.int64], [()])


class RandomDataset(Dataset):
    """Random int64 scalars in [0, 2**32), without an end.

    Args:
        seed: an int that makes them reproducible, also together with a graph seed
            alone (tf.set_random_seed).
    Example:
        tf.data.experimental.RandomDataset(seed=1).take(3)
    """

    def __init__(self, seed: int | None = None) -> None:
        seeds = get_seed(seed)

        def start(env):
            return lambda: Staged(Words(seeds))

        super().__init__("RandomDataset", _SCALAR, start)
