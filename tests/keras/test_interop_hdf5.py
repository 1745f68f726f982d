"""HDF5 files of weights and models: written here and read there, and back.

Keras 3 takes the weights; it builds no model from the settings of TensorFlow 1.12.
"""

import json
import subprocess

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.keras.saving import hdf5

__all__ = ["eager", "graph"]

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(hdf5.h5py is None, reason="h5py is not installed"),
]
X = np.sin(np.arange(48.0)).astype(np.float32).reshape(4, 4, 3)
START = """
import json, sys, numpy as np, tensorflow as tf
K, L = tf.keras, tf.keras.layers
X = np.sin(np.arange(48.0)).astype(np.float32).reshape(4, 4, 3)
"""
MODEL = """
def build():
    inputs = K.Input((4, 3))
    x = L.LSTM(3, return_sequences=True, recurrent_activation="sigmoid")(inputs)
    x = L.BatchNormalization()(L.Conv1D(2, 2, activation="relu")(x))
    return K.Model(inputs, L.Dense(1)(L.Flatten()(x)))
"""


def there(python, source):
    done = subprocess.run(
        [python, "-c", START + MODEL + source], capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def build():
    tf.set_random_seed(1)
    scope = {"K": tf.keras, "L": tf.keras.layers}
    exec(MODEL, scope)
    return scope["build"]()


@pytest.mark.parametrize("python", ["tf112_python", "tf221_python"])
def test_weights(eager, python, request, tmp_path):
    python = request.getfixturevalue(python)
    ours, theirs = str(tmp_path / "ours.h5"), str(tmp_path / "theirs.weights.h5")
    model = build()
    model.save_weights(ours)
    y, after = there(python, f"""
model = build()
model.load_weights({ours!r})
y = model.predict(X)
model.set_weights([w + 0.25 for w in model.get_weights()])
if hasattr(tf, "contrib"):
    model.save_weights({theirs!r})
else:
    from keras.src.legacy.saving import legacy_h5_format
    import h5py
    with h5py.File({theirs!r}, "w") as f:
        legacy_h5_format.save_weights_to_hdf5_group(f, model)
print(json.dumps([y.tolist(), model.predict(X).tolist()]))
""")  # fmt: skip
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-5, atol=1e-6)
    model.load_weights(theirs)
    np.testing.assert_allclose(model.predict(X), after, rtol=1e-5, atol=1e-6)


def test_models_and_their_optimizers(graph, tf112_python, tmp_path):
    ours, theirs = str(tmp_path / "ours.h5"), str(tmp_path / "theirs.h5")
    model = build()
    # not Adam: 1.12's reads its count of steps while it is being raised
    model.compile(tf.keras.optimizers.RMSprop(0.01), "mse", metrics=["mae"])
    model.fit(X, X[:, 0, :1], shuffle=False, verbose=0)
    model.save(ours)
    found = there(tf112_python, f"""
model = K.models.load_model({ours!r})
y = model.predict(X)
model.fit(X, X[:, 0, :1], shuffle=False, verbose=0)
model.save({theirs!r})
z = model.predict(X)
model.fit(X, X[:, 0, :1], shuffle=False, verbose=0)
print(json.dumps([a.tolist() for a in (y, z, model.predict(X))]))
""")  # fmt: skip
    values = [model.predict(X)]
    again = tf.keras.models.load_model(theirs)
    values.append(again.predict(X))
    again.fit(X, X[:, 0, :1], shuffle=False, verbose=0)
    values.append(again.predict(X))
    np.testing.assert_allclose(values, found, rtol=1e-4, atol=1e-5)  # sums in turn
