"""Models as other programs export them, and requests to warm up with."""

import itertools
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.serving.conftest import save_half, served
from tests.serving.test_grpc import caller, predicting
from twinflow.base import errors
from twinflow.formats.serving_protos import serving
from twinflow.serving.configs import of_folder
from twinflow.serving.loading import load
from twinflow.serving.warm_up import warm_up

DATA = Path(__file__).parents[1] / "export" / "data"
CLIENT = """
import sys, grpc, numpy as np, tensorflow as tf
from tensorflow_serving.apis import (get_model_metadata_pb2, get_model_status_pb2,
    model_service_pb2_grpc, predict_pb2, prediction_service_pb2_grpc)
channel = grpc.insecure_channel("127.0.0.1:" + sys.argv[1])
stub = prediction_service_pb2_grpc.PredictionServiceStub(channel)
request = predict_pb2.PredictRequest()
request.model_spec.name = "m"
request.inputs["x"].CopyFrom(tf.make_tensor_proto([[1.0, 2.0]], tf.float32))
response = stub.Predict(request, timeout=30)
(name,) = response.outputs
y = tf.make_ndarray(response.outputs[name])
request = get_model_metadata_pb2.GetModelMetadataRequest(
    metadata_field=["signature_def"])
request.model_spec.name = "m"
packed = stub.GetModelMetadata(request, timeout=30).metadata["signature_def"]
signatures = get_model_metadata_pb2.SignatureDefMap()
assert packed.Unpack(signatures)
request = get_model_status_pb2.GetModelStatusRequest()
request.model_spec.name = "m"
status = model_service_pb2_grpc.ModelServiceStub(channel).GetModelStatus(request)
print(y.tolist(), response.model_spec.version.value,
      "serving_default" in signatures.signature_def,
      status.model_version_status[0].state)
"""


def asked(folder, **inputs):
    """The outputs of the default signature of a SavedModel that is served."""
    with served(of_folder(str(folder), "half"), poll=0) as server:
        channel, call = caller(server.grpc_port)
        with channel:
            response = call("Predict", predicting(**inputs))
    return {name: tf.make_ndarray(t) for name, t in response.outputs.items()}


@pytest.mark.parametrize("name", ["tf112", "tf221"])
def test_models_of_tensorflow(name):
    servable = load(str(DATA / name))
    feeds = {
        key: np.ones([2 if d is None else d for d in slot.dims], slot.dtype.np)
        for key, slot in servable.signatures["serving_default"].inputs.items()
    }
    servable.close()
    found = asked(DATA / name, **feeds)
    expected = tf.contrib.predictor.from_saved_model(str(DATA / name))(feeds)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_array_equal(found[key], value)


def test_a_keras_model(tmp_path):
    with tf.Graph().as_default(), tf.Session():
        model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,))])
        x = np.float32([[1, 2], [3, 4]])
        expected = model.predict(x)
        folder = tf.contrib.saved_model.save_keras_model(model, str(tmp_path))
    (y,) = asked(os.fsdecode(folder), **{model.input_names[0]: x}).values()
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_an_estimator(tmp_path):
    x = tf.feature_column.numeric_column("x")
    estimator = tf.estimator.LinearClassifier([x], model_dir=str(tmp_path / "run"))

    def data():
        return {"x": tf.constant([[0.0], [1.0]])}, tf.constant([[0], [1]])

    estimator.train(data, steps=2)
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(
        {"x": tf.FixedLenFeature([1], tf.float32)}
    )
    estimator.export_savedmodel(str(tmp_path / "half"), receiver)
    request = serving["ClassificationRequest"]()
    request.model_spec.name = "half"
    for value in 0.0, 1.0:
        one = request.input.example_list.examples.add()
        one.features.feature["x"].float_list.value.append(value)
    with served(of_folder(str(tmp_path / "half"), "half"), poll=0) as server:
        channel, call = caller(server.grpc_port)
        with channel:
            rows = call("Classify", request).result.classifications
    some = itertools.islice(estimator.predict(data), 2)  # it would go on for ever
    expected = [p["probabilities"] for p in some]
    found = [[c.score for c in row.classes] for row in rows]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def written(folder, *records):
    (folder / "assets.extra").mkdir()
    path = str(folder / "assets.extra" / "tf_serving_warmup_requests")
    with tf.python_io.TFRecordWriter(path) as writer:
        for record in records:
            writer.write(record)


def test_requests_to_warm_up_with(tmp_path):
    save_half(tmp_path / "1")
    predict, regress = serving["PredictionLog"](), serving["PredictionLog"]()
    predict.predict_log.request.CopyFrom(predicting(x=np.float32([1, 2])))
    spec = regress.regress_log.request.model_spec
    spec.name, spec.signature_name = "half", "regress"
    one = regress.regress_log.request.input.example_list.examples.add()
    one.features.feature["a"].float_list.value.append(1.0)
    good = predict.SerializeToString(), regress.SerializeToString()
    written(tmp_path / "1", *good)
    servable, ran = load(str(tmp_path / "1")), []
    run = servable.run
    servable.run = lambda one, *args: ran.append(one.name) or run(one, *args)
    assert warm_up(str(tmp_path / "1"), servable) == 2
    assert ran == ["serving_default", "regress"]
    predict.predict_log.request.model_spec.signature_name = "none"
    for record in b"\xff", predict.SerializeToString(), b"":
        shutil.rmtree(tmp_path / "1" / "assets.extra")
        written(tmp_path / "1", record)
        with pytest.raises(errors.InvalidArgumentError):
            warm_up(str(tmp_path / "1"), servable)
    servable.close()


@pytest.mark.interop
def test_the_client_of_tensorflow_serving(tf221_python):
    there = [tf221_python, "-c", "import tensorflow_serving.apis"]
    if subprocess.run(there, capture_output=True, timeout=60).returncode:
        pytest.skip("that Python has no tensorflow-serving-api")
    with served(of_folder(str(DATA / "tf112"), "m"), poll=0) as server:
        command = [tf221_python, "-c", CLIENT, str(server.grpc_port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.split("\n")[-2:] == ["[[5.0]] 1 True 30", ""], done.stderr
