"""Functions of torch here, and ours in torch: values, gradients, memory.

torch is no dependency: `make interop` makes an environment that has it.
"""

import gc

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.interop
X = np.random.RandomState(0).randn(5, 3).astype(np.float32)


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def _module():
    torch.manual_seed(0)
    nn = torch.nn
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


# ----------------------------------------------------------------------- torch in here
def test_a_module_and_its_gradients_of_two_orders():
    module = _module()
    f, x = tf.from_torch(module), tf.constant(X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            loss = tf.reduce_sum(f(x) ** 2)
        slopes = inner.gradient(loss, [x, *f.variables])
        norm = tf.reduce_sum(slopes[0] ** 2)
    theirs = torch.tensor(X, requires_grad=True)
    sources = [theirs, *module.parameters()]
    expected = torch.autograd.grad(
        (module(theirs) ** 2).sum(), sources, create_graph=True
    )
    for ours, there in zip(slopes, expected, strict=True):
        np.testing.assert_allclose(ours, there.detach(), rtol=1e-5, atol=1e-6)
    (second,) = torch.autograd.grad((expected[0] ** 2).sum(), theirs)
    np.testing.assert_allclose(outer.gradient(norm, x), second, rtol=1e-4, atol=1e-6)


def test_an_optimizer_of_ours_trains_it(tmp_path):
    module = _module()
    f, optimizer = tf.from_torch(module), tf.train.AdamOptimizer(0.05)
    losses = []
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((f(X) - 1.0) ** 2)
        slopes = tape.gradient(loss, f.trainable_variables)
        optimizer.apply_gradients(zip(slopes, f.trainable_variables))
        losses.append(float(loss))
    assert losses[-1] < losses[0] / 4
    f.update_module()
    np.testing.assert_allclose(module(torch.tensor(X)).detach(), f(X), rtol=1e-6)
    path = tf.train.Checkpoint(f=f).save(str(tmp_path / "ckpt"))
    again = tf.from_torch(_module())
    tf.train.Checkpoint(f=again).restore(path)
    np.testing.assert_array_equal(again(X), f(X))


def test_structures_and_integers():
    def take(pair, *, scale):
        return {"rows": pair[0][pair[1]] * scale, "n": pair[1].sum()}

    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = tf.from_torch(take)((x, tf.constant([1, 1])), scale=2.0)
    assert found["n"].dtype == tf.int64 and int(found["n"]) == 2
    slope = tape.gradient(found["rows"], x).numpy()
    assert slope[1].tolist() == [4.0] * 3 and not slope[0].any()


def test_writing_to_an_argument():
    x = tf.constant(X)
    with pytest.raises(tf.errors.InvalidArgumentError, match="pass copy=True"):
        tf.from_torch(torch.nn.ReLU(inplace=True))(x)
    found = tf.from_torch(torch.nn.ReLU(inplace=True), copy=True)(x)
    np.testing.assert_array_equal(found, np.maximum(X, 0))
    np.testing.assert_array_equal(x, X)


def test_what_a_module_keeps_it_may_change():
    kept = []

    def keep(x):
        kept.append(x * 2)
        return kept[-1]

    y = tf.from_torch(keep)(tf.constant(X))
    with torch.no_grad():
        kept[0].zero_()
    np.testing.assert_array_equal(y, X * 2)
    module = torch.nn.Linear(3, 2)
    f = tf.from_torch(module)
    before = f.variables[0].numpy().copy()
    with torch.no_grad():
        module.weight.zero_()
    np.testing.assert_array_equal(f.variables[0], before)


def test_what_is_lent_lives_as_long_as_torch_has_it():
    kept = []
    x = tf.constant(X)
    tf.from_torch(lambda a: (kept.append(a.detach()), a)[1])(x)
    del x
    gc.collect()
    for _ in range(50):  # which would take the memory if it were free
        np.full_like(X, 7.0)
    np.testing.assert_array_equal(kept[0], X)


def test_no_op_here_writes_to_what_is_lent():
    kept = []
    lend = tf.from_torch(lambda a: (kept.append(a.detach()), a)[1])
    x = tf.constant(np.ones(100_000, np.float32)) + 0.0
    lend(x)
    for _ in range(3):
        x = x + 1.0  # sums are made in place where nobody else has them
    assert float(kept[0].max()) == 1.0 and float(tf.reduce_max(x)) == 4.0


def test_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(RuntimeError, match=r"give it dtypes="):
            tf.from_torch(torch.sin)(tf.constant(X))
        x = tf.placeholder(tf.float32, X.shape)
        y = tf.from_torch(lambda x: torch.sin(x), dtypes=tf.float32)(x)
        slope = tf.gradients(y, x)[0]
        found = session.run([y, slope], {x: X})
    np.testing.assert_allclose(found[0], np.sin(X), rtol=1e-6)
    np.testing.assert_allclose(found[1], np.cos(X), rtol=1e-6)


class _Classes(torch.nn.Module):
    """Logits, and the class that has the largest."""

    def __init__(self):
        super().__init__()
        self.last = torch.nn.Linear(3, 2)

    def forward(self, x):
        y = self.last(x)
        return {"y": y, "class": y.argmax(-1)}


def test_a_module_in_a_function():
    module = _Classes()
    layer = tf.from_torch(module, dtypes={"y": tf.float32, "class": tf.int64})
    call = tf.function(lambda x: layer(x))
    with tf.GradientTape() as tape:
        found = call(tf.constant(X))
        loss = tf.reduce_sum(found["y"] ** 2)
    slopes = tape.gradient(loss, layer.variables)
    wanted = module(torch.tensor(X))
    (wanted["y"] ** 2).sum().backward()
    np.testing.assert_allclose(found["y"], wanted["y"].detach(), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found["class"], wanted["class"])
    for slope, parameter in zip(slopes, module.parameters(), strict=True):
        np.testing.assert_allclose(slope, parameter.grad, rtol=1e-4, atol=1e-6)


# ------------------------------------------------------------------------ ours in torch
def _wave(x):
    return tf.sin(x) * x


def test_gradients_of_ours_in_torch():
    x = torch.randn(3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(tf.to_torch(_wave), x)
    assert torch.autograd.gradgradcheck(tf.to_torch(_wave), x)


def test_a_compiled_function_and_several_results():
    f = tf.to_torch(tf.function(lambda x, i: {"y": x * 2.0, "n": i + 1}))
    x = torch.tensor(X, requires_grad=True)
    found = f(x, torch.tensor([1, 2]))
    assert found["n"].tolist() == [2, 3] and not found["n"].requires_grad
    found["y"].sum().backward()
    np.testing.assert_array_equal(x.grad, np.full_like(X, 2.0))


def test_in_a_module_that_torch_trains():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(3, 1)
            self.wave = tf.to_torch(_wave)

        def forward(self, x):
            return self.wave(self.linear(x))

    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), 0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = ((net(torch.tensor(X)) - 1.0) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2


def test_each_side_writes_to_its_own():
    seen = []
    f = tf.to_torch(lambda x: (seen.append(tf.identity(x)), x)[1])
    x = torch.tensor(X)
    y = f(x)
    x.zero_()
    np.testing.assert_array_equal(seen[0], X)
    y.zero_()
    np.testing.assert_array_equal(seen[0], X)
    del x, y
    gc.collect()
    np.testing.assert_array_equal(seen[0], X)


def test_within_a_graph_of_ours():
    with tf.Graph().as_default():  # what is built around it does not matter
        found = tf.to_torch(_wave)(torch.tensor(X))
    np.testing.assert_allclose(found, np.sin(X) * X, rtol=1e-6)


def test_what_is_no_function():
    with pytest.raises(TypeError, match=r"tf\.from_torch expects a module or function"):
        tf.from_torch(3)
    with pytest.raises(TypeError, match=r"tf\.to_torch expects a function of tensors"):
        tf.to_torch(3)
    with pytest.raises(TypeError, match="returned int: expected tensors of torch"):
        tf.from_torch(lambda x: 3)(tf.constant(X))
