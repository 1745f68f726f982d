"""Contract H: Saver and Checkpoint."""

import os
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import process

tfe = tf.contrib.eager


class Net(tf.keras.Model):
    """A model whose layers are made at once, and their variables later."""

    def __init__(self):
        super().__init__()
        self.d = tf.keras.layers.Dense(2)
        self.rest = [tf.keras.layers.Dense(1, use_bias=False)]

    def call(self, x):
        return self.rest[0](self.d(x))


X = np.array([[1.0, 2.0, 3.0]], np.float32)


def trained(optimizer):
    """A model after an eager step, and the optimizer."""
    model = Net()
    step(model, optimizer)
    return model


def step(model, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.constant(X)) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


def values(variables):
    return [v.numpy().tolist() for v in variables]


def test_h01_a_saver_collects_all_variables(tmp_path, graph):
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w))
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        before = sess.run(tf.global_variables())
        path = saver.save(sess, str(tmp_path / "m"))
        sess.run(train)
        saver.restore(sess, path)
        after = sess.run(tf.global_variables())
    names = [name for name, _ in tf.train.list_variables(path)]
    assert names == ["beta1_power", "beta2_power", "w", "w/Adam", "w/Adam_1"]
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)


def test_h02_h04_eager_savers_take_a_bare_variable_and_no_session(tmp_path, eager):
    r = tfe.Variable([5.2])
    saver = tf.train.Saver(r)
    path = saver.save(None, str(tmp_path / "save"))
    r.assign([0.0])
    saver.restore(None, path)
    assert r.numpy() == np.float32(5.2)


def test_h03_eager_savers_need_their_variables(eager):
    with pytest.raises(RuntimeError, match="`var_list` must specify a list or dict of"):
        tf.train.Saver()


def test_h05_folders_are_made_and_bare_names_refused(tmp_path, monkeypatch, eager):
    monkeypatch.chdir(tmp_path)
    saver = tf.train.Saver([tfe.Variable(1.0)])
    assert saver.save(None, "new/m") == "new/m"
    with pytest.raises(ValueError, match="Parent directory of a/b/m doesn't exist"):
        saver.save(None, "a/b/m")  # one folder is made, not two
    text = "Parent directory of save.ckpt doesn't exist, can't save."
    with pytest.raises(ValueError, match=text):
        saver.save(None, "save.ckpt")


H06 = """
    import twinflow as tf
    {start}
    x = tf.Variable([{value}])
    {use}
"""


def test_h06_h11_a_saver_moves_between_the_modes(tmp_path):
    path = str(tmp_path / "m")
    eager, save = (
        "tf.enable_eager_execution()",
        f"tf.train.Saver([x]).save(None, {path!r})",
    )
    load = f"tf.train.Saver([x]).restore(None, {path!r}); print(x.numpy())"
    sess = "sess = tf.Session(); sess.run(x.initializer); s = tf.train.Saver()"
    process(H06.format(start=eager, value=5.2, use=save))
    found = process(H06.format(
        start="", value=13.14,
        use=f"{sess}; s.restore(sess, {path!r}); print(sess.run(x))",
    ))  # fmt: skip
    assert found == "[5.2]\n"
    process(H06.format(start="", value=7.5, use=f"{sess}; s.save(sess, {path!r})"))
    assert process(H06.format(start=eager, value=1.0, use=load)) == "[7.5]\n"


def test_h07_a_checkpoint_of_a_variable(tmp_path, monkeypatch, eager):
    monkeypatch.chdir(tmp_path)
    x = tfe.Variable(10.0)
    checkpoint = tfe.Checkpoint(x=x)
    x.assign(2.0)
    path = checkpoint.save("./ckpt/")
    x.assign(11.0)
    checkpoint.restore(path)
    assert (path, x.numpy()) == ("./ckpt/-1", 2.0)
    assert sorted(os.listdir("ckpt")) == [
        "-1.data-00000-of-00001", "-1.index", "checkpoint"
    ]  # fmt: skip
    assert [name for name, _ in tf.train.list_variables(path)] == [
        "_CHECKPOINTABLE_OBJECT_GRAPH", "save_counter/.ATTRIBUTES/VARIABLE_VALUE",
        "x/.ATTRIBUTES/VARIABLE_VALUE",
    ]  # fmt: skip
    assert tf.train.latest_checkpoint("ckpt") == "ckpt/-1"


