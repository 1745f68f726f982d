"""`python -m benchmarks.serving`: `twinflow serve` beside plain programs.

The plain programs (benchmarks.serving_plain) call the same function of the same
SavedModel. All servers run at the same time and are asked in turn, so that whatever
else the machine does hits them alike; the best of some rounds counts. Then 10,000
requests come to a server whose versions are swapped meanwhile, with a SIGTERM at the
end. A request that was sent and not answered is lost; one that nobody took a
connection for is not.
"""

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import twinflow as tf
from benchmarks.serving_load import CLIENTS, rows

REQUESTS, SWAPS, SIZE = 10_000, 10, 64
ROUNDS, ASKED = 5, 600  # rounds, and requests to each server in one
CONCURRENCY, ROWS = (1, 8, 64), (1, 8)
PLAIN = {"rest": ("fastapi", "starlette", "orjson"), "grpc": ("grpcio", "grpc.aio")}


def save(folder, seed):
    """A network of two layers."""
    rng = np.random.RandomState(seed)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, SIZE], name="x")
        w = [tf.Variable(rng.randn(SIZE, SIZE).astype(np.float32)) for _ in range(2)]
        y = tf.matmul(tf.nn.relu(tf.matmul(x, w[0])), w[1])
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, str(folder), {"x": x}, {"y": y})


class Process:
    """A server in a process of its own, at a free port."""

    def __init__(self, name, interface, folder, *options):
        self.name, self.interface = name, interface
        with socket.socket() as sock:
            sock.bind(("127.0.0.1", 0))
            self.port = port = sock.getsockname()[1]
        ports = {"rest": "-1", "grpc": "-1", interface: str(port)}
        command = ["benchmarks.serving_plain", name, str(folder / "1"), str(port)]
        if name.startswith("serve"):
            command = [
                "twinflow", "serve", str(folder), "--name", "m", "--poll", "0.1",
                "--rest-port", ports["rest"], "--grpc-port", ports["grpc"], *options,
            ]  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command], stderr=subprocess.DEVNULL
        )
        self._wait()

    def _wait(self):
        end = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"{self.name} does not listen: {self.process.returncode}")

    def cpu(self):
        """Seconds of processor time so far."""
        clock = ~self.process.pid << 3 | 2  # as clock_getcpuclockid of Linux gives it
        return time.clock_gettime(clock)

    def end(self):
        """The exit status after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def measured(servers, interface, count, clients):
    """The best of rounds of each server by name: rate, p50, p99, CPU milliseconds."""
    found = {server.name: [] for server in servers}
    for _ in range(ROUNDS):
        for server in servers:
            before = server.cpu()
            load = CLIENTS[interface](server.port, rows(count, SIZE)).run(
                ASKED, clients
            )
            if load.lost or load.wrong:
                raise RuntimeError(
                    f"{server.name}: {load.lost} lost, {load.wrong} wrong"
                )
            cpu = (server.cpu() - before) / ASKED * 1000
            found[server.name].append(
                (-load.rate(), load.milliseconds(50), load.milliseconds(99), cpu)
            )
    return {name: tuple(map(min, zip(*f, strict=True))) for name, f in found.items()}


def compare(interface, folder):
    """Print a table of an interface; whether `serve` holds."""
    names = ("serve", "serve, batches", *PLAIN[interface])
    options = {"serve, batches": ("--batch", "64", "--batch-wait", "1")}
    servers = [Process(n, interface, folder, *options.get(n, ())) for n in names]
    fine = True
    try:
        for server in servers:  # what starts slowly, such as a compilation
            CLIENTS[interface](server.port, rows(1, SIZE)).run(300, 4)
        for count in ROWS:
            for clients in CONCURRENCY:
                found = measured(servers, interface, count, clients)
                fine &= _print(interface, count, clients, found)
    finally:
        for server in servers:
            server.end()
    return fine


def _print(interface, count, clients, found):
    # the first plain program is the one of the tutorials
    ours, plain = found["serve"], found[PLAIN[interface][0]]
    holds = all(
        a <= b for i, (a, b) in enumerate(zip(ours, plain, strict=True)) if i != 1
    )
    print(f"{interface}, {count} x {SIZE} floats, {clients} at a time: "
          f"{'holds' if holds else 'falls short'}")  # fmt: skip
    for name, (rate, p50, p99, cpu) in found.items():
        print(f"  {name:15} {-rate:6.0f}/s  p50 {p50:6.2f}  p99 {p99:6.2f} ms  "
              f"CPU {cpu:5.3f} ms")  # fmt: skip
    return holds


def swapped(interface, made, folder):
    """Requests under swaps of versions and a SIGTERM; whether none was lost."""
    server = Process("serve", interface, folder)
    numbers = iter(range(2, SWAPS + 2))

    def tick(done):
        if done % (REQUESTS // (SWAPS + 1)) == 0 and done < REQUESTS:
            number = next(numbers, None)
            if number is not None:
                shutil.copytree(made[number % 2], folder / "new")
                (folder / "new").rename(folder / str(number))
        if done == REQUESTS:
            server.process.send_signal(signal.SIGTERM)

    array = rows(8, SIZE)
    load = CLIENTS[interface](server.port, array).run(10 * REQUESTS, 8, tick)
    print(
        f"{interface}, swaps, SIGTERM after {REQUESTS}: {len(load.seconds)} answered, "
        f"{load.lost} lost, {load.wrong} wrong; exit status {server.process.wait(60)}"
    )
    return not load.lost and not load.wrong


def main():
    """Print tables; 0 if all holds."""
    fine = True
    with tempfile.TemporaryDirectory() as top:
        made = [Path(top) / "a", Path(top) / "b"]
        for seed, folder in enumerate(made):
            save(folder, seed)
        for interface in ("rest", "grpc"):
            models = Path(top) / interface
            shutil.copytree(made[0], models / "1")
            fine &= compare(interface, models)
            fine &= swapped(interface, made, models)
    print("holds" if fine else "falls short")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
