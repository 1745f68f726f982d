"""`--seed N` of `twinflow run`: everything that draws numbers, before the script."""

import random

import numpy as np

from twinflow.eager.mode import MODE
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph


def seed_all(seed: int) -> None:
    """Seed Python's random, NumPy's, all graphs, and eager execution."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    Graph.first_seed = get_default_graph().seed = seed
    MODE.seed = seed  # type: ignore[attr-defined]