def test_h08_keys_of_models_and_slots(tmp_path, eager):
    optimizer = tf.train.AdamOptimizer(0.1)
    model, count = trained(optimizer), tf.train.get_or_create_global_step()
    checkpoint = tfe.Checkpoint(optimizer=optimizer, model=model, optimizer_step=count)
    names = dict(tf.train.list_variables(checkpoint.save(str(tmp_path / "c"))))
    end = "/.ATTRIBUTES/VARIABLE_VALUE"
    assert names["model/d/kernel" + end] == [3, 2]
    assert names["model/d/kernel/.OPTIMIZER_SLOT/optimizer/m" + end] == [3, 2]
    assert names["model/rest/0/kernel/.OPTIMIZER_SLOT/optimizer/v" + end] == [2, 1]
    assert names["optimizer/beta1_power" + end] == []
    assert names["optimizer_step" + end] == []


def test_h09_numbers_are_saved_and_functions_let_be(tmp_path, eager):
    made = dict(learning_rate=0.5, decay=tf.constant([1.0, 2.0]), schedule=lambda: 1)
    path = tfe.Checkpoint(**made).save(str(tmp_path / "c"))
    other = tfe.Checkpoint(learning_rate=0.1, decay=tf.constant([0.0, 0.0]))
    other.restore(path)
    assert other.learning_rate == 0.5 and list(other.decay) == [1, 2]
    with pytest.raises(ValueError, match="was expecting a checkpointable object"):
        tfe.Checkpoint(name="a text")


def test_h10_values_wait_for_their_variables(tmp_path, eager):
    optimizer = tf.train.AdamOptimizer(0.1)
    model = trained(optimizer)
    checkpoint = tfe.Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save(str(tmp_path / "c"))
    new, new_optimizer = Net(), tf.train.AdamOptimizer(0.1)
    status = tfe.Checkpoint(model=new, optimizer=new_optimizer).restore(path)
    with pytest.raises(AssertionError, match="Unresolved object in checkpoint"):
        status.assert_consumed()
    np.testing.assert_array_equal(new(tf.constant(X)), model(tf.constant(X)))
    for pair in (model, optimizer), (new, new_optimizer):
        step(*pair)
    assert values(new.variables) == values(model.variables)  # the slots are there, too
    status.assert_consumed()


def test_h11_a_checkpoint_moves_between_the_modes(tmp_path, eager):
    model, optimizer = Net(), tf.train.MomentumOptimizer(0.1, 0.9)
    step(model, optimizer)
    checkpoint = tfe.Checkpoint(model=model, optimizer=optimizer)
    path, expected = checkpoint.save(str(tmp_path / "e")), values(model.variables)
    with tf.Graph().as_default(), tf.Session() as sess:
        model, optimizer = Net(), tf.train.MomentumOptimizer(0.1, 0.9)
        x = tf.placeholder(tf.float32, [None, 3])
        loss = tf.reduce_sum(model(x) ** 2)
        train = optimizer.minimize(loss, var_list=model.trainable_variables)
        checkpoint = tfe.Checkpoint(model=model, optimizer=optimizer)
        checkpoint.restore(path).initialize_or_restore(sess)
        found = [v.tolist() for v in sess.run(model.variables)]
        assert found == expected
        sess.run(train, {x: X})
        path = checkpoint.save(str(tmp_path / "g"))
        expected = [v.tolist() for v in sess.run(model.variables)]
    assert path.endswith("g-2")  # the counter goes on
    new = Net()
    tfe.Checkpoint(model=new).restore(path)
    new(tf.constant(X))
    assert values(new.variables) == expected


def test_h12_a_saver_reads_checkpoints_of_objects(tmp_path, eager, capsys, caplog):
    v = tfe.Variable(3.0, name="v")
    path = tfe.Checkpoint(x=v).save(str(tmp_path / "c"))
    v.assign(0.0)
    tf.train.Saver([v]).restore(None, path)
    assert v.numpy() == 3.0
    assert (
        "Restoring an object-based checkpoint using a name-based saver. This may be "
        "somewhat fragile, and will re-build the Saver. Instead, consider loading "
        "object-based checkpoints using tf.train.Checkpoint()."
    ) in capsys.readouterr().err + caplog.text


def test_h13_statuses(tmp_path, eager):
    path = tfe.Checkpoint(a=tfe.Variable(1.0), b=tfe.Variable(2.0)).save(
        str(tmp_path / "c")
    )
    status = tfe.Checkpoint(a=tfe.Variable(0.0)).restore(path)
    status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Unresolved object in checkpoint"):
        status.assert_consumed()
    status = tfe.Checkpoint(c=tfe.Variable(0.0)).restore(path)
    with pytest.raises(AssertionError, match="not bound to checkpointed values"):
        status.assert_existing_objects_matched()
    status.initialize_or_restore()
    status.run_restore_ops()


