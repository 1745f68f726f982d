"""tf.keras.utils: files of the cache, several GPUs."""

import pytest

import twinflow as tf
from twinflow.base.errors import NotFoundError
from twinflow.keras.utils import legacy


def test_several_gpus_are_refused_as_in_1_12(monkeypatch):
    make = tf.keras.utils.multi_gpu_model
    with pytest.raises(ValueError, match=r"with `gpus >= 2`. Received: `gpus=1`"):
        make(None, 1)
    with pytest.raises(ValueError, match=r"`len\(gpus\) >= 2`. Received: `gpus=\[0\]`"):
        make(None, [0])
    monkeypatch.setattr(legacy, "num_gpus", lambda: 0)
    text = r"\['/cpu:0', '/gpu:0', '/gpu:1'\]. However this machine only has: \['/cpu"
    with pytest.raises(ValueError, match=text):
        make(None, 2)
    monkeypatch.setattr(legacy, "num_gpus", lambda: 2)
    with pytest.raises(ValueError, match="twinflow trains on one device"):
        make(None, [0, 1])


def test_a_local_origin_is_copied(tmp_path):
    source, cache = tmp_path / "source.txt", tmp_path / "cache"
    source.write_text("text")
    path = tf.keras.utils.get_file("a.txt", f"file://{source}", cache_dir=str(cache))
    assert path == str(cache / "datasets" / "a.txt")
    assert [p.name for p in (cache / "datasets").iterdir()] == ["a.txt"]
    source.write_text("other")
    tf.keras.utils.get_file("a.txt", f"file://{source}", cache_dir=str(cache))
    assert (cache / "datasets" / "a.txt").read_text() == "text"
    with pytest.raises(NotFoundError, match="get file:///nowhere and put it there"):
        tf.keras.utils.get_file("b.txt", "file:///nowhere", cache_dir=str(cache))
