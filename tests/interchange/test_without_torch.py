"""tf.from_torch and tf.to_torch where torch is not installed."""

import pytest

import twinflow as tf
from twinflow.interchange import torch_library


def test_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setattr(torch_library, "torch", None)
    for name in ("from_torch", "to_torch"):
        text = rf"`tf\.{name}` requires torch: python -m pip install torch"
        with pytest.raises(ImportError, match=text):
            getattr(tf, name)(abs)
