"""The process that runs a map function for another one; see data.processes.mapping.

It imports what the function needs, traces it as the other process did, and answers
requests until their pipe ends. It never starts such processes itself.
"""

import os
import pickle
import signal
import struct
import sys
import traceback
from multiprocessing.connection import Connection

from twinflow.base import dispatch
from twinflow.base.frames import is_internal
from twinflow.data.functions import ElementFunction, Env
from twinflow.data.pipeline.work_ahead import Chunk, worked
from twinflow.data.processes import shipping
from twinflow.data.processes.messages import Memory, packed, unpacked
from twinflow.eager.mode import MODE
from twinflow.graph.defaults import enable_eager_execution

BEGIN, CHUNK, REST = b"B", b"C", b"R"  # requests
READY, DONE, FAILED = b"R", b"D", b"F"  # answers


class Here:
    """What this process is."""

    is_worker = False


def main(requests, answers, board, memories):
    """Work until the other process has gone. The arguments are file descriptors."""
    Here.is_worker = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for fd in (requests, answers, board, *memories):
        os.set_inheritable(fd, False)
    requests = Connection(requests, writable=False)
    answers = Connection(answers, readable=False)
    try:
        _serve(requests, answers, Memory(board), [Memory(m) for m in memories])
    except (EOFError, OSError):
        pass  # nobody asks or listens any more
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)  # at once: nothing of this process is to be kept


def _serve(requests, answers, board, memories):
    try:
        setup = pickle.loads(requests.recv_bytes())
        function = _prepared(setup)
    except BaseException as error:
        answers.send_bytes(FAILED + pickle.dumps(_story(error)))
        return
    number, run, resting = board.view(8), None, False
    while not resting or requests.poll(setup["patience"]):
        message = requests.recv_bytes()
        kind, rest = message[:1], message[1:]
        resting = kind == REST
        if kind == BEGIN:
            run = function.start(_Given(pickle.loads(rest)))
            answers.send_bytes(READY)
        elif kind == CHUNK:
            slot, this = struct.unpack_from("<qq", rest)
            memory = memories[slot]
            chunk = unpacked(rest[16:], memory).owned()
            rows = [chunk.element(i) for i in range(chunk.count)]
            over = lambda this=this: struct.unpack_from("<q", number)[0] != this
            found, failed, seconds = worked(run, rows, over, _portable)
            done = Chunk.of(found), failed, seconds
            answers.send_bytes(DONE + packed(done, memory))


class _Given(Env):
    """The values of what a function captured, in its order."""

    def __init__(self, values):
        super().__init__()
        self.given = iter(values)

    def value(self, x):
        """The next one."""
        return next(self.given)


def _portable(error):
    """The bytes of an exception (of None if it has none), its traceback, its node."""
    text = "".join(traceback.format_exception(error))
    try:
        data = pickle.dumps(error)
        pickle.loads(data)
    except Exception:
        data = pickle.dumps(None)
    return data, text, getattr(getattr(error, "op", None), "name", None)


def _story(error):
    """An exception, and where the user's program raised it."""
    entries = traceback.extract_tb(error.__traceback__)
    mine = traceback.format_list([e for e in entries if not is_internal(e.filename)])
    text = "".join(traceback.format_exception_only(error))
    return (
        text
        + "Traceback of the worker (most recent call last):\n" * bool(mine)
        + ("".join(mine))
    )


def _prepared(setup):
    """The ElementFunction of the other process, traced here."""
    sys.argv[:] = setup["argv"]
    for data in setup["first"]:
        pickle.loads(data)()
    if setup["eager"]:
        enable_eager_execution()
    map_func, structure, types, captured, now = shipping.loads(setup["task"])
    with dispatch.entered(MODE if now else dispatch.default_mode()):
        function = ElementFunction(map_func, structure)
    ours = [t.dtype for t in function.captured]
    if function.structure.types != types or ours != captured:
        raise RuntimeError(
            f"map_func did the same things differently here: it gave {types} and used "
            f"{captured} from outside where it was defined, and gives "
            f"{function.structure.types} and uses {ours} in a worker process. It must "
            "not depend on what only one process has done."
        )
    return function
