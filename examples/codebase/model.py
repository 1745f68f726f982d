"""The model: a small one inside the biggest one."""

import twinflow as tf


class Hidden(tf.keras.Model):
    """Two layers."""

    def __init__(self, units):
        super().__init__()
        self.first = tf.keras.layers.Dense(units, activation="tanh")
        self.second = tf.keras.layers.Dense(units, activation="tanh")

    def call(self, inputs):
        return self.second(self.first(inputs))


class Model(tf.keras.Model):
    """Points of the plane to logits of the classes."""

    def __init__(self, units, classes):
        super().__init__()
        self.hidden = Hidden(units)
        self.logits = tf.keras.layers.Dense(classes)

    def call(self, inputs):
        return self.logits(self.hidden(inputs))
