"""Graphs of many nodes in the names of TensorFlow 1."""

import functools

import numpy as np

from benchmarks import graphs
from benchmarks.case import Case

WARM_UP = 3.0  # seconds of steps: what XLA takes for 10,000 nodes


class _Once(Case):
    """What is too long to be done often: its value once, its time after no warm-up."""

    def values(self, times=1):
        return super().values(times)


class GraphCases:
    """How one implementation builds and runs them.

    Args:
        tf: the module with TensorFlow 1's names.
    """

    def __init__(self, tf):
        self.tf = tf

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        return {
            row: {"Session": functools.partial(getattr(self, phase), int(float(size)))}
            for row, (phase, size) in graphs.ROWS.items()
        }

    def _built(self, nodes, slopes):
        """A graph: (what is fed, what is fetched)."""
        tf = self.tf
        with tf.Graph().as_default():
            fed = tf.placeholder(tf.float32, [4, 4])
            w = tf.constant(np.eye(4, dtype=np.float32) / 2)
            y = fed
            for _ in range(nodes // 3):
                y = tf.tanh(tf.matmul(y, w) + fed)
            return fed, tf.gradients(y, fed)[0] if slopes else y

    def _once(self, expression, **names):
        return _Once(expression, names, warm_up=0.0)

    def build(self, nodes):
        """The nodes that a graph has in the end."""
        return self._counted(nodes, False)

    def gradients(self, nodes):
        """The same, with the gradients among the nodes."""
        return self._counted(nodes // 3, True)

    def _counted(self, nodes, slopes):
        def shape():
            return np.float32(self._built(nodes, slopes)[1].shape.as_list())

        return self._once("shape()", shape=shape)

    def first(self, nodes):
        """What a new session gives first."""
        fed, fetched = self._built(nodes, False)
        ones, new = np.ones([4, 4], np.float32), self.tf.Session

        def run():
            with new(graph=fetched.graph) as session:
                return session.run(fetched, {fed: ones})

        return self._once("run()", run=run)

    def step(self, nodes):
        """A run of a session that has run before."""
        return self._run(*self._built(nodes, False))

    def slope(self, nodes):
        """The same, with the gradients among the nodes."""
        return self._run(*self._built(nodes // 3, True))

    def _run(self, fed, fetched):
        session = self.tf.Session(graph=fetched.graph)
        feeds = {fed: np.ones([4, 4], np.float32)}
        names = {"session": session, "fetched": fetched, "feeds": feeds}
        return Case("session.run(fetched, feeds)", names, warm_up=WARM_UP)
