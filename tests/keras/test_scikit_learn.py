"""Models with the methods of scikit-learn."""

import numpy as np
import pytest

import twinflow as tf

K, L = tf.keras, tf.keras.layers
W = K.wrappers.scikit_learn
RNG = np.random.RandomState(0)
X = RNG.rand(40, 3).astype("f")


def classifier(units=4, loss="categorical_crossentropy"):
    model = K.Sequential(
        [
            L.Dense(units, activation="relu", input_shape=(3,)),
            L.Dense(2, activation="softmax"),
        ]
    )
    model.compile(K.optimizers.Adam(0.05), loss, metrics=["accuracy"])
    return model


@pytest.mark.parametrize("loss", ["categorical_crossentropy", None])
def test_classes_keep_their_names(eager, loss):
    loss = loss or "sparse_categorical_crossentropy"
    y = np.where(X[:, 0] > 0.5, 7, 3)
    made = W.KerasClassifier(classifier, units=8, loss=loss, epochs=30, verbose=0)
    made.fit(X, y)
    assert set(made.predict(X)) <= {3, 7}
    assert made.score(X, y, verbose=0) == np.mean(made.predict(X) == y) > 0.7
    np.testing.assert_allclose(made.predict_proba(X).sum(1), 1, rtol=1e-5)
    assert made.set_params(epochs=1).get_params()["epochs"] == 1


def test_numbers(eager):
    def regressor():
        model = K.Sequential([L.Dense(1, input_shape=(3,))])
        model.compile("sgd", "mse")
        return model

    made = W.KerasRegressor(regressor, verbose=0)
    made.fit(X, X[:, 0])
    assert made.predict(X).shape == (40,) and made.score(X, X[:, 0]) < 0
    with pytest.raises(ValueError, match="speed is not a legal parameter"):
        W.KerasRegressor(regressor, speed=2)
