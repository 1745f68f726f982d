"""Models within models, with a layer of one's own; for Keras 3 and for twinflow.

python make_nested.py write|read FOLDER, run by a Python that has Keras 3
"""

import os
import sys

import numpy as np


def scale_layer(keras):
    """A layer class of the user."""

    class Scale(keras.layers.Layer):
        def __init__(self, by=2.0, **kwargs):
            super().__init__(**kwargs)
            self.by = by

        def build(self, shape):
            n = int(shape[-1])
            self.w = self.add_weight(name="w", shape=(n,), initializer="ones")
            super().build(shape)

        def call(self, x):
            return x * self.w * self.by

        def get_config(self):
            return {**super().get_config(), "by": self.by}

    return Scale


def model(keras, scale):
    """A model of a model of a model, which is functional, with two results."""
    layers = keras.layers
    i, j = layers.Input((4,)), layers.Input((3,))
    inner = keras.models.Sequential(
        [layers.Dense(3, "relu", input_shape=(4,)), scale(3.0)], name="inner"
    )
    a = inner(i)
    both = layers.Dense(2)(layers.concatenate([a, j]))
    middle = keras.models.Model([i, j], [both, a], name="middle")
    o, p = layers.Input((4,)), layers.Input((3,))
    first, second = middle([o, p])
    return keras.models.Model([o, p], layers.add([layers.Dense(2)(second), first]))


def inputs():
    """What goes in."""
    rng = np.random.RandomState(0)
    return [rng.randn(5, n).astype(np.float32) for n in (4, 3)]


def main(command, folder):
    """Write files, or read those of twinflow and note what the models give."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import keras

    scale = scale_layer(keras)
    for end in ("keras", "h5"):
        path = os.path.join(folder, f"nested.{end}")
        if command == "write":
            made = model(keras, scale)
            made.save(path)
        else:
            given = {"Scale": scale}
            made = keras.models.load_model(path, custom_objects=given, compile=False)
        found = made.predict(inputs(), verbose=0)
        np.save(os.path.join(folder, f"{end}.{command}.npy"), found)


if __name__ == "__main__":
    main(*sys.argv[1:])
