"""Callbacks and the progress bar."""

import csv

import numpy as np
import pytest

import twinflow as tf

K, L, C = tf.keras, tf.keras.layers, tf.keras.callbacks
X = np.arange(12, dtype="f").reshape(6, 2) / 12
Y = X[:, :1]


@pytest.fixture(params=["eager", "graph"])
def model(request):
    request.getfixturevalue(request.param)
    if request.param == "graph":
        K.backend.set_session(tf.Session())
    model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
    model.compile("sgd", "mse", metrics=["mae"])
    return model


def test_early_stopping_waits(model):
    stop = C.EarlyStopping("loss", patience=3, min_delta=100)
    history = model.fit(X, Y, epochs=9, verbose=0, callbacks=[stop])
    assert history.epoch == [0, 1, 2, 3] and stop.stopped_epoch == 3


def test_a_loss_that_is_no_number_ends_the_training(model, capsys):
    history = model.fit(
        X, Y * np.nan, epochs=9, verbose=0, callbacks=[C.TerminateOnNaN()]
    )
    assert len(history.epoch) == 1
    assert "Batch 0: Invalid loss, terminating training" in capsys.readouterr().out


def test_rates_fall_on_a_plateau(model):
    reduce = C.ReduceLROnPlateau(
        "loss", factor=0.1, patience=1, min_delta=9, cooldown=1
    )
    history = model.fit(X, Y, epochs=4, verbose=0, callbacks=[reduce])
    np.testing.assert_allclose(
        history.history["lr"], [0.01, 0.01, 1e-3, 1e-4], rtol=1e-5
    )
    with pytest.raises(ValueError, match="does not support a factor"):
        C.ReduceLROnPlateau(factor=1.0)


def test_a_table_is_written_and_continued(model, tmp_path):
    path = tmp_path / "log.csv"
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[C.CSVLogger(str(path))])
    more = C.CSVLogger(str(path), append=True)
    model.fit(X, Y, epochs=3, initial_epoch=2, verbose=0, callbacks=[more])
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [r["epoch"] for r in rows] == ["0", "1", "2"]
    assert float(rows[0]["loss"]) > float(rows[2]["loss"]) > 0


def test_the_best_weights_are_kept(model, tmp_path):
    path = str(tmp_path / "best")
    keep = C.ModelCheckpoint(path, "loss", save_best_only=True, save_weights_only=True)
    model.fit(X, Y, epochs=3, verbose=0, callbacks=[keep])
    best = model.get_weights()[0]
    model.set_weights([np.zeros((2, 1)), np.zeros(1)])
    model.load_weights(path)
    np.testing.assert_array_equal(best, model.get_weights()[0])
    every = C.ModelCheckpoint(str(tmp_path / "w{epoch:02d}"), save_weights_only=True)
    model.fit(X, Y, epochs=2, verbose=0, callbacks=[every])
    assert (tmp_path / "w02.index").exists()


def test_events_for_tensorboard(model, tmp_path):
    eager = tf.executing_eagerly()
    board = C.TensorBoard(str(tmp_path), 0 if eager else 1, write_grads=True)
    model.fit(X, Y, epochs=2, verbose=0, validation_data=(X, Y), callbacks=[board])
    (path,) = tmp_path.iterdir()
    events = list(tf.train.summary_iterator(str(path)))
    values = [(e.step, v.tag) for e in events for v in e.summary.value]
    assert (1, "epoch_val_loss") in values and (
        1,
        "batch_mean_absolute_error",
    ) in values
    if not eager:
        assert any(tag.startswith("dense/kernel_0_grad") for _, tag in values)
        assert any(e.graph_def for e in events)


def test_the_bar_shows_averages(capsys):
    bar = K.utils.Progbar(3, width=6, interval=0)
    for i in range(3):
        bar.update(i + 1, [("a", float(i))])
    shown = [text.strip("\b\r\n ") for text in capsys.readouterr().out.split("\r")[1:]]
    assert shown[0].startswith("1/3 [=>....] - ETA: ")
    assert shown[0].endswith(" - a: 0.0000e+00")
    assert shown[2].startswith("3/3 [======] - 0s ") and shown[2].endswith("a: 1.0000")
    unknown = K.utils.Progbar(None, verbose=1, interval=0)
    unknown.add(2)
    assert "2/Unknown" in capsys.readouterr().out


def test_nothing_is_sent():
    with pytest.raises(ValueError, match="no connections"):
        C.RemoteMonitor()


@pytest.mark.parametrize("way", ["fit", "fit_generator"])
def test_callbacks_find_the_training_in_the_graph(graph, way):
    """As in 1.12, and a writer that a subclass puts there."""
    K.backend.set_session(tf.Session())
    model = K.Sequential([L.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
    found = []

    class Board(C.TensorBoard):
        def _init_writer(self):
            self.writer = self
            self.add_summary = lambda summary, step: found.append(step)
            self.flush = self.close = lambda: None

        def set_model(self, model):
            super().set_model(model)
            names = [n.name for n in tf.get_default_graph().get_operations()]
            assert any(n.startswith("training/SGD") for n in names)

    if way == "fit":
        model.fit(X, Y, batch_size=3, verbose=0, callbacks=[Board("nowhere")])
    else:
        batches = iter([(X[:3], Y[:3]), (X[3:], Y[3:])])
        model.fit_generator(batches, 2, verbose=0, callbacks=[Board("nowhere")])
    assert found
