"""What the cases of families of tf.contrib are made with, in Python 3.6 too."""

import numpy as np

CASES = {}  # {row: (its case, whether it runs eagerly too)}


def row(name, eager=True):
    """Register a case."""

    def register(make):
        CASES[name] = make, eager
        return make

    return register


class Tools:
    """What cases are made with.

    Args:
        tf: the module. eager: whether the mode is eager.
    """

    def __init__(self, tf, eager):
        self.tf, self.eager, self.random = tf, eager, np.random.RandomState(0)

    def given(self, value, dtype=None):
        """A tensor that no graph folds."""
        if self.eager:
            return self.tf.constant(value, dtype)
        made = self.tf.constant(value, dtype)
        name = "v" + str(self.random.randint(1e9))
        kept = self.tf.get_variable(name, initializer=made, trainable=False)
        return kept.read_value()

    def normal(self, *shape):
        """float32 numbers."""
        return self.given(self.random.randn(*shape).astype(np.float32))

    def slopes(self, function, *sources):
        """A function: the result of `function` and its gradients."""
        tf = self.tf

        def run():
            if not self.eager:
                found = function(*sources)
                return [found] + tf.gradients(found, list(sources))
            with tf.GradientTape() as tape:
                for source in sources:
                    tape.watch(source)
                found = function(*sources)
            return [found] + tape.gradient(found, list(sources))

        return run
