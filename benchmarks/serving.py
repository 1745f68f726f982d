"""`python -m benchmarks.serving`: what a server gives, beside a plain program.

10,000 requests over kept connections come to `twinflow serve` while versions are
swapped under them, with a SIGTERM at the end; then to a Starlette program that calls
the same function of the same SavedModel without anything around it. A request that was
sent and not answered is lost; one that nobody took a connection for is not.
"""

import http.client
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import twinflow as tf

REQUESTS, CLIENTS, SWAPS, ROWS, SIZE = 10_000, 8, 10, 8, 64
_BODY = json.dumps({"instances": np.ones((ROWS, SIZE)).tolist()}).encode()
_PLAIN = """
import json, sys
import numpy as np, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
import twinflow as tf

sess = tf.Session()
meta = tf.saved_model.loader.load(sess, ["serve"], sys.argv[1])
signature = meta.signature_def["serving_default"]
x, y = signature.inputs["x"].name, signature.outputs["y"].name

def predict(request_body):
    rows = np.array(json.loads(request_body)["instances"], np.float32)
    return sess.run(y, {x: rows}).tolist()

async def answer(request):
    return JSONResponse({"predictions": predict(await request.body())})

app = Starlette(routes=[Route("/v1/models/m:predict", answer, methods=["POST"])])
uvicorn.run(app, port=int(sys.argv[2]), log_level="warning")
"""


def save(folder, seed):
    """A network of two layers."""
    rng = np.random.RandomState(seed)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, SIZE], name="x")
        w = [tf.Variable(rng.randn(SIZE, SIZE).astype(np.float32)) for _ in range(2)]
        y = tf.matmul(tf.nn.relu(tf.matmul(x, w[0])), w[1])
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, str(folder), {"x": x}, {"y": y})


class Load:
    """Clients that send until so many requests are answered, or nobody listens."""

    def __init__(self, port, count):
        self.port, self.count = port, count
        self.seconds, self.lost, self.wrong = [], 0, 0
        self.threads = [threading.Thread(target=self._send) for _ in range(CLIENTS)]
        self.start = time.perf_counter()
        for thread in self.threads:
            thread.start()

    def _send(self):
        while len(self.seconds) < self.count:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                connection.connect()
            except OSError:
                return
            try:
                while len(self.seconds) < self.count:
                    start = time.perf_counter()
                    connection.request("POST", "/v1/models/m:predict", _BODY)
                    answer = connection.getresponse()
                    answer.read()
                    self.wrong += answer.status != 200
                    self.seconds.append(time.perf_counter() - start)
                    if answer.will_close:
                        break
            except (OSError, http.client.HTTPException):
                self.lost += 1
            finally:
                connection.close()

    def finish(self, title):
        """Wait for the clients, and print what they saw."""
        for thread in self.threads:
            thread.join()
        took = time.perf_counter() - self.start
        p50, p99 = np.percentile(self.seconds, [50, 99]) * 1000
        n = len(self.seconds)
        print(
            f"{title:16} {n:6} answered, {self.lost} lost, {self.wrong} wrong; "
            f"{n / took:6.0f}/s, p50 {p50:5.2f} ms, p99 {p99:5.2f} ms"
        )


def _started(command, port):
    process = subprocess.Popen([sys.executable, *command])
    while process.poll() is None:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/v1/models/m:predict", _BODY)
            if connection.getresponse().status == 200:
                connection.close()
                return process
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{command[:3]} ended with {process.returncode}")


def served(folder, made, port, count, title, *options, swaps=SWAPS):
    """`twinflow serve` under swaps, with a SIGTERM while requests still come."""
    process = _started(
        ["-m", "twinflow", "serve", str(folder), "--name", "m", "--poll", "0.1",
         "--rest-port", str(port), "--grpc-port", "-1", *options], port,
    )  # fmt: skip
    load = Load(port, count + 10**6 if swaps else count)
    for number in range(2, swaps + 2):
        while len(load.seconds) < (number - 1) * count // (swaps + 1):
            time.sleep(0.01)
        shutil.copytree(made[number % 2], folder / "new")
        (folder / "new").rename(folder / str(number))
    while len(load.seconds) < count:
        time.sleep(0.005)
    process.send_signal(signal.SIGTERM)
    load.finish(title)
    print(f"{'':16} exit status {process.wait(60)}")


def plain(folder, port, count):
    """The same function behind a plain program."""
    process = _started(["-c", _PLAIN, str(folder / "1"), str(port)], port)
    Load(port, count).finish("plain Starlette")
    process.terminate()
    process.wait(60)


def main():
    """Print a line for each server."""
    with tempfile.TemporaryDirectory() as top:
        made = [Path(top) / "a", Path(top) / "b"]
        for seed, folder in enumerate(made):
            save(folder, seed)
        for i, (title, options, swaps) in enumerate(
            (
                ("serve, swaps", (), SWAPS),
                ("serve", (), 0),
                ("serve, batches", ("--batch", "64", "--batch-wait", "1"), 0),
            )
        ):
            models = Path(top) / f"m{i}"
            shutil.copytree(made[0], models / "1")
            served(models, made, 18611 + i, REQUESTS, title, *options, swaps=swaps)
        plain(Path(top) / "m0", 18620, REQUESTS)


if __name__ == "__main__":
    main()
