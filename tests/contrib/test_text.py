"""tf.contrib.text against what TensorFlow 1.12 drew."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.ops.random.setting import setting

T = tf.contrib.text
WORDS = [b"the", b"quick", b"brown", b"fox", b"jumps"]


def run(call, seed=None):
    """The labels, of a graph with a seed."""
    with tf.Graph().as_default(), tf.Session() as s:
        if seed is not None:
            tf.set_random_seed(seed)
        pairs = call(tf.constant(WORDS * 2))
        s.run(tf.tables_initializer())
        return [list(x) for x in s.run(pairs)]


def test_windows_are_those_of_tensorflow(monkeypatch):
    monkeypatch.setattr(setting, "original", True)
    with tf.Graph().as_default(), tf.Session() as s:
        tf.set_random_seed(42)
        labels = s.run(T.skip_gram_sample(tf.constant(WORDS), 1, 4))[1]
    wanted = "quick brown the brown fox jumps quick fox brown jumps brown fox"
    assert b" ".join(labels).decode() == wanted


def test_a_part_of_the_tokens():
    tokens, labels = run(lambda x: T.skip_gram_sample(x[:5], 2, 2, start=1, limit=3))
    assert tokens == [WORDS[i] for i in (1, 1, 2, 2, 3, 3)]
    assert labels == [WORDS[i] for i in (2, 3, 1, 3, 1, 2)]
    tokens, labels = run(
        lambda x: T.skip_gram_sample(x, 0, 0, emit_self_as_target=True)
    )
    assert tokens == labels == WORDS * 2


def test_vocabularies(tmp_path):
    path = tmp_path / "counts"
    path.write_text("the,5\nquick,3\nbrown,1\n")

    def sample(x, **settings):
        return T.skip_gram_sample_with_text_vocab(
            x, str(path), min_skips=1, max_skips=1, **settings
        )

    tokens, _ = run(lambda x: sample(x, vocab_min_count=3))
    assert set(tokens) == {b"the", b"quick"}
    found = run(lambda x: sample(x, vocab_subsampling=0.1, corpus_size=9), 1)
    assert len(found[0]) == 10
    for settings, text in [
        ({"corpus_size": 3}, "must be greater than or equal to the sum"),
        ({"vocab_token_index": -1}, "must both be >= 0"),
        ({"vocab_delimiter": ":"}, "Row in vocab file only has 1 columns"),
        ({"vocab_subsampling": 1.5}, "it should be within range"),
    ]:
        with pytest.raises(ValueError, match=text):
            run(lambda x, settings=settings: sample(x, **settings))
    with pytest.raises(ValueError, match="vocab_freq_table is not provided"):
        run(lambda x: T.skip_gram_sample(x, vocab_min_count=1))


def test_wrong_widths():
    for low, high in [(-1, 2), (3, 2)]:
        with pytest.raises(tf.errors.InvalidArgumentError, match="min_skips"):
            run(lambda x, low=low, high=high: T.skip_gram_sample(x, low, high))
    assert np.ndim(run(lambda x: T.skip_gram_sample(x, 0, 0))[0]) == 1