def test_h14_savers_save_keras_models(tmp_path, eager):
    model = trained(tf.train.GradientDescentOptimizer(0.1))
    saver, before = tf.train.Saver(model.variables), values(model.variables)
    path = saver.save(None, str(tmp_path / "m"), global_step=tfe.Variable(7))
    step(model, tf.train.GradientDescentOptimizer(0.1))
    saver.restore(None, path)
    assert path.endswith("m-7") and values(model.variables) == before


def test_h15_errors(tmp_path, eager):
    v = tfe.Variable(1.0)
    text = "The passed save_path is not a valid checkpoint: nope.ckpt"
    with pytest.raises(ValueError, match=text):
        tf.train.Saver([v]).restore(None, "nope.ckpt")
    with pytest.raises(tf.errors.NotFoundError, match="any matching files for nope"):
        tfe.Checkpoint(v=v).restore("nope")
    status = tfe.Checkpoint(v=v).restore(None)
    with pytest.raises(AssertionError, match="nothing is being restored"):
        status.assert_consumed()
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="No variables to save"),
    ):
        tf.train.Saver()


def test_h16_a_checkpoint_of_tensorflow_restores_objects(eager):
    """The model of tests/checkpoint/data/objects112, which TensorFlow 1.12 wrote."""
    prefix = os.path.join(os.path.dirname(__file__), "../checkpoint/data/objects112")
    variable, rnn = tfe.Variable([0.0, 0.0]), tf.keras.layers.LSTM(2)
    rnn(tf.ones([1, 2, 2]))
    tfe.Checkpoint(v=variable, rnn=rnn).restore(
        prefix
    ).assert_existing_objects_matched()
    reader = tf.train.load_checkpoint(prefix)
    assert variable.numpy().tolist() == [1.0, 2.0]
    expected = reader.get_tensor("rnn/cell/kernel/.ATTRIBUTES/VARIABLE_VALUE")
    np.testing.assert_array_equal(rnn.cell.kernel.numpy(), expected)


GOLDEN = os.path.join(os.path.dirname(__file__), "../checkpoint/data/tf112")
KEYS = ["a", "scope/b", "layer_17/w", "bo", "s"]


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_h16_what_tensorflow_saved_is_restored_and_saved_as_the_same_bytes(
    tmp_path, request, mode
):
    """A Saver on the file of tests/checkpoint/make_tf112.py: there and back."""
    request.getfixturevalue(mode)
    reader = tf.train.load_checkpoint(GOLDEN)
    wanted = {key: reader.get_tensor(key) for key in KEYS}
    made = {
        key: tfe.Variable(
            tf.fill(value.shape, "") if key == "s" else np.zeros_like(value),
            name=key.replace("/", "_"),
        )
        for key, value in wanted.items()
    }
    saver = tf.train.Saver(made)
    paths = [str(tmp_path / name) for name in "ab"]
    with nullcontext() if mode == "eager" else tf.Session() as sess:
        saver.restore(sess, GOLDEN)
        found = made if mode == "eager" else sess.run(made)
        for path in paths:
            saver.save(sess, path, write_meta_graph=False)
    for key, value in wanted.items():
        array = found[key].numpy() if mode == "eager" else found[key]
        np.testing.assert_array_equal(array, value)
    again = tf.train.load_checkpoint(paths[0])
    for key, value in wanted.items():
        entry, old = again._bundle.entries[key], reader._bundle.entries[key]
        assert (entry.crc32c, entry.size, entry.dtype) == (
            old.crc32c, old.size, old.dtype
        )  # fmt: skip
        np.testing.assert_array_equal(again.get_tensor(key), value)
    first, second = (Path(p + ".data-00000-of-00001").read_bytes() for p in paths)
    assert first == second


def test_h16_objects_of_tensorflow_in_a_graph(graph):
    prefix = os.path.join(os.path.dirname(__file__), "../checkpoint/data/objects112")
    variable, rnn = tfe.Variable([0.0, 0.0]), tf.keras.layers.LSTM(2)
    rnn(tf.ones([1, 2, 2]))
    status = tfe.Checkpoint(v=variable, rnn=rnn).restore(prefix)
    with tf.Session() as sess:
        status.initialize_or_restore(sess)
        found = sess.run([variable, rnn.cell.kernel])
    reader = tf.train.load_checkpoint(prefix)
    assert found[0].tolist() == [1.0, 2.0]
    expected = reader.get_tensor("rnn/cell/kernel/.ATTRIBUTES/VARIABLE_VALUE")
    np.testing.assert_array_equal(found[1], expected)
