"""Processes that work for a pass, and where they rest; see Note [Workers]."""

import collections
import os
import pickle
import signal
import struct
import subprocess
import sys
import weakref
from multiprocessing.connection import Pipe

from twinflow.base import errors
from twinflow.data.processes.messages import Memory, packed, unpacked
from twinflow.data.processes.worker import BEGIN, CHUNK, FAILED, READY, REST, Here

SLOTS = 4  # chunks that a worker has at once
_CODE = (
    "import sys; sys.path[:] = {!r}; "
    "from twinflow.data.processes.worker import main; main{!r}"
)
_THREADS = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"


# ---------------------------------------------------------------------- one process
class Worker:
    """A process and the pipes to it.

    Args:
        setup: the first message. board: the Memory with the number of the pass.
    """

    def __init__(self, setup, board):
        inward, self.to = Pipe(duplex=False)
        self.heard, outward = Pipe(duplex=False)
        self.memories = [Memory() for _ in range(SLOTS)]
        self.process = _spawned(
            inward.fileno(), outward.fileno(), board.fd, [m.fd for m in self.memories]
        )
        inward.close()
        outward.close()
        self.free, self.sent = list(range(SLOTS)), collections.deque()
        self.setup = setup

    def say(self, message):
        """Send a message.

        Raises:
            InternalError, FailedPreconditionError: the process has ended.
        """
        try:
            if self.setup is not None:
                self.setup, setup = None, self.setup
                self.to.send_bytes(setup)
            self.to.send_bytes(message)
        except OSError:
            while True:
                self.hear()

    def hear(self):
        """The next answer: (kind, rest)."""
        try:
            while not self.heard.poll(1.0):
                if self.process.poll() is not None and not self.heard.poll():
                    raise EOFError
            message = self.heard.recv_bytes()
        except (EOFError, OSError):
            raise self._died() from None
        if message[:1] == FAILED:
            raise errors.FailedPreconditionError(
                None, None,
                f"A worker process of map(..., workers=\"process\") could not begin:\n"
                f"{pickle.loads(message[1:])}",
            )  # fmt: skip
        return message[:1], message[1:]

    def _died(self):
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            code = None
        how = f"ended with exit status {code}"
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
            how += ", perhaps because memory ran out" * (code == -signal.SIGKILL)
        return errors.InternalError(
            None, None,
            f"A worker process of map(..., workers=\"process\") {how}. Its number was "
            f"{self.process.pid}; what it printed may tell more. With "
            'workers="thread" the function runs here.',
        )  # fmt: skip

    def work(self, chunk, number):
        """Send a chunk of pass `number`; `free` must not be empty."""
        slot = self.free.pop()
        self.sent.append(slot)
        message = packed(chunk, self.memories[slot])
        self.say(CHUNK + struct.pack("<qq", slot, number) + message)

    def result(self):
        """(Chunk, {place: error as bytes}, seconds) of the oldest chunk."""
        kind, message = self.hear()
        while kind == READY:
            kind, message = self.hear()
        slot = self.sent.popleft()
        chunk, failed, seconds = unpacked(message, self.memories[slot])
        chunk = chunk.owned()
        self.free.append(slot)
        return chunk, failed, seconds

    def close(self):
        """Let go of the pipes: the process ends when it looks for more work."""
        for pipe in (self.to, self.heard):
            pipe.close()
        for memory in self.memories:
            memory.close()


def _spawned(requests, answers, board, memories):
    """A process that runs processes.worker.main, in which Ctrl-C does nothing."""
    path = [p for p in sys.path if isinstance(p, str)]
    code = _CODE.format(path, (requests, answers, board, memories))
    flags = subprocess._args_from_interpreter_flags()
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(
            [sys.executable, *flags, "-c", code], stdin=subprocess.DEVNULL,
            pass_fds=(requests, answers, board, *memories),
            env={**dict.fromkeys(_THREADS, "1"), **os.environ},
        )  # fmt: skip
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


# ---------------------------------------------------------------------- all of them
class Crew:
    """Workers with one task; they belong to one pass at a time."""

    def __init__(self, setup, count):
        self.board, self.number, self.home = Memory(), 0, os.getpid()
        self.workers = [Worker(setup, self.board) for _ in range(count)]
        self.usable = True

    def begin(self, values):
        """Start a pass, for which the captured tensors have these values."""
        fresh = self.number == 0
        self._next_number()
        for w in self.workers:
            while w.sent:
                w.result()
            w.say(BEGIN + pickle.dumps(values))
        if not fresh:  # a worker may just have ended of boredom
            for w in self.workers:
                w.hear()

    def rest(self):
        """End a pass: what has been sent is not worked on."""
        self._next_number()
        for w in self.workers:
            w.say(REST)

    def _next_number(self):
        self.number += 1
        struct.pack_into("<q", self.board.view(8), 0, self.number)

    def stop(self):
        """End the processes."""
        if not self.usable or self.home != os.getpid():  # forked: the other one's
            return
        self.usable = False
        for w in self.workers:
            w.close()
        self.board.close()
        for w in self.workers:
            _end(w.process)


def _end(process):
    for seconds, more in (0.2, process.terminate), (1.0, process.kill):
        try:
            process.wait(seconds)
            return
        except subprocess.TimeoutExpired:
            more()
    process.wait()


def _stop_all(crews):
    while crews:
        crews.pop().stop()


class Crews:
    """The crews of a task that rest; they end with the dataset that has the task."""

    def __init__(self, task):
        self.task, self.resting = task, []
        weakref.finalize(self, _stop_all, self.resting)

    def hire(self, count, values):
        """A crew of `count` workers that has begun a pass.

        Raises:
            RuntimeError: this process is a worker.
        """
        _check_place()
        while self.resting:
            crew = self.resting.pop()
            try:
                if len(crew.workers) == count:
                    crew.begin(values)
                    return crew
            except errors.OpError:
                pass  # it had ended by itself
            crew.stop()
        crew = Crew(self.task.setup(), count)
        try:
            crew.begin(values)
        except BaseException:
            crew.stop()
            raise
        return crew

    def release(self, crew):
        """Let a crew rest; a broken one ends."""
        if crew.home != os.getpid():
            return
        try:
            if crew.usable:
                crew.rest()
                self.resting.append(crew)
        except errors.OpError:
            crew.stop()


def _check_place():
    if Here.is_worker:
        raise RuntimeError(
            'A worker process of map(..., workers="process") was about to start '
            "workers itself: a module that it imports runs such a dataset. Put what "
            'that module runs under `if __name__ == "__main__":`.'
        )
    if sys.platform == "win32" or not sys.executable:
        raise RuntimeError(
            'map(..., workers="process") needs a POSIX system and a Python that can '
            'be started as `sys.executable`. Take workers="thread".'
        )


def raised(failed, nodes):
    """The exception that a worker sent; `nodes` are those of its graph, by name."""
    data, text, name = failed
    try:
        error = pickle.loads(data)
    except Exception:
        error = None
    if error is None:
        return errors.UnknownError(None, None, text)
    if not isinstance(error, errors.OpError):
        error.add_note(f"It was raised in a worker process:\n{text}")
    elif name in nodes:
        error._op = nodes[name]
    return error
