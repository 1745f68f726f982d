"""Models in the files of Keras 3, with what they give; and what it makes of ours.

    python make_keras3.py write FOLDER    NAME.keras, .h5, .weights.h5 and .npz of each
    python make_keras3.py read FOLDER     outputs of FOLDER/*.keras on x of NAME.npz

Keras 3 runs it. The models stand in `models`, which twinflow runs as well.
"""

import os
import sys

if __name__ == "__main__":  # before keras is loaded
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")

import numpy as np


def models(keras):
    """{name: (model, shape of its input)}, written in what both have."""
    layers = keras.layers
    a, b = keras.Input((4, 3), name="a"), keras.Input((4, 3), name="b")
    shared = layers.Dense(3, activation="tanh", name="shared")
    inner = keras.Sequential([layers.Dense(2, activation="relu", input_shape=(3,))])
    both = layers.add([shared(a), shared(b)])
    joined = layers.concatenate([both, layers.TimeDistributed(inner)(a)])
    pooled = layers.GlobalMaxPooling1D()(joined)
    sequence = [
        layers.Embedding(10, 4, input_shape=(6,)),
        layers.Bidirectional(layers.LSTM(
            3, return_sequences=True, recurrent_activation="sigmoid"
        )),
        layers.GRU(5, recurrent_activation="sigmoid", reset_after=True),
    ]  # fmt: skip
    image = [
        layers.Conv2D(4, 3, padding="same", activation="relu", input_shape=(8, 8, 3)),
        layers.BatchNormalization(), layers.LeakyReLU(), layers.MaxPooling2D(),
        layers.SeparableConv2D(3, 2), layers.Conv2DTranspose(2, 2, strides=2),
        layers.ZeroPadding2D(1), layers.UpSampling2D(2), layers.DepthwiseConv2D(2),
        layers.GlobalAveragePooling2D(), layers.Dropout(0.5), layers.Dense(2),
    ]  # fmt: skip
    dense = [
        layers.Dense(3, kernel_initializer="he_normal", input_shape=(4,)),
        layers.Activation("elu"), layers.Reshape((3, 1)), layers.Flatten(),
        layers.Dense(2, activation="softmax"),
    ]  # fmt: skip
    found = {
        "image": (keras.Sequential(image), (2, 8, 8, 3)),
        "sequence": (keras.Sequential(sequence), (2, 6)),
        "dense": (keras.Sequential(dense), (5, 4)),
        "functional": (keras.Model([a, b], layers.Dense(2)(pooled)), (2, 4, 3)),
    }
    found["dense"][0].compile("adam", "mse", metrics=["mae"])
    return found


def inputs(model, name, shape):
    rng = np.random.RandomState(0)
    if name == "sequence":
        return [rng.randint(0, 10, shape).astype(np.float32)]
    return [rng.randn(*shape).astype(np.float32) for _ in model.inputs]


def filled(keras):
    """The models with weights that are not those of the start."""
    for name, (model, shape) in models(keras).items():
        rng = np.random.RandomState(1)
        model.set_weights([rng.rand(*w.shape) - 0.3 for w in model.get_weights()])
        for layer in model.layers:
            if type(layer).__name__ == "BatchNormalization":
                layer.set_weights([w + 0.5 for w in layer.get_weights()])
        yield name, model, inputs(model, name, shape)


def write(keras, folder):
    for name, model, xs in filled(keras):
        path = os.path.join(folder, name)
        y = model.predict(xs[0] if len(xs) == 1 else xs)
        for end in (".keras", ".h5"):
            model.save(path + end)
        model.save_weights(path + ".weights.h5")
        np.savez(path, y, *xs)


def read(keras, folder):
    for file in sorted(os.listdir(folder)):
        name, end = os.path.splitext(file)
        if end != ".keras":
            continue
        path = os.path.join(folder, name)
        arrays = np.load(path + ".npz")
        xs = [arrays[k] for k in sorted(arrays)[1:]]
        found = []
        for source in (path + ".keras", path + ".weights.h5"):
            model = keras.saving.load_model(path + ".keras")
            if source != path + ".keras":
                model.set_weights([w * 0 for w in model.get_weights()])
                model.load_weights(source)
            found.append(model.predict(xs[0] if len(xs) == 1 else xs, verbose=0))
        np.savez(path + ".read", *found, compiled=model.compiled)


if __name__ == "__main__":
    import keras

    {"write": write, "read": read}[sys.argv[1]](keras, sys.argv[2])
