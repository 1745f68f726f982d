"""What is beyond the limits is refused, and the server goes on."""

import http.client
import json
import threading
import time

import grpc
import numpy as np
import pytest

from tests.serving.conftest import halves, served
from tests.serving.test_grpc import caller, predicting
from twinflow.serving.configs import of_folder


@pytest.fixture
def gate():
    """An event for which the runs of `slowed` wait."""
    found = threading.Event()
    yield found
    found.set()


def slowed(server, gate):
    """Let the runs of the model wait."""
    (version,) = server.service.manager.model("half").available()
    run = version.servable.run

    def slow(*args):
        assert gate.wait(30)
        return run(*args)

    version.servable.run = slow


def ask(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/v1/models/half:predict", b'{"instances": [1]}')
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read()), answer.headers["retry-after"]
    connection.close()
    return found


def test_requests_that_may_not_wait(half, gate):
    config = of_folder(str(half), "half")
    with served(config, threads=1, waiting=1) as server:
        slowed(server, gate)
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(ask(server.rest_port)))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 30
        while server.service.runs.active < 2 and time.monotonic() < end:
            time.sleep(0.01)
        status, body, later = ask(server.rest_port)
        assert (status, later) == (503, "1")
        assert "2 requests are waiting" in body["error"]
        channel, call = caller(server.grpc_port)
        with channel, pytest.raises(grpc.RpcError) as caught:
            call("Predict", predicting(x=np.float32([1])))
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        gate.set()
        for thread in threads:
            thread.join(30)
        assert [a[:2] for a in answers] == [(200, {"predictions": halves([1])})] * 2


def test_requests_that_take_too_long(half, gate):
    config = of_folder(str(half), "half")
    with served(config, timeout=0.2) as server:
        slowed(server, gate)
        status, body, _ = ask(server.rest_port)
        assert (status, "within 0.2 seconds" in body["error"]) == (504, True)
        channel, call = caller(server.grpc_port)
        with channel:
            for timeout in 30, 0.05:  # the server's limit, the client's
                with pytest.raises(grpc.RpcError) as caught:
                    call("Predict", predicting(x=np.float32([1])), timeout=timeout)
                assert caught.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
            gate.set()
            call("Predict", predicting(x=np.float32([1])))
        assert ask(server.rest_port)[0] == 200


def test_waiting_calls_keep_no_other_out(half, gate):
    with served(of_folder(str(half), "half"), threads=1) as server:
        slowed(server, gate)
        channel, call = caller(server.grpc_port)
        with channel:
            threads = [
                threading.Thread(target=call, args=("Predict", predicting(
                    x=np.float32([1])))) for _ in range(30)
            ]  # fmt: skip
            for thread in threads:
                thread.start()
            end = time.monotonic() + 30
            while server.service.runs.active < 30 and time.monotonic() < end:
                time.sleep(0.01)
            with pytest.raises(grpc.RpcError, match="NOT_FOUND"):
                call("Predict", predicting(name="none", x=np.float32([1])), timeout=10)
            gate.set()
            for thread in threads:
                thread.join(30)
        assert server.service.runs.active == 0
