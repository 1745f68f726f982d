"""Spectrograms and coefficients of odd inputs, as in the kernels of TensorFlow 1.12."""

import warnings

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.ops.audio.spectrogram import audio_spectrogram, mfcc

__all__ = ["eager", "graph"]
USUAL = {
    "upper_frequency_limit": 3500.0, "lower_frequency_limit": 50.0,
    "filterbank_channel_count": 5, "dct_coefficient_count": 3,
}  # fmt: skip


def found(shape=(1, 2, 9), rate=8000, **changed):
    """The coefficients of ones."""
    y = mfcc(np.ones(shape, np.float32), rate, **{**USUAL, **changed})
    if tf.executing_eagerly():
        return y.numpy()
    with tf.Session() as session:
        return session.run(y)


@pytest.mark.parametrize("mode", ["eager", "graph"])
@pytest.mark.parametrize("given", [
    {"rate": 0}, {"rate": -5}, {"rate": 0, "shape": (0, 2, 9)}, {"shape": (1, 2, 1)},
    {"filterbank_channel_count": 0}, {"dct_coefficient_count": 0},
    {"dct_coefficient_count": 6}, {"lower_frequency_limit": -1.0},
    {"lower_frequency_limit": 3500.0}, {"upper_frequency_limit": 0.0},
])  # fmt: skip
def test_what_is_refused(mode, given, request):
    request.getfixturevalue(mode)
    name = {"rate": "sample_rate", "shape": "spectrogram"}.get(*[next(iter(given))] * 2)
    text = f"initialization failed for channel count .*{name}"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        found(**given)


def test_frequencies_that_end_too_early_give_zeros(eager):
    assert not found(rate=3000).any()
    assert found(rate=7000).any()
    assert found((0, 2, 9)).shape == (0, 2, 3)


def test_what_is_not_finite_gives_no_warning(eager):
    x = np.array([[np.inf], [-np.inf], [1.0], [np.nan]], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = audio_spectrogram(x, 4, 1)
        assert np.isnan(y.numpy()).all()
        mfcc(np.full([1, 2, 9], -np.inf, np.float32), 8000)
