"""The graph of one call of an Estimator."""

import contextlib

from twinflow.distribute import contexts
from twinflow.graph.graph import Graph
from twinflow.ops.random.streams import set_random_seed
from twinflow.train import training_util


class FreshGraph:
    """A block with a graph of its own, that has a global step.

    Args:
        seed: of its random numbers. place: the device of its nodes, or a function of a
            node. make_step: makes the global step of a graph.
    """

    def __init__(self, seed, place=None, make_step=training_util.create_global_step):
        self.graph, self.seed, self.place = Graph(), seed, place
        self.make_step = make_step

    def __enter__(self):
        self.block = contextlib.ExitStack()
        self.block.enter_context(contexts.outside())
        self.block.enter_context(self.graph.as_default())
        if self.place is not None:
            self.block.enter_context(self.graph.device(self.place))
        set_random_seed(self.seed)
        self.make_step(self.graph)
        return self.graph

    def __exit__(self, *exc):
        return self.block.__exit__(*exc)
