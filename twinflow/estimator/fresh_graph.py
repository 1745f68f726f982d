"""The graph of one call of an Estimator."""

from twinflow.graph.graph import Graph
from twinflow.ops.random.streams import set_random_seed
from twinflow.train import training_util


class FreshGraph:
    """A block with a graph of its own, that has a global step.

    Args:
        seed: of its random numbers. make_step: makes the global step of a graph.
    """

    def __init__(self, seed, make_step=training_util.create_global_step):
        self.graph, self.seed, self.make_step = Graph(), seed, make_step

    def __enter__(self):
        self.block = self.graph.as_default()
        self.block.__enter__()
        set_random_seed(self.seed)
        self.make_step(self.graph)
        return self.graph

    def __exit__(self, *exc):
        return self.block.__exit__(*exc)
