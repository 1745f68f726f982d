"""Models compiled in a scope: Keras's optimizers and weights, as on one device."""

import numpy as np
import pytest

import twinflow as tf
from tests.keras.test_distributed import X, Y, eager, mode, net, strategy_of

__all__ = ["eager", "mode"]
K = tf.keras
OPTIMIZERS = {
    "SGD": dict(lr=0.05, momentum=0.9, nesterov=True, decay=0.01),
    "RMSprop": dict(clipnorm=0.5),
    "Adagrad": {},
    "Adadelta": dict(clipvalue=0.1),
    "Adam": dict(amsgrad=True),
    "Adamax": {},
    "Nadam": {},
}


def in_scope(towers, optimizer, **options):
    """A model compiled in the scope of a strategy, or on one device."""
    if not towers:
        model = net()
        model.compile(optimizer(), "mse", **options)
        return model
    with strategy_of(towers).scope():
        model = net()
        model.compile(optimizer(), "mse", **options)
    return model


def same(found, wanted):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_of_keras(mode, name):
    make = lambda: getattr(K.optimizers, name)(**OPTIMIZERS[name])
    results = []
    for towers in (0, 2):
        model = in_scope(towers, make, metrics=["mae"])
        fitted = model.fit(X, Y, 16, epochs=3, verbose=0, shuffle=False)
        assert K.backend.get_value(model.optimizer.iterations) == 12
        kept = model.optimizer.get_weights()
        assert any(np.any(w) for w in kept[1:])
        model.optimizer.set_weights([0.5 * w for w in kept])
        again = model.fit(X, Y, 16, verbose=0, shuffle=False).history["loss"]
        losses = [fitted.history["loss"], again]
        results.append([*model.get_weights(), *losses, *map(np.ravel, kept)])
    same(*results)


def test_weights_of_samples_and_classes(mode):
    weights = np.random.RandomState(2).rand(64) * (np.arange(64) % 3 > 0)
    labels = (Y > 0).astype("f")
    sgd = lambda: K.optimizers.SGD(0.05)
    results = []
    for towers in (0, 2, 4):
        model = in_scope(towers, sgd)
        given = dict(verbose=0, shuffle=False)
        fitted = model.fit(X, Y, 16, sample_weight=weights, epochs=2, **given)
        model.fit(X, labels, 16, class_weight={0: 1.0, 1: 3.0}, epochs=2, **given)
        rows = tf.data.Dataset.from_tensor_slices((X, Y, weights.astype("f")))
        data = rows.batch(16)
        if towers:
            model.fit(data.repeat(), steps_per_epoch=4, verbose=0)
        else:
            model.fit(X, Y, 16, sample_weight=weights, **given)
        score = model.evaluate(X, Y, 16, sample_weight=weights, verbose=0)
        results.append([*model.get_weights(), fitted.history["loss"], score])
    for found in results[1:]:
        same(found, results[0])
