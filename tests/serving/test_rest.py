"""The REST interface: what TensorFlow Serving's documentation says of it."""

import http.client
import json
import math

import pytest

from tests.serving.conftest import halves


@pytest.fixture
def ask(server):
    """Send a request; (status, the object that came back)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=30)

    def send(path, body=None, method=None, headers=None):
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        how = method or ("GET" if body is None else "POST")
        connection.request(how, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    yield send
    connection.close()


M = "/v1/models/half"


@pytest.mark.parametrize("where", ["", "/versions/1"])
def test_rows_and_columns(ask, where):
    path, expected = f"{M}{where}:predict", halves([1, 2.5])
    assert ask(path, {"instances": [1, 2.5]}) == (200, {"predictions": expected})
    named = {"instances": [{"x": 1}, {"x": 2.5}]}
    assert ask(path, named) == (200, {"predictions": expected})
    assert ask(path, {"inputs": [1, 2.5]}) == (200, {"outputs": expected})
    assert ask(path, {"inputs": {"x": [1, 2.5]}}) == (200, {"outputs": expected})


def test_several_inputs_and_outputs(ask):
    rows = [{"x": 1.5, "n": [2, 3]}, {"x": 0, "n": [4, 5]}]
    status, found = ask(f"{M}:predict", {"signature_name": "two", "instances": rows})
    assert status == 200
    assert found["predictions"] == [{"n": [2, 3], "sum": 3.5}, {"n": [4, 5], "sum": 4}]
    columns = {"x": [1.5], "n": [[2, 3]]}
    _, found = ask(f"{M}:predict", {"signature_name": "two", "inputs": columns})
    assert found == {"outputs": {"n": [[2, 3]], "sum": [3.5]}}


def test_strings(ask):
    body = {"signature_name": "strings", "instances": ["é", {"b64": "/wA="}]}
    _, found = ask(f"{M}:predict", body)
    assert found["predictions"] == [
        {"text": "é", "raw_bytes": {"b64": "w6k="}},
        {"text": {"b64": "/wA="}, "raw_bytes": {"b64": "/wA="}},
    ]


def test_numbers_that_json_has_not(ask):
    _, found = ask(f"{M}:predict", b'{"instances": [NaN, Infinity, -Infinity, 0.1]}')
    nan, up, down, small = found["predictions"]
    assert math.isnan(nan)
    assert (up, down) == (math.inf, -math.inf)
    assert small == 0.7  # the shortest text of the float32


def test_classify_and_regress(ask):
    examples = [{"a": 0.25}, {"a": [1.0]}]
    body = {"signature_name": "classify", "examples": examples}
    expected = [[["no", 0.75], ["yes", 0.25]], [["no", 0.0], ["yes", 1.0]]]
    assert ask(f"{M}:classify", body) == (200, {"results": expected})
    body = {
        "signature_name": "regress",
        "context": {"a": 3.5},
        "examples": [{}, *examples],
    }
    assert ask(f"{M}:regress", body) == (200, {"results": [3.5, 0.25, 1.0]})


def test_status_and_metadata(ask):
    status, found = ask(M)
    assert status == 200
    assert found["model_version_status"] == [
        {"version": "1", "state": "AVAILABLE",
         "status": {"error_code": "OK", "error_message": ""}}
    ]  # fmt: skip
    status, found = ask(f"{M}/versions/1/metadata")
    assert found["model_spec"] == {"name": "half", "signature_name": "", "version": "1"}
    signatures = found["metadata"]["signature_def"]["signature_def"]
    assert signatures["serving_default"]["inputs"]["x"]["dtype"] == "DT_FLOAT"


DEEP = b'{"instances": ' + b"[" * 40_000
BAD = [
    ("/v1/models/half:guess", {}, 400, "Malformed request"),
    ("/v2", None, 400, "Malformed request"),
    ("/v1/models/none:predict", {"instances": [1]}, 404, "Latest(none)"),
    ("/v1/models/none", None, 404, "Could not find any versions of model none"),
    (f"{M}/versions/9:predict", {"instances": [1]}, 404, "Specific(half, 9)"),
    (f"{M}/labels/new:predict", {"instances": [1]}, 400, "Unrecognized servable"),
    (f"{M}:predict", b"", 400, "JSON Parse error"),
    (f"{M}:predict", b"{", 400, "JSON Parse error"),
    (f"{M}:predict", b"\xff\xfe", 400, "JSON Parse error"),
    (f"{M}:predict", b"[1]", 400, "JSON Parse error"),
    (f"{M}:predict", DEEP, 400, "JSON Parse error"),
    (f"{M}:predict", b'{"instances": [' + b"9" * 5000 + b"]}", 400, "JSON Parse"),
    (f"{M}:predict", {}, 400, "Missing 'inputs' or 'instances'"),
    (f"{M}:predict", {"instances": [1], "inputs": [1]}, 400, "one of them"),
    (f"{M}:predict", {"instances": []}, 400, "at least one"),
    (f"{M}:predict", {"instances": ["a"]}, 400, "Type: String is not of expected"),
    (f"{M}:predict", {"instances": [True]}, 400, "Type: Boolean is not"),
    (f"{M}:predict", {"instances": [None]}, 400, "Type: Null is not"),
    (f"{M}:predict", {"instances": [1e39]}, 400, "outside of float32"),
    (f"{M}:predict", {"instances": [10**400]}, 400, "outside of"),
    (f"{M}:predict", {"instances": [[1], [1, 2]]}, 400, "not equally long"),
    (f"{M}:predict", {"instances": [[1]]}, 400, "has the shape"),
    (f"{M}:predict", {"instances": [{"z": 1}]}, 400, "element: 0"),
    (f"{M}:predict", {"inputs": {"z": [1]}}, 400, "no input 'z'"),
    (f"{M}:predict", {"inputs": {}}, 400, "Missing but required: {x}"),
    (f"{M}:predict", {"signature_name": "z", "inputs": [1]}, 400, "not found in"),
    (f"{M}:predict", {"signature_name": 3, "inputs": [1]}, 400, "string value"),
    (f"{M}:predict", {"signature_name": "two", "inputs": [1]}, 400, "multiple input"),
    (f"{M}:predict", {"signature_name": "two", "inputs": {"x": [1], "n": [[1.5, 2]]}},
     400, "expected type: int32"),
    (f"{M}:predict", {"signature_name": "two", "inputs": {"x": [1], "n": [[2**31, 2]]}},
     400, "outside of int32"),
    (f"{M}:predict", {"signature_name": "strings", "inputs": [{"b64": "%"}]}, 400,
     "cannot be read"),
    (f"{M}:predict", b'{"signature_name": "strings", "inputs": ["\\ud800"]}', 400,
     "cannot be read"),
    (f"{M}:predict", {"signature_name": "total", "instances": [1]}, 400, "has no rows"),
    (f"{M}:predict", {"inputs": [1] * 60_000}, 413, "100000 bytes"),
    (f"{M}:classify", {"examples": [{"a": 1.0}]}, 400, "classification signature"),
    (f"{M}:regress", {"signature_name": "regress", "examples": []}, 400, "at least"),
    (f"{M}:regress", {"signature_name": "regress", "examples": [{"a": [1, "b"]}]}, 400,
     "of one kind"),
    (f"{M}:regress", {"signature_name": "regress", "examples": [{"a": "b"}]}, 400, "a"),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(BAD)))
def test_what_is_refused(ask, row):
    path, body, status, text = BAD[row]
    code, found = ask(path, body)
    assert (code, list(found)) == (status, ["error"])
    assert text in found["error"]
    assert ask(f"{M}:predict", {"instances": [1]})[0] == 200


def test_other_methods_and_codings(ask):
    assert ask(f"{M}:predict")[0] == 400
    assert ask(M, {}, "POST")[0] == 400
    gzip = {"content-encoding": "gzip"}
    assert ask(f"{M}:predict", {"instances": [1]}, headers=gzip)[0] == 501


def test_a_body_in_pieces_that_is_too_large(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=30)
    pieces = (b" " * 20_000 for _ in range(6))
    connection.request("POST", f"{M}:predict", pieces, encode_chunked=True,
                       headers={"transfer-encoding": "chunked"})  # fmt: skip
    assert connection.getresponse().status == 413
    connection.close()


def test_counters(ask, server):
    ask(f"{M}:predict", {"instances": [1]})
    ask("/v1/models/unknown:predict", {"instances": [1]})
    text = server.service.metrics.text().decode()
    labels = 'code="OK",interface="rest",method="predict",model="half",version="1"'
    assert f"twinflow_serving_requests_total{{{labels}}}" in text
    assert 'loads_total{model="half",status="ok",version="1"} 1.0' in text
    assert "unknown" not in text  # clients make no labels
