"""The gRPC interface, asked by generic stubs with TensorFlow Serving's messages."""

import grpc
import numpy as np
import pytest

import twinflow as tf
from tests.serving.conftest import CLASSIFY, REGRESS, halves, save_half, served
from twinflow.formats.serving_protos import health, serving
from twinflow.serving.configs import of_folder

P, M = "tensorflow.serving.PredictionService", "tensorflow.serving.ModelService"
KINDS = {"Classify": "Classification", "Regress": "Regression",
         "HandleReloadConfigRequest": "ReloadConfig"}  # fmt: skip


def caller(port):
    """(a channel, a function that calls a method of it)."""
    channel = grpc.insecure_channel(f"127.0.0.1:{port}")

    def call(method, request, service=P, timeout=30):
        kind = KINDS.get(method, method)
        return channel.unary_unary(
            f"/{service}/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=serving[f"{kind}Response"].FromString,
        )(request, timeout=timeout)

    return channel, call


@pytest.fixture
def call(server):
    channel, found = caller(server.grpc_port)
    with channel:
        yield found


def predicting(signature="", name="half", **inputs):
    request = serving["PredictRequest"]()
    request.model_spec.name, request.model_spec.signature_name = name, signature
    for key, value in inputs.items():
        request.inputs[key].CopyFrom(tf.make_tensor_proto(value))
    return request


def refused(call, code, text, request, method="Predict", service=P):
    with pytest.raises(grpc.RpcError) as caught:
        call(method, request, service)
    assert caught.value.code() == code
    assert text in caught.value.details()


def test_predict(call):
    response = call("Predict", predicting(x=np.float32([1, 2.5])))
    assert tf.make_ndarray(response.outputs["y"]).tolist() == halves([1, 2.5])
    spec = response.model_spec
    assert (spec.name, spec.version.value) == ("half", 1)
    assert spec.signature_name == "serving_default"


def test_some_outputs_and_strings(call):
    request = predicting("strings", s=[b"\xff", b"b"])
    request.output_filter.append("text")
    response = call("Predict", request)
    assert list(response.outputs) == ["text"]
    assert tf.make_ndarray(response.outputs["text"]).tolist() == [b"\xff", b"b"]
    total = call("Predict", predicting("total", x=np.float32([1, 2])))
    assert tf.make_ndarray(total.outputs["total"]) == 3


def examples(kind, signature, *values):
    request = serving[kind]()
    request.model_spec.name, request.model_spec.signature_name = "half", signature
    for value in values:
        one = request.input.example_list.examples.add()
        one.features.feature["a"].float_list.value.append(value)
    return request


def test_classify_and_regress(call):
    response = call("Classify", examples("ClassificationRequest", "classify", 0.25))
    (row,) = response.result.classifications
    assert [(c.label, c.score) for c in row.classes] == [("no", 0.75), ("yes", 0.25)]
    response = call("Regress", examples("RegressionRequest", "regress", 2.0, 3.0))
    assert [r.value for r in response.result.regressions] == [2, 3]


def test_multi_inference(call):
    request = serving["MultiInferenceRequest"]()
    for name, method in ("classify", CLASSIFY), ("regress", REGRESS):
        task = request.tasks.add(method_name=method)
        task.model_spec.name, task.model_spec.signature_name = "half", name
    given = request.input.example_list_with_context
    given.context.features.feature["a"].float_list.value.append(0.5)
    given.examples.add()
    first, second = call("MultiInference", request).results
    assert first.classification_result.classifications[0].classes[1].score == 0.5
    assert second.regression_result.regressions[0].value == 0.5
    del request.tasks[:]
    code = grpc.StatusCode.INVALID_ARGUMENT
    refused(call, code, "at least one task", request, "MultiInference")


def test_metadata_and_status(call):
    request = serving["GetModelMetadataRequest"](metadata_field=["signature_def"])
    request.model_spec.name = "half"
    packed = call("GetModelMetadata", request).metadata["signature_def"]
    assert packed.type_url.endswith("/tensorflow.serving.SignatureDefMap")
    found = serving["SignatureDefMap"].FromString(packed.value)
    assert found.signature_def["regress"].method_name == REGRESS
    request = serving["GetModelStatusRequest"]()
    request.model_spec.name = "half"
    (one,) = call("GetModelStatus", request, M).model_version_status
    assert (one.version, one.state) == (1, 30)


@pytest.mark.parametrize(
    "make, code, text",
    [
        (lambda: predicting(name="no", x=[1.0]), "NOT_FOUND", "Latest(no)"),
        (lambda: predicting(name=""), "INVALID_ARGUMENT", "Missing ModelSpec"),
        (lambda: predicting("z", x=[1.0]), "FAILED_PRECONDITION", '"z" not found'),
        (lambda: predicting(), "INVALID_ARGUMENT", "Missing but required: {x}"),
        (lambda: predicting(x=[1]), "INVALID_ARGUMENT", "dtype float32"),
        (lambda: predicting(x=[[1.0]]), "INVALID_ARGUMENT", "has the shape"),
        (lambda: predicting("checked", m=[[np.nan]]), "INVALID_ARGUMENT", "Tensor had"),
    ],
)
def test_what_is_refused(call, make, code, text):
    refused(call, grpc.StatusCode[code], text, make())


def test_hostile_shapes(call):
    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    request = predicting(x=np.float32([1]))
    request.inputs["x"].tensor_shape.dim[0].size = 2**40
    refused(call, code, "more than 100000 bytes", request)
    request.inputs["x"].tensor_shape.dim[0].size = -(2**40)
    refused(call, grpc.StatusCode.INVALID_ARGUMENT, "cannot be read", request)
    refused(call, code, "larger than max", predicting(x=np.zeros(10**6, np.float32)))


def test_health(server):
    with grpc.insecure_channel(f"127.0.0.1:{server.grpc_port}") as channel:
        ask = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health["HealthCheckRequest"].SerializeToString,
            response_deserializer=health["HealthCheckResponse"].FromString,
        )
        for name in "", "half", P:
            assert ask(health["HealthCheckRequest"](service=name)).status == 1
        with pytest.raises(grpc.RpcError, match="NOT_FOUND"):
            ask(health["HealthCheckRequest"](service="other"))


def test_other_models_by_request(tmp_path):
    for name, times in ("a", 2.0), ("b", 3.0):
        save_half(tmp_path / name / "1", times)
    with served(of_folder(str(tmp_path / "a"), "a"), poll=0) as server:
        channel, call = caller(server.grpc_port)
        request = serving["ReloadConfigRequest"]()
        configs = request.config.model_config_list.config
        configs.add(name="b", base_path=str(tmp_path / "b"), version_labels={"new": 1})
        with channel:
            call("HandleReloadConfigRequest", request, M)
            asked = predicting(name="b", x=np.float32([1]))
            asked.model_spec.version_label = "new"
            y = call("Predict", asked).outputs["y"]
            assert tf.make_ndarray(y).tolist() == halves([1], 3.0)
            gone = predicting(name="a", x=np.float32([1]))
            refused(call, grpc.StatusCode.NOT_FOUND, "Latest(a)", gone)


def test_requests_for_other_models_may_be_refused(half):
    with served(of_folder(str(half), "half"), reload=False) as server:
        channel, call = caller(server.grpc_port)
        with channel:
            code, request = (
                grpc.StatusCode.PERMISSION_DENIED,
                serving["ReloadConfigRequest"](),
            )
            refused(
                call, code, "--reload-config", request, "HandleReloadConfigRequest", M
            )
