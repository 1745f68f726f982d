"""What the table of op cases cannot say of samplers, random windows and CTC."""

import copy

import numpy as np
import pytest

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, errors
from twinflow.eager.mode import MODE
from twinflow.ops.core.constant import constant
from twinflow.ops.nn import samplers, unigrams
from twinflow.ops.nn.ctc import ctc_loss
from twinflow.ops.nn.fractional import fractional_avg_pool, fractional_max_pool
from twinflow.ops.random.streams import set_random_seed
from twinflow.ops.sparse.tensor import SparseTensor

TRUE = np.array([[0], [2]])


@pytest.fixture(autouse=True)
def eager():
    """Eager execution with a seed."""
    with dispatch.entered(MODE):
        set_random_seed(5)
        yield
        set_random_seed(None)


@pytest.mark.parametrize("name", ["uniform", "log_uniform", "learned_unigram"])
def test_unique_samples_are_all_classes(name):
    draw = getattr(samplers, f"{name}_candidate_sampler")
    found = draw(TRUE, 1, 20, True, 20, seed=1)
    assert sorted(found.sampled_candidates.numpy()) == list(range(20))
    assert (
        (found.sampled_expected_count.numpy() > 0.5) & (found[2].numpy() <= 1)
    ).all()


def test_samples_are_as_frequent_as_expected():
    found = samplers.log_uniform_candidate_sampler(TRUE, 1, 40000, False, 5, seed=1)
    classes, expected = found.sampled_candidates.numpy(), found[2].numpy()
    for c in range(5):
        assert abs((classes == c).sum() / expected[classes == c][0] - 1) < 0.05
    weights = {"unigrams": [1.0, 0.0, 3.0]}
    found = samplers.fixed_unigram_candidate_sampler(
        TRUE, 1, 40000, False, 3, **weights
    )
    counts = np.bincount(found.sampled_candidates.numpy(), minlength=3)
    assert counts[1] == 0 and abs(counts[2] / counts[0] - 3) < 0.15


def test_learned_unigrams_count_what_was_there():
    def call():
        args = (np.array([[2], [2]]), 1, 4, False, 4)
        return samplers.learned_unigram_candidate_sampler(*args, seed=77)[1].numpy()[0]

    assert [float(call()[0]) for _ in range(3)] == [1.0, 2.0, 2.5]
    counts = unigrams.Counts()
    counts.weights(3)
    counts.add(np.array([1, 7, -1]))
    assert copy.deepcopy(counts).weights(3).tolist() == [1, 2, 1]


def test_counts_come_from_files(tmp_path):
    path = tmp_path / "vocabulary.txt"
    path.write_text("a,1\nb,0\n\nc,3\n")
    source = {"vocab_file": str(path)}
    found = samplers.fixed_unigram_candidate_sampler(TRUE, 1, 4, False, 3, **source)
    assert found.true_expected_count.numpy().ravel().tolist() == [1, 3]
    path.write_text("a\n")
    with pytest.raises(errors.InvalidArgumentError, match="must end with a comma"):
        unigrams.fixed_weights(3, str(path) + "", 1.0, 0, 1, 0, ())
    with pytest.raises(errors.NotFoundError, match="No such file"):
        unigrams.fixed_weights(3, str(tmp_path / "none"), 1.0, 0, 1, 0, ())


@pytest.mark.parametrize("pseudo_random", [False, True])
@pytest.mark.parametrize("overlapping", [False, True])
def test_windows_of_two_sizes(pseudo_random, overlapping):
    x = constant(np.random.RandomState(0).rand(2, 20, 23, 3))
    for pool in (fractional_max_pool, fractional_avg_pool):
        y, rows, cols = pool(x, [1, 1.44, 1.73, 1], pseudo_random, overlapping)
        assert y.shape.as_list() == [2, 13, 13, 3]
        for borders, size in ((rows, 20), (cols, 23)):
            lengths = np.diff(borders.numpy())
            assert borders.numpy()[0] == 0 and borders.numpy()[-1] == size
            assert set(lengths) == {size // 13, size // 13 + 1}
        i, j = 5, 7
        a, b = rows.numpy()[i], rows.numpy()[i + 1] + overlapping
        c, d = cols.numpy()[j], cols.numpy()[j + 1] + overlapping
        part = x.numpy()[:, a:b, c:d]
        reduce = part.max if pool is fractional_max_pool else part.mean
        np.testing.assert_allclose(y.numpy()[:, i, j], reduce((1, 2)))


def test_windows_are_fixed_where_asked():
    x = constant(np.random.RandomState(0).rand(1, 20, 20, 1))
    args = (x, [1, 1.44, 1.44, 1])
    fixed = [fractional_max_pool(*args, deterministic=True, seed=3) for _ in range(2)]
    assert fixed[0][1].numpy().tolist() == fixed[1][1].numpy().tolist()
    drawn = [fractional_max_pool(*args)[1].numpy().tolist() for _ in range(4)]
    assert any(d != drawn[0] for d in drawn)
    with pytest.raises(errors.InvalidArgumentError, match="if deterministic is false"):
        fractional_max_pool(*args, seed=3)


def test_the_slope_of_ctc_loss():
    x = np.random.RandomState(0).randn(2, 5, 4).astype(np.float32)
    rows = np.array([[0, 0], [0, 1], [1, 0]])
    labels = SparseTensor(rows, np.array([1, 1, 0], np.int32), [2, 2])
    logits = constant(x)
    with GradientTape(persistent=True) as tape:
        tape.watch(logits)
        loss = ctc_loss(labels, logits, [5, 4], time_major=False)
        dx = tape.gradient(loss, logits, output_gradients=constant([1.0, -2.0]))
    assert dx.shape.as_list() == [2, 5, 4]
    np.testing.assert_allclose(dx.numpy().sum(2), 0, atol=1e-6)
    step = np.zeros_like(x)
    step[1, 2, 3] = 1e-2
    high, low = (
        ctc_loss(labels, constant(x + s), [5, 4], time_major=False).numpy()
        for s in (step, -step)
    )
    slope = -2 * (high - low)[1] / 2e-2
    np.testing.assert_allclose(dx.numpy()[1, 2, 3], slope, atol=2e-3)
    with pytest.raises(LookupError, match="second derivative of ctc_loss"):
        tape.gradient(dx, logits)
    with pytest.raises(TypeError, match="to be a SparseTensor"):
        ctc_loss([[1]], x, [5, 4])
