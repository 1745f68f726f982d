"""What the cases of families of tf.contrib are made with, in Python 3.6 too."""

import numpy as np

CASES = {}  # {row: (its case, whether it runs eagerly too)}
CALLED = set()  # rows whose function makes graphs of its own


def row(name, eager=True, called=False):
    """Register a case."""

    def register(make):
        CASES[name] = make, eager
        if called:
            CALLED.add(name)
        return make

    return register


class Tools:
    """What cases are made with.

    Args:
        tf: the module. eager: whether the mode is eager.
        small: for tests, which do not measure.
    """

    def __init__(self, tf, eager, small=False):
        self.small = small
        self.tf, self.eager, self.random = tf, eager, np.random.RandomState(0)
        self.first = []  # ops that run once, one after the other, after initializers

    def given(self, value, dtype=None):
        """A tensor that no graph folds."""
        if self.eager:
            return self.tf.constant(value, dtype)
        made = self.tf.constant(value, dtype)
        name = "v" + str(self.random.randint(1e9))
        kept = self.tf.get_variable(name, initializer=made, trainable=False)
        return kept.read_value()

    def many(self, count):
        """`count`, or a 50th of it."""
        return max(6, count // 50) if self.small else count

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
