"""The class tf.distributions.Distribution: shapes, names, errors. Texts are 1.12's."""

import numpy as np
import pytest

from tests.modes import both
from twinflow.base import dtypes
from twinflow.base.convert import manners
from twinflow.base.errors import InvalidArgumentError
from twinflow.distributions.bernoulli import Bernoulli
from twinflow.distributions.categorical import Categorical
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.gamma import Gamma
from twinflow.distributions.identity_bijector import Identity
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.laplace import Laplace
from twinflow.distributions.normal import Normal, NormalWithSoftplusScale
from twinflow.distributions.parameters import gen_new_seed, parent_frame_arguments
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.execute.session import Session
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.elementwise import log, square


class Triangle(Distribution):
    """p(x) = 2 x on [0, 1], of which little is said."""

    def __init__(self):
        super().__init__(dtypes.float32, NOT_REPARAMETERIZED, False, True)

    def _prob(self, x):
        """Twice x."""
        return 2.0 * x

    def _log_cdf(self, x):
        return 2.0 * log(x)

    def _variance(self):
        return square(1.0 / 6.0)


@both
def test_what_follows_from_the_rest(run):
    def build():
        d = Triangle()
        return [d.log_prob(0.5), d.cdf(0.5), d.survival_function(0.5), d.stddev()]

    np.testing.assert_allclose(run(build), [0.0, 0.25, 0.75, 1 / 6], atol=1e-6)
    assert (
        "Additional documentation from `Triangle`:\n\nTwice x." in Triangle.prob.__doc__
    )


def test_what_is_not_said(graph):
    d = Triangle()
    with pytest.raises(NotImplementedError, match="mean is not implemented: Triangle"):
        d.mean()
    with pytest.raises(NotImplementedError, match="sample_n is not implemented"):
        d.sample()
    with pytest.raises(
        NotImplementedError, match="registered for distribution_a type Triangle"
    ):
        d.kl_divergence(d)

    class Mixin:
        pass

    with pytest.raises(TypeError, match="First parent class declared for Bad must be"):
        type("Bad", (Mixin, Distribution), {})


def test_names_and_texts(graph):
    d = Normal(0.5, [1.0, 2.0])
    assert repr(d) == (
        "<tfp.distributions.Normal 'Normal/' batch_shape=(2,) event_shape=() "
        "dtype=float32>"
    )
    assert str(Bernoulli(0.5)) == (
        'tfp.distributions.Bernoulli("Bernoulli/", batch_shape=(), event_shape=(), '
        "dtype=int32)"
    )
    assert d.sample(3).name == "Normal/sample/Reshape:0"
    assert d.log_prob(0.3).name == "Normal/log_prob/sub:0"
    assert d.kl_divergence(d).name == (
        "Normal/kl_divergence/KullbackLeibler/kl_normal_normal/add:0"
    )
    assert Normal(0.0, 1.0).name == "Normal_1/"
    assert NormalWithSoftplusScale(0.0, 1.0).name == "NormalWithSoftplusScale/"


def test_shapes_that_are_not_known(graph):
    loc = placeholder(dtypes.float32)
    d = Normal(loc, [[1.0], [2.0]])
    assert d.batch_shape.ndims is None
    t = placeholder(dtypes.float32, [None, 3])
    assert Categorical(t).sample(5).shape.as_list() == [5, None]
    n = placeholder(dtypes.int32, [])
    fetched = [d.sample(n), d.batch_shape_tensor(), d.is_scalar_batch(), d.entropy()]
    with Session() as session:
        sample, batch, scalar, entropy = session.run(fetched, {loc: [0, 1, 2], n: 4})
    assert sample.shape == (4, 2, 3) and not scalar
    assert batch.tolist() == [2, 3] and entropy.shape == (2, 3)


def test_arguments(eager):
    d = Laplace(1.0, 2.0, name="mine")
    copy = d.copy(scale=3.0)
    assert copy.scale.numpy() == 3 and copy.loc.numpy() == 1
    assert sorted(d.parameters) == [
        "allow_nan_stats", "loc", "name", "scale", "validate_args",
    ]  # fmt: skip
    shapes = Laplace.param_static_shapes([2, 3])
    assert {k: s.as_list() for k, s in shapes.items()} == {
        "loc": [2, 3],
        "scale": [2, 3],
    }
    with pytest.raises(ValueError, match="Must pass probs or logits, but not both"):
        Bernoulli(0.5, 0.5)
    with pytest.raises(ValueError, match="must be of the same type"):
        Normal(0.0, np.float64(1.0))


@both
def test_checks(run):
    for make in (
        lambda: Normal(0.0, -1.0, validate_args=True).loc,
        lambda: Gamma([2.0, 0.5], 1.0, allow_nan_stats=False).mode(),
        lambda: Bernoulli(0.5, validate_args=True).prob(2),
    ):
        with pytest.raises(InvalidArgumentError):
            run(make)
    assert np.isnan(run(lambda: Gamma([2.0, 0.5], 1.0).mode())).tolist() == [
        False,
        True,
    ]


def test_divergences_are_registered_once():
    class A(Normal):
        pass

    RegisterKL(A, Normal)(lambda a, b, name=None: 3.0)
    assert A(0.0, 1.0).kl_divergence(Normal(0.0, 1.0)) == 3.0
    assert A(0.0, 1.0).kl_divergence(A(0.0, 1.0)) == 3.0
    with pytest.raises(ValueError, match="has already been registered to: "):
        RegisterKL(A, Normal)(lambda a, b, name=None: 3.0)
    with pytest.raises(TypeError, match="kl_fn must be callable, received: 3"):
        RegisterKL(A, A)(3)


@both
def test_shapes_given_to_a_transformed_distribution(run):
    def build():
        d = TransformedDistribution(
            Normal([0.0, 1.0], 1.0), Identity(), event_shape=[3]
        )
        x = d.sample(4, seed=1)
        by_number = Normal([[0.0], [1.0]], 1.0).log_prob(x)
        return [x, d.log_prob(x), by_number, d.entropy(), Normal(0.0, 1.0).entropy()]

    x, found, by_number, entropy, one = run(build)
    assert x.shape == (4, 2, 3)
    np.testing.assert_allclose(found, by_number.sum(-1), rtol=1e-6)
    np.testing.assert_allclose(entropy, [3 * one] * 2, rtol=1e-6)


def test_seeds():
    assert gen_new_seed(None, "beta") is None
    assert gen_new_seed(42, "beta") == 598390386  # 1.12's

    def caller(a, b, *rest, **others):
        return parent_frame_arguments()

    assert caller(1, 2, 3, d=4) == {"a": 1, "b": 2, "d": 4}


@both
@pytest.mark.parametrize("cut_off", [False, True])
def test_fractions_of_counts_stay(run, cut_off, monkeypatch):
    """In programs of their time too, whose floats become ints elsewhere."""
    monkeypatch.setattr(manners, "cut_off", cut_off)
    found = run(lambda: Bernoulli(probs=0.2).log_prob([0.1, 0.8]))
    np.testing.assert_allclose(found, [-0.361773, -1.332179], rtol=1e-5)  # of 1.12
