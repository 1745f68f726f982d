"""Exports of estimators as session bundles; names and signatures are those of 1.12."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib.learn import bundles

learn, session_bundle = tf.contrib.learn, tf.contrib.session_bundle.session_bundle
X = np.random.RandomState(0).rand(20, 1).astype(np.float32)


def _input_fn():
    return {"x": tf.constant(X)}, tf.constant(X[:, 0] * 2)


def _regressor(tmp_path):
    columns = [tf.contrib.layers.real_valued_column("x")]
    config = learn.RunConfig(tf_random_seed=1)
    return learn.LinearRegressor(columns, model_dir=tmp_path / "model", config=config)


def _examples(values):
    found = []
    for value in values:
        example = tf.train.Example()
        example.features.feature["x"].float_list.value.append(value)
        found.append(example.SerializeToString())
    return found


def _answers(folder, values, name="inputs"):
    """What an export gives of examples, by its generic signature."""
    session, meta = session_bundle.load_session_bundle_from_path(folder)
    (found,) = meta.collection_def["serving_signatures"].any_list.value
    signatures = tf.contrib.session_bundle.manifest_pb2.Signatures()
    found.Unpack(signatures)
    own = signatures.default_signature
    with session:
        if own.HasField("regression_signature"):
            own = own.regression_signature
            names = own.input.tensor_name, own.output.tensor_name
        else:
            tensors = own.generic_signature.map
            names = tensors[name].tensor_name, tensors["scores"].tensor_name
        return session.run(names[1], {names[0]: _examples(values)}), names


@pytest.mark.parametrize("kept", [None, 1])
def test_export_estimator(tmp_path, kept):
    estimator = _regressor(tmp_path).fit(input_fn=_input_fn, steps=5)
    folder = str(tmp_path / "exports")
    export = lambda: learn.utils.export_estimator(
        estimator, folder, default_batch_size=None, exports_to_keep=kept
    )
    assert export() is None
    found, names = _answers(folder + "/00000005", X[:3, 0])
    assert names[0] == "input_example_tensor:0"
    wanted = list(estimator.predict_scores(input_fn=_input_fn))[:3]
    np.testing.assert_allclose(np.ravel(found), wanted, 1e-5)
    estimator.fit(input_fn=_input_fn, steps=1)
    export()
    numbers = sorted(n.strip("/") for n in tf.gfile.ListDirectory(folder))
    assert numbers == (["00000005", "00000006"] if kept is None else ["00000006"])
    with pytest.raises(ValueError, match=r"input_fn must be defined\."):
        learn.utils.export_estimator(estimator, folder, input_fn=None)


def _served():
    examples = tf.placeholder(tf.string, [None], name="ex")
    features = tf.parse_example(examples, {"x": tf.FixedLenFeature([1], tf.float32)})
    return {**features, "ex": examples}, None


def test_export_monitor(tmp_path):
    monitor = learn.monitors.ExportMonitor(
        2, str(tmp_path / "exports"), _served, "ex", exports_to_keep=2
    )
    estimator = _regressor(tmp_path)
    estimator.fit(input_fn=_input_fn, steps=5, monitors=[monitor])
    assert monitor.last_export_dir.endswith(b"/exports/00000005")
    found, names = _answers(monitor.last_export_dir.decode(), X[:2, 0])
    assert names[0] == "ex:0"
    wanted = list(estimator.predict_scores(input_fn=_input_fn))[:2]
    np.testing.assert_allclose(np.ravel(found), wanted, 1e-5)
    without = learn.monitors.ExportMonitor(2, str(tmp_path / "others"), _served)
    with pytest.raises(ValueError, match="examples cannot be None when using this"):
        estimator.fit(input_fn=_input_fn, steps=1, monitors=[without])


def test_signatures():
    with tf.Graph().as_default():
        examples, p = tf.constant([b"a"]), tf.constant([[0.2, 0.8]])
        both = {"classes": tf.constant([1]), "probabilities": p}
        (found, named) = bundles.generic_signature_fn(examples, {}, both)
        tensors = found.generic_signature.map
        assert named == {} and sorted(tensors) == ["classes", "inputs", "probabilities"]
        assert (
            "outputs"
            in bundles.generic_signature_fn(examples, {}, p)[0].generic_signature.map
        )
        found = bundles.classification_signature_fn(examples, {}, both)[0]
        own = found.classification_signature
        assert own.classes.tensor_name == both["classes"].name
        found = bundles.classification_signature_fn_with_prob(examples, {}, both)[0]
        assert found.classification_signature.scores.tensor_name == p.name
        found = bundles.logistic_regression_signature_fn(examples, {}, both)[0]
        assert found.regression_signature.output.tensor_name == "strided_slice:0"
