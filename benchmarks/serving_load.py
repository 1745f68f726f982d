"""Clients that cost little beside the servers they ask, over kept connections."""

import asyncio
import json
import selectors
import socket
import time
from dataclasses import dataclass, field

import grpc
import numpy as np

import twinflow as tf
from twinflow.formats.serving_protos import serving

PREDICT = "/tensorflow.serving.PredictionService/Predict"
_GONE = ("refused", "failed to connect", "Socket closed before settings")


@dataclass
class Load:
    """What clients saw.

    Args:
        seconds: of each answer. wall: of all. lost: sent and not answered. wrong:
            answered with an error.
    """

    seconds: list = field(default_factory=list)
    wall: float = 0.0
    lost: int = 0
    wrong: int = 0

    def rate(self):
        """Answers in a second."""
        return len(self.seconds) / self.wall

    def milliseconds(self, percent):
        """A percentile of the answers' times."""
        return float(np.percentile(self.seconds, percent)) * 1000


def rows(count, size):
    """Rows of float32 as a client would have them."""
    return np.random.RandomState(0).rand(count, size).astype(np.float32)


class Rest:
    """A thread with many connections, HTTP by hand."""

    def __init__(self, port, array):
        body = json.dumps({"instances": array.tolist()}).encode()
        self.port = port
        self.request = (
            b"POST /v1/models/m:predict HTTP/1.1\r\nhost: 127.0.0.1\r\n"
            b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
        ) + body

    def run(self, count, clients, tick=lambda done: None):
        """Ask `count` times, or until nobody listens.

        Args:
            tick: called with the number of answers after each.
        """
        load, chosen = Load(), selectors.DefaultSelector()
        start, left = time.perf_counter(), count
        for _ in range(clients):
            left -= self._open(chosen)
        while chosen.get_map():
            for key, _ in chosen.select(30):
                connection = key.data
                answer = connection.received()
                if answer is None:
                    continue
                if answer is not False:
                    load.seconds.append(time.perf_counter() - connection.sent)
                    load.wrong += not answer.startswith(b"HTTP/1.1 200")
                    tick(len(load.seconds))
                load.lost += answer is False
                if left > 0 and answer and b"connection: close" not in answer.lower():
                    connection.send(self.request)
                    left -= 1
                    continue
                chosen.unregister(connection.sock)
                connection.sock.close()
                left -= left > 0 and self._open(chosen)
        load.wall = time.perf_counter() - start
        return load

    def _open(self, chosen):
        """Another connection with a request on it; whether somebody listens."""
        try:
            sock = socket.create_connection(("127.0.0.1", self.port), 30)
        except OSError:
            return False
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _Connection(sock)
        connection.send(self.request)
        chosen.register(sock, selectors.EVENT_READ, connection)
        return True


class _Connection:
    def __init__(self, sock):
        self.sock, self.parts, self.sent = sock, b"", 0.0

    def send(self, request):
        self.parts, self.sent = b"", time.perf_counter()
        try:
            self.sock.sendall(request)
        except OSError:
            return  # its end is read next

    def received(self):
        """The head of an answer that is whole, None if it is not yet, False never."""
        try:
            part = self.sock.recv(1 << 20)
        except OSError:
            return False
        if not part:
            return False
        self.parts += part
        head, there, body = self.parts.partition(b"\r\n\r\n")
        if not there:
            return None
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        return head if len(body) >= length else None


class Grpc:
    """An event loop with many calls on one channel."""

    def __init__(self, port, array):
        request = serving["PredictRequest"]()
        request.model_spec.name = "m"
        request.inputs["x"].CopyFrom(tf.make_tensor_proto(array))
        self.port, self.request = port, request.SerializeToString()

    def run(self, count, clients, tick=lambda done: None):
        """As `Rest.run`."""
        return asyncio.run(self._run(count, clients, tick))

    async def _run(self, count, clients, tick):
        load, left = Load(), iter(range(count))
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.port}") as channel:
            predict = channel.unary_unary(PREDICT)
            await predict(self.request, timeout=30)
            start = time.perf_counter()

            async def client():
                for _ in left:
                    sent = time.perf_counter()
                    try:
                        await predict(self.request, timeout=30)
                    except grpc.aio.AioRpcError as error:
                        if any(text in error.details() for text in _GONE):
                            return
                        load.lost += error.code() == grpc.StatusCode.UNAVAILABLE
                        load.wrong += error.code() != grpc.StatusCode.UNAVAILABLE
                        continue
                    load.seconds.append(time.perf_counter() - sent)
                    tick(len(load.seconds))

            await asyncio.gather(*(client() for _ in range(clients)))
            load.wall = time.perf_counter() - start
        return load


CLIENTS = {"rest": Rest, "grpc": Grpc}
