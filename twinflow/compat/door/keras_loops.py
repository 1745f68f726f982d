"""Keras's loops over data of 1.12's training modules, by a model's own methods."""

from twinflow.keras.training.arrays import predict_loop

__all__ = ["predict_loop"]


def fit_loop(
    model, inputs, targets, sample_weights=None, batch_size=None, epochs=100, verbose=1,
    callbacks=None, val_inputs=None, val_targets=None, val_sample_weights=None,
    shuffle=True, initial_epoch=0, steps_per_epoch=None, validation_steps=None,
    class_weight=None,
):  # fmt: skip
    """Train a model; see Model.fit.

    Returns:
        The History.
    """
    checks = None
    if val_inputs:
        checks = _one(val_inputs), _one(val_targets)
        checks += () if not val_sample_weights else (_one(val_sample_weights),)
    return model.fit(
        _one(inputs), _one(targets), batch_size=batch_size, epochs=epochs,
        verbose=verbose, callbacks=callbacks, validation_data=checks, shuffle=shuffle,
        class_weight=class_weight, sample_weight=_one(sample_weights),
        initial_epoch=initial_epoch, steps_per_epoch=steps_per_epoch,
        validation_steps=validation_steps,
    )  # fmt: skip


def test_loop(
    model, inputs, targets, sample_weights=None, batch_size=None, verbose=0, steps=None
):
    """The loss of a model and its metrics; see Model.evaluate."""
    return model.evaluate(
        _one(inputs), _one(targets), batch_size=batch_size, verbose=verbose,
        sample_weight=_one(sample_weights), steps=steps,
    )  # fmt: skip


def train_on_batch(model, inputs, targets, sample_weights=None):
    """The loss of a batch and its metrics, after a step; see Model.train_on_batch."""
    return model.train_on_batch(_one(inputs), _one(targets), _one(sample_weights))


def test_on_batch(model, inputs, targets, sample_weights=None):
    """The loss of a batch and its metrics; see Model.test_on_batch."""
    return model.test_on_batch(_one(inputs), _one(targets), _one(sample_weights))


def iterator_test_loop(model, inputs, steps, verbose=0):
    """`test_loop` of a dataset or an iterator."""
    return model.evaluate(inputs, steps=steps, verbose=verbose)


def iterator_predict_loop(model, inputs, steps, verbose=0):
    """`predict_loop` of a dataset or an iterator."""
    return model.predict(inputs, steps=steps, verbose=verbose)


def fit_generator(model, generator, *args, **kwargs):
    """See Model.fit_generator."""
    return model.fit_generator(generator, *args, **kwargs)


def evaluate_generator(model, generator, *args, **kwargs):
    """See Model.evaluate_generator."""
    return model.evaluate_generator(generator, *args, **kwargs)


def predict_generator(model, generator, *args, **kwargs):
    """See Model.predict_generator."""
    return model.predict_generator(generator, *args, **kwargs)


def _one(arrays):
    """What a list of one array holds; several stay a list, none is None."""
    if not isinstance(arrays, list | tuple):
        return arrays
    if not arrays or all(a is None for a in arrays):
        return None
    return arrays[0] if len(arrays) == 1 else list(arrays)
