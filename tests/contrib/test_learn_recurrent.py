"""tf.contrib.learn.DynamicRnnEstimator."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.learn import recurrent_parts as parts

learn, layers = tf.contrib.learn, tf.contrib.layers
CLASSES, NUMBERS = 1, 2  # ProblemType
ONE, EACH = 1, 2  # PredictionType
RANDOM = np.random.RandomState(0)
X = RANDOM.randn(16, 6, 2).astype(np.float32)
LENGTHS = RANDOM.randint(2, 7, 16).astype(np.int32)
ABOVE = (X.sum(2) > 0).astype(np.int64)


def model(problem, prediction, **options):
    columns = [layers.real_valued_column("x", 2)]
    config = learn.RunConfig(tf_random_seed=1)
    options = {"num_units": 8, "learning_rate": 0.5, "config": config, **options}
    return learn.DynamicRnnEstimator(problem, prediction, columns, **options)


def data(labels=None, lengths=LENGTHS, **features):
    def give():
        found = {"x": tf.constant(X), **features}
        if lengths is not None:
            found["sequence_length"] = tf.constant(lengths)
        made = {k: tf.constant(v) if isinstance(v, np.ndarray) else v
                for k, v in found.items()}  # fmt: skip
        return made, None if labels is None else tf.constant(labels)

    return give


def test_classes_of_each_step_are_learned():
    found = model(CLASSES, EACH, num_classes=2, predict_probabilities=True)
    found.fit(input_fn=data(ABOVE), steps=60)
    assert found.evaluate(input_fn=data(ABOVE), steps=1)["accuracy"] > 0.9
    told = list(found.predict(input_fn=data()))
    assert told[0]["probabilities"].shape == (6, 2)
    assert set(told[0]) == {"classes", "probabilities", "rnn_cell_state_0"}
    names = set(found.get_variable_names())
    assert {"rnn/basic_rnn_cell/kernel", "fully_connected/weights"} <= names


def test_numbers_of_sequences_look_at_the_last_step():
    last = X[np.arange(16), LENGTHS - 1].sum(1)
    context = {"c": np.ones((16, 1), np.float32)}
    found = model(
        NUMBERS, ONE, cell_type="gru", optimizer="Momentum", momentum=0.5,
        learning_rate=0.1, dropout_keep_probabilities=[1.0, 1.0],
        context_feature_columns=[layers.real_valued_column("c")],
    )  # fmt: skip
    found.fit(input_fn=data(last, **context), steps=80)
    assert found.evaluate(input_fn=data(last, **context), steps=1)["loss"] < 0.3
    told = [p["scores"] for p in found.predict(input_fn=data(**context))]
    assert np.corrcoef(told, last)[0, 1] > 0.9


def test_a_state_goes_on_where_it_was_left():
    found = model(CLASSES, EACH, num_classes=2, cell_type="lstm")
    found.fit(input_fn=data(ABOVE), steps=1)

    def half(start, **state):
        def give():
            parts_of = {"x": tf.constant(X[:, start : start + 3])}
            return {**parts_of, **{k: tf.constant(v) for k, v in state.items()}}, None

        return list(found.predict(input_fn=give))

    whole = list(found.predict(input_fn=data(lengths=None)))
    first = half(0)
    state = {k: np.stack([p[k] for p in first]) for k in first[0] if "state" in k}
    assert sorted(state) == ["rnn_cell_state_0", "rnn_cell_state_1"]
    for a, b in zip(half(3, **state), whole, strict=True):
        np.testing.assert_array_equal(a["classes"], b["classes"][3:])
        np.testing.assert_allclose(a["rnn_cell_state_1"], b["rnn_cell_state_1"], 1e-5)


def test_what_is_refused():
    with pytest.raises(ValueError, match="prediction_type must be one of"):
        model(CLASSES, 3)
    with pytest.raises(ValueError, match="problem_type must be either"):
        model(7, ONE)
    with pytest.raises(ValueError, match="num_classes must be specified"):
        model(CLASSES, ONE)
    with pytest.raises(ValueError, match="can only be set to True for problem_type"):
        model(NUMBERS, ONE, predict_probabilities=True)
    with pytest.raises(ValueError, match=r"cell types are .* got tree"):
        parts.construct_rnn_cell(2, "tree")
    with pytest.raises(ValueError, match="2 cells and 1 dropout probabilities"):
        parts.construct_rnn_cell([2, 3], "gru", [0.5])
    cell = parts.construct_rnn_cell(2, "lstm")
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="partially specified"),
    ):
        parts.dict_to_state_tuple({"rnn_cell_state_0": tf.zeros([3, 2])}, cell)
    assert parts.dict_to_state_tuple({}, cell) is None
