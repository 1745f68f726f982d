"""Versions that come and go, under requests; and the end of a server."""

import collections
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import grpc
import numpy as np
import pytest

import twinflow as tf
from tests.serving.conftest import halves, save_half, served
from twinflow.base import errors
from twinflow.formats.serving_protos import serving
from twinflow.serving.configs import of_file, of_folder
from twinflow.serving.folders import versions_in, wanted
from twinflow.serving.loading import load

PREDICT = "/tensorflow.serving.PredictionService/Predict"
ANSWERS = [halves([1], times) for times in (2.0, 3.0)]


def ask(connection, body=b'{"instances": [1]}', path="/v1/models/half:predict"):
    connection.request("POST", path, body)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read()), answer.will_close


class Clients:
    """Threads that ask until they are told to stop, or nobody listens any more.

    A server may close a connection over which nothing came for half a second. A thread
    that was held up so long before it asked cannot tell that from a lost request.
    With `each` they connect for each request.
    """

    def __init__(self, port, count=4, each=False):
        self.port, self.over, self.each = port, threading.Event(), each
        self.answers, self.lost = collections.Counter(), []
        self.threads = [threading.Thread(target=self._ask) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def _ask(self):
        while not self.over.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            try:
                connection.connect()
            except OSError:
                return  # refused at connect: not lost
            asked = answered = time.monotonic()
            try:
                closes = False
                while not (closes or self.over.is_set()):
                    asked = time.monotonic()
                    status, found, closes = ask(connection)
                    answered = time.monotonic()
                    self.answers[status, str(found.get("predictions"))] += 1
                    closes = closes or self.each
            except (OSError, http.client.HTTPException) as error:
                if asked - answered < 0.25:
                    self.lost.append(repr(error))
            finally:
                connection.close()

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition() and time.monotonic() < end:
            time.sleep(0.01)
        assert condition()

    def join(self):
        for thread in self.threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self.threads)

    def check(self, answers=ANSWERS):
        assert self.lost == []
        assert set(self.answers) == {(200, str(answer)) for answer in answers}


