"""RevNet: gradients, statistics, memory, files, configurations, and its scripts."""

import sys

import numpy as np
import pytest

import twinflow as tf
from tests.examples.test_programs import PNG, example, numbers, tags
from tests.modes import eager
from tests.source_tree import ROOT

__all__ = ["eager"]

FOLDER = ROOT / "examples" / "revnet"
MODULES = ["config", "blocks", "model", "data", "measure", "train", "estimator"]
MODULES += ["tpu_estimator", "picture"]


@pytest.fixture
def revnet(monkeypatch):
    """The modules of the example, by name."""
    monkeypatch.syspath_prepend(str(FOLDER))
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield lambda name: __import__(name)
    for name in MODULES:
        sys.modules.pop(name, None)


def batch(size=4, dtype="float64"):
    images = np.random.RandomState(0).normal(size=[size, 16, 16, 3]).astype(dtype)
    return tf.constant(images), tf.constant(np.arange(size) % 10)


def arrays(tensors):
    return [t.numpy() for t in tensors]


# ------------------------------------------------------------------ gradients
def test_the_block_of_the_article(eager, revnet):
    block = revnet("blocks").residual(8, axis=1)
    random = np.random.RandomState(0)
    x, dy = (tf.constant(random.randn(4, 8, 6, 6).astype("f4")) for _ in range(2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = block(x)
    dx_true = tape.gradient(y, x, output_gradients=dy)
    dx, _ = block.backward_grads(x, y, dy)
    assert all(tf.reshape(abs(dx - dx_true), [-1]).numpy() < 1e-6)


@pytest.mark.parametrize(
    "changes", [{}, {"axis": 1}, {"bottleneck": True, "blocks": [1, 2]}]
)
def test_gradients_and_statistics_are_the_ordinary_ones(eager, revnet, changes):
    config = revnet("config").named("revnet-tiny", dtype="float64", **changes)
    model = revnet("model").RevNet(config)
    images, labels = batch()
    if config.axis == 1:
        images = tf.transpose(images, [0, 3, 1, 2])
    model(images)
    start = arrays(model.variables)

    def after(compute):
        for v, value in zip(model.variables, start, strict=True):
            v.assign(value)
        for stage in model.stages:
            stage.reversible = compute != "ordinary"
        if compute == "from the hidden":
            grads, loss = model.compute_gradients(model(images)[1], labels)
        else:
            grads, loss = model.taped_gradients(images, labels)
        return arrays([*grads, loss, *model.variables])

    wanted = after("ordinary")
    assert any((a != b).any() for a, b in zip(start, arrays(model.variables)))
    for way in ("from the hidden", "by a tape"):
        for a, b in zip(after(way), wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def test_in_a_graph_statistics_move_once(revnet):
    model = revnet("model").RevNet(revnet("config").named("revnet-tiny"))
    with tf.Graph().as_default(), tf.Session() as session:
        images, labels = batch(dtype="float32")
        _, hidden = model(images)
        updates = model.get_updates_for(images)
        model.compute_gradients(hidden, labels)
        assert model.get_updates_for(images) == updates
        assert len(updates) == len(model.non_trainable_variables)
        session.run(tf.global_variables_initializer())


# ------------------------------------------------------------------ memory
def test_memory_is_flat_and_less_than_half_at_depth_38(eager, revnet):
    pytest.importorskip("matplotlib")
    measure = revnet("measure")
    found = measure.measure([1, 3, 5], *measure.batch(16, 32), 0)
    beyond = {way: [peak - g for _, _, peak, g in found[way]] for way in found}
    (_, little, deep), (_, much, _) = beyond["reversible"], beyond["ordinary"]
    assert [depth for depth, *_ in found["ordinary"]] == [14, 38, 62]
    assert little < 0.35 * much
    assert deep < 1.03 * little


# ------------------------------------------------------------------ settings, files
@pytest.mark.parametrize(
    "name",
    ["38-cifar10", "110-cifar100", "164-cifar", "56-imagenet", "104-imagenet"],
)
def test_configurations(eager, revnet, name):
    config = revnet("config").named(f"revnet-{name}")
    assert revnet("config").depth(config) == int(name.partition("-")[0])
    model = revnet("model").RevNet(config)
    logits, hidden = model(tf.zeros([1, 32, 32, 3]), training=False)
    wanted = {"imagenet": 1000, "cifar100": 100}.get(name.partition("-")[2], 10)
    assert logits.shape == (1, wanted)
    assert hidden[-1].shape[-1] == config.filters[-1]


def test_an_unknown_configuration(revnet):
    with pytest.raises(
        ValueError, match=r"No configuration 'revnet-7'; there are revnet"
    ):
        revnet("config").named("revnet-7")


def test_files_of_cifar_and_records(eager, revnet, tmp_path):
    data = revnet("data")
    for classes in (10, 100):
        folder = str(tmp_path / str(classes))
        data.write_cifar(folder, 10, 4, classes)
        name = "revnet-tiny" if classes == 10 else "revnet-38-cifar100"
        config = revnet("config").named(name)
        ((images, labels),) = data.dataset(folder, config, False)
        pixels, wanted = data.made_up(4, 10)
        assert labels.numpy().tolist() == wanted.tolist()
        near = images.numpy() * data.DEVIATION + data.MEAN
        np.testing.assert_allclose(near, pixels, atol=1e-3)
    data.write_records(str(tmp_path / "r"), 10, 4)
    config = revnet("config").named("revnet-tiny")
    ((images, labels),) = data.dataset(str(tmp_path / "r"), config, False)
    assert labels.numpy().tolist() == data.made_up(4, 1)[1].tolist()
    shapes = [x.shape for x, _ in data.dataset(str(tmp_path / "r"), config, True)]
    assert shapes == [(10, 32, 32, 3)]
    with pytest.raises(FileNotFoundError, match=r"test_batch\.bin"):
        data.files(str(tmp_path), False)


def test_records_of_imagenet(eager, revnet):
    pytest.importorskip("PIL")
    pixels = np.full([40, 50, 3], 200, np.uint8)
    picture = tf.image.encode_jpeg(tf.constant(pixels)).numpy()
    feature = {
        "image/encoded": tf.train.Feature(
            bytes_list=tf.train.BytesList(value=[picture])
        ),
        "image/class/label": tf.train.Feature(int64_list=tf.train.Int64List(value=[7])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=feature))
    found, label = revnet("data").from_imagenet(example.SerializeToString(), [8, 8, 3])
    assert found.shape == (8, 8, 3) and int(label) == 6
    assert abs(float(tf.reduce_mean(found)) - 200) < 3


# ------------------------------------------------------------------ scripts
def test_training_goes_on_as_functions(tmp_path):
    args = ["data", "--folder", "m", "--every", 2, "--batch", 8, "--steps"]
    out = example("revnet/train.py", *args, 2, folder=tmp_path)
    assert "step 2: test loss" in out and "in 2 steps" in out
    out = example("revnet/train.py", *args, 4, "--functions", folder=tmp_path)
    assert "Going on from m/ckpt-1, step 2." in out and "step 4: test loss" in out
    assert tags(tmp_path / "m") == {"loss", "rate", "test/loss", "test/accuracy"}


@pytest.mark.parametrize("name", ["estimator", "tpu_estimator"])
def test_the_estimators(name, tmp_path):
    args = ["data", "--folder", "m", "--steps", 2]
    out = example(f"revnet/{name}.py", *args, folder=tmp_path)
    assert out.startswith("step 2: test loss") and numbers(out)[0] > 0
    found = tags(tmp_path / "m" / "eval")
    assert found == {"loss", "accuracy", "checkpoint_path"}


def test_the_two_plots(tmp_path):
    args = ["--short", "--folder", "m"]
    modes = ["--modes", "eager", "graph, interpreted", "function, compiled"]
    out = example("revnet/measure.py", *args, *modes, folder=tmp_path)
    lines = out.splitlines()[1:]  # behind the bar
    assert lines[::3][:3] == modes[1:]
    assert all(line.startswith("   14 |") for line in lines[2::3][:3])
    for name in ("speed", "memory"):
        assert (tmp_path / "m" / f"{name}.png").read_bytes().startswith(PNG)
