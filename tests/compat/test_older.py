"""`twinflow run --since 0.8`: names and orders of arguments of before 1.0."""

import numpy as np
import pytest

from tests.modes import eagerly
from twinflow.base import spawn_hooks
from twinflow.compat.door import homes, resolve
from twinflow.compat.older import orders, serving
from twinflow_terminal import running as options

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


@pytest.fixture
def served(monkeypatch):
    monkeypatch.setattr(homes, "NAMES", dict(homes.NAMES))
    monkeypatch.setattr(spawn_hooks, "first", list(spawn_hooks.first))
    serving.serve("0.8")
    return lambda path: resolve.attribute(*path.rpartition(".")[::2])


def test_each_name_is_there(served):
    for path, entries in serving.names().items():
        for name in entries:
            assert resolve.attribute(path, name) is not None
    assert served("mul") is served("multiply")
    assert served("models.rnn.rnn").rnn is served("nn.static_rnn")


def test_programs_of_today_have_none_of_them(monkeypatch):
    monkeypatch.setattr(homes, "NAMES", dict(homes.NAMES))
    serving.serve("1.4")
    with pytest.raises(resolve.Missing):
        resolve.attribute("", "mul")
    with pytest.raises(ValueError, match="not 'old'"):
        serving.serve("old")
    assert options.taken(["--since", "0.8", "a.py"])[0].since == "0.8"


def test_arguments_stand_in_the_older_order(served):
    labels = np.eye(2, dtype=np.float32)

    def build():
        return [
            served("concat")(1, [X, X]), *served("split")(0, 2, X),
            served("nn.softmax_cross_entropy_with_logits")(X, labels),
            served("nn.sparse_softmax_cross_entropy_with_logits")(X, [0, 1]),
            served("nn.sigmoid_cross_entropy_with_logits")(X, targets=labels),
            served("nn.weighted_cross_entropy_with_logits")(X, labels, 2.0),
            served("reverse")(X, [True, False]), *served("unpack")(served("pack")([X])),
            served("python.ops.array_ops.concat")(0, [X]),
            served("image.resize_images")(X[..., None], 4, 2),
            served("SparseTensor")([[0]], [1.0], shape=[3]).dense_shape,
        ]  # fmt: skip

    found = eagerly(build)
    np.testing.assert_array_equal(found[0], np.concatenate([X, X], 1))
    np.testing.assert_array_equal(found[1], X[:1])
    np.testing.assert_allclose(found[3], [1.3132616, 0.31326166], rtol=1e-6)
    np.testing.assert_allclose(found[4], found[3])
    plain = np.log1p(np.exp(-X)) * labels + np.log1p(np.exp(X)) * (1 - labels)
    np.testing.assert_allclose(found[5], plain, rtol=1e-6)
    twice = plain + np.log1p(np.exp(-X)) * labels
    np.testing.assert_allclose(found[6], twice, rtol=1e-5)
    np.testing.assert_array_equal(found[7], X[::-1])
    np.testing.assert_array_equal(found[8], X)
    assert found[10].shape == (4, 2, 1) and found[11] == [3]


def test_losses_of_samples_take_their_inputs_first():
    def build():
        weights, biases = np.ones((5, 2), np.float32), np.zeros(5, np.float32)
        return orders.sampled_softmax_loss(weights, biases, X, [[0], [1]], 3, 5)

    assert eagerly(build).shape == (2,)


def test_reversing_takes_a_bool_for_each_dimension():
    with pytest.raises(ValueError, match="a bool for each dimension"):
        eagerly(lambda: orders.reverse(X, [0]))