def put(made, folder, number):
    """Let a version appear at once, as a rename does."""
    shutil.copytree(made, folder / f"tmp{number}")
    os.rename(folder / f"tmp{number}", folder / str(number))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folders of two SavedModels."""
    top = tmp_path_factory.mktemp("made")
    for i, times in enumerate((2.0, 3.0)):
        save_half(top / str(i), times)
    return [top / "0", top / "1"]


@pytest.mark.parametrize("batch", [0, 8])
def test_no_request_is_lost_under_reloads(made, tmp_path, batch):
    put(made[0], tmp_path, 1)
    config = of_folder(str(tmp_path), "half")
    with served(config, poll=0.02, batch=batch, batch_wait=1.0) as server:
        model = server.service.manager.model("half")
        clients = Clients(server.rest_port)
        try:
            for number in range(2, 8):
                before = sum(clients.answers.values())
                clients.wait_for(
                    lambda b=before: sum(clients.answers.values()) > b + 80
                )
                put(made[number % 2 == 0], tmp_path, number)
                clients.wait_for(lambda n=number: [
                    v.number for v in model.available()] == [n])  # fmt: skip
        finally:
            clients.over.set()
            clients.join()
    clients.check()
    assert sum(clients.answers.values()) > 480
    assert {v.state for v in model.versions.values()} == {50}  # all are closed


def test_a_version_that_cannot_be_loaded(made, tmp_path):
    put(made[0], tmp_path, 1)
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "saved_model.pb").write_bytes(b"\xff\xff")
    with served(of_folder(str(tmp_path), "half"), poll=0) as server:
        manager = server.service.manager
        model = manager.model("half")
        assert model.available() == []  # only the newest is wanted
        assert "saved_model.pb" in str(model.versions[2].error)
        shutil.copytree(made[1], tmp_path / "2", dirs_exist_ok=True)
        manager.refresh()
        assert [v.number for v in model.available()] == [2]
        shutil.rmtree(tmp_path / "2")
        shutil.rmtree(tmp_path / "1")
        manager.refresh()
        assert [v.number for v in model.available()] == [2]  # what was loaded goes on


def test_an_old_version_ends_with_its_last_request(made, tmp_path):
    put(made[0], tmp_path, 1)
    with served(of_folder(str(tmp_path), "half"), poll=0) as server:
        manager = server.service.manager
        held = manager.held("half")
        put(made[1], tmp_path, 2)
        manager.refresh()
        assert (held.state, held.number) == (40, 1)
        assert held.servable.signatures
        held.release()
        assert held.state == 50
        with pytest.raises(errors.UnavailableError):
            held.servable


def test_policies(tmp_path):
    for name in ("1", "02", "7", "x", "-3", "tmp8", "9" * 30):
        (tmp_path / name).mkdir()
    found = versions_in(str(tmp_path))
    assert sorted(found) == [1, 2, 7]
    policy = serving["FileSystemStoragePathSourceConfig.ServableVersionPolicy"]
    assert wanted(found, policy()) == [7]
    assert wanted(found, policy(latest={"num_versions": 2})) == [7, 2]
    assert wanted(found, policy(all={})) == [7, 2, 1]
    assert wanted(found, policy(specific={"versions": [1, 4]})) == [1]


def test_files_of_models(tmp_path):
    one = {"name": "a", "base_path": "m", "version_labels": {"old": 1}}
    text = 'model_config_list { config { name: "a" base_path: "m" version_labels { ' \
        'key: "old" value: 1 } } }'  # fmt: skip
    for content in json.dumps({"model_config_list": {"config": [one]}}), text:
        (tmp_path / "c").write_text(content)
        (config,) = of_file(str(tmp_path / "c")).model_config_list.config
        assert config.base_path == str(tmp_path / "m")
        assert dict(config.version_labels) == {"old": 1}
    for content in (
        "{",
        "model {",
        '{"model_config_list": {"config": [{"name": "a/b"}]}}',
    ):
        (tmp_path / "c").write_text(content)
        with pytest.raises(
            ValueError, match=r"no ModelServerConfig|The name of a model"
        ):
            of_file(str(tmp_path / "c"))


def test_python_in_a_graph_is_refused(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None])
        y = tf.py_func(lambda a: a, [x], tf.float32)
        tf.saved_model.simple_save(sess, str(tmp_path / "1"), {"x": x}, {"y": y})
    with pytest.raises(errors.FailedPreconditionError, match="calls a Python function"):
        load(str(tmp_path / "1"))


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_the_end_of_a_process_under_requests(made, tmp_path, end):
    put(made[0], tmp_path, 1)
    with subprocess.Popen(
        [sys.executable, "-m", "twinflow", "serve", str(tmp_path), "--name", "half",
         "--rest-port", "0", "--grpc-port", "0", "--poll", "0.05"],
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        killer = threading.Timer(90, process.kill)
        killer.start()
        try:
            said = []
            for line in process.stderr:
                said.append(line)
                if "gRPC at" in line:
                    break
            port = next(
                int(x.split()[2].split(":")[-1]) for x in said if "REST at" in x
            )
            clients = Clients(port)
            clients.wait_for(lambda: sum(clients.answers.values()) > 50)
            put(made[1], tmp_path, 2)
            clients.wait_for(lambda: (200, str(ANSWERS[1])) in clients.answers)
            process.send_signal(end)
            clients.join()
            assert process.wait(60) == 0
        finally:
            killer.cancel()
            process.kill()
    clients.check()


def test_the_end_of_a_server_loses_nobody_who_connects(made, tmp_path):
    put(made[0], tmp_path, 1)
    for _ in range(5):
        with served(of_folder(str(tmp_path), "half"), poll=0) as server:
            clients = Clients(server.rest_port, count=8, each=True)
            clients.wait_for(lambda c=clients: sum(c.answers.values()) > 50)
        clients.join()
        clients.check(ANSWERS[:1])


def test_command_lines_that_cannot_be_used(tmp_path):
    command = [sys.executable, "-m", "twinflow", "serve"]
    for options, code, text in (
        ([str(tmp_path / "none")], 2, "there is no folder"),
        ([], 2, "give a MODEL_DIR, or --config FILE"),
        ([str(tmp_path), "--rest-port", "70000"], 2, "Invalid value for '--rest-port'"),
    ):
        done = subprocess.run(
            [*command, *options], capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, text in done.stderr) == (code, True), done.stderr


def test_no_grpc_call_is_lost_under_reloads_and_at_the_end(made, tmp_path):
    put(made[0], tmp_path, 1)
    config, lost, answers = of_folder(str(tmp_path), "half"), [], []
    request = serving["PredictRequest"]()
    request.model_spec.name = "half"
    request.inputs["x"].CopyFrom(tf.make_tensor_proto(np.float32([1])))

    def ask_on(port):
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            predict = channel.unary_unary(PREDICT)
            while True:
                try:
                    found = predict(request.SerializeToString(), timeout=30)
                except grpc.RpcError as error:
                    if "refused" not in error.details():  # nobody took it
                        lost.append(error)
                    return
                found = serving["PredictResponse"].FromString(found)
                answers.append(tf.make_ndarray(found.outputs["y"]).tolist())

    with served(config, poll=0.02) as server:
        model = server.service.manager.model("half")
        threads = [
            threading.Thread(target=ask_on, args=(server.grpc_port,)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for number in range(2, 6):
            put(made[number % 2 == 0], tmp_path, number)
            end, wanted = time.monotonic() + 60, len(answers) + 15
            while [v.number for v in model.available()] != [number] or len(
                answers
            ) < wanted:
                assert time.monotonic() < end
                time.sleep(0.01)
    for thread in threads:
        thread.join(60)
    assert lost == []
    assert len(answers) > 50
    assert {str(answer) for answer in answers} == {str(answer) for answer in ANSWERS}
