"""A program that ends while a compilation is under way ends at once, as it wants to."""

import os
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import pytest

from twinflow.base.native import fast
from twinflow.execute.exit import let_go
from twinflow.execute.worker import Worker

PROGRAM = """
import sys, time
import twinflow as tf
from twinflow.execute import tiers
tf.enable_eager_execution()
tiers.TINY = 0.0

@tf.contrib.eager.defun
def f(x):
    for i in range(1000):
        x = tf.sin(x) * tf.matmul(x, x) + tf.exp(-x) * float(i)
    return x

x = tf.ones([8, 8])
for _ in range(tiers.HOT_CALLS + 1):
    f(x)
while not tiers.WORKER.doing:
    time.sleep(0.001)
time.sleep({wait})
assert tiers.WORKER.doing
print(time.time(), flush=True)
{end}
"""


def ended(program):
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("wait", [0.0, 0.8])
@pytest.mark.parametrize(
    "end, code, words",
    [
        ("", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("raise KeyError('mine')", 1, "KeyError: 'mine'"),
    ],
)
def test_ending_during_a_compilation(end, code, words, wait):
    done = ended(PROGRAM.format(end=end, wait=wait))
    assert done.returncode == code, done.stderr
    assert words in done.stderr and (words or not done.stderr)
    assert time.time() - float(done.stdout) < 6.0  # of ten and more that it compiles


BUSY = """
import atexit, threading, time

def spin():
    while True:
        sum(range(300))
        time.sleep(0.0002)

def naps():
    for _ in range(300):
        time.sleep(0.0005)

atexit.register(naps)  # runs after twinflow's own, which is registered later
for _ in range(2):
    threading.Thread(target=spin, daemon=True).start()
"""


@pytest.mark.parametrize("wait", [0.0, 0.1])
def test_ending_beside_other_threads(wait):
    program = BUSY + PROGRAM.format(end="", wait=wait)
    assert ended(program).returncode == 0


LOGS = """
import atexit, logging, queue, threading, time, types
from twinflow.execute import exit

class Slow(logging.Handler):  # logging.shutdown takes its lock at exit
    def emit(self, record):
        inside.set()
        for _ in range(100):
            time.sleep(0.001)

def work():
    worker.state = exit.state_of_this_thread()
    while True:
        log.warning("word")

inside, log = threading.Event(), logging.getLogger("slow")
log.addHandler(Slow())
worker = types.SimpleNamespace(jobs=queue.Queue(), doing="python", work=None)
worker.thread = threading.Thread(target=work, daemon=True)
worker.thread.start()
inside.wait()
atexit.register(exit.let_go, worker)
"""


def test_the_compiler_is_not_held_where_it_has_locks_of_logging():
    done = ended(LOGS)
    assert (done.returncode, done.stderr) == (0, "")


LINGERS = """
class Lingers:
    def __del__(self, sleep=time.sleep):
        sleep(4.0)  # in a Python that finalises, without the GIL

kept = Lingers()
"""


def test_a_compilation_that_is_done_while_python_finalises():
    program = PROGRAM.replace("range(700)", "range(100)")
    done = ended(program.format(end=LINGERS, wait=0.0))
    assert (done.returncode, done.stderr) == (0, "")


# Registered before twinflow's own, so these run when it has left the compiler behind.
ABORTS = {
    "abort": "import atexit, os; atexit.register(os.abort)\n",
    "terminate": (
        "import atexit, ctypes\n"
        "library = ctypes.CDLL('libstdc++.so.6')\n"
        "atexit.register(library._ZSt9terminatev)\n"
    ),
    "of another process": (
        "import atexit, os, signal, time\n"
        "atexit.register(time.sleep, 9)\n"
        "atexit.register(os.kill, os.getpid(), signal.SIGABRT)\n"
    ),
    "in another thread": (
        "import atexit, os, threading\n"
        "def abort():\n"
        "    thread = threading.Thread(target=os.abort)\n"
        "    thread.start()\n"
        "    thread.join()\n"
        "atexit.register(abort)\n"
    ),
    "seen by faulthandler": (
        "import atexit, faulthandler, os\n"
        "faulthandler.enable()\n"
        "atexit.register(os.abort)\n"
    ),
}


@pytest.mark.parametrize(
    "abort, native", [("abort", "0"), *((abort, "1") for abort in ABORTS)]
)
def test_a_real_abort_at_exit_aborts(abort, native):
    program = f"import os; os.environ['TWINFLOW_NATIVE'] = '{native}'\n"
    done = ended(program + ABORTS[abort] + PROGRAM.format(end="", wait=0.3))
    assert done.returncode == -signal.SIGABRT, (done.returncode, done.stderr)
    assert ("Fatal Python error: Aborted" in done.stderr) == ("faulthandler" in abort)


@pytest.mark.skipif(not hasattr(fast, "leave_behind"), reason="there is no C module")
@pytest.mark.parametrize("end", ["os.abort", "library._ZSt9terminatev"])
def test_the_thread_left_behind_only_pauses(end):
    program = (
        "import ctypes, os, threading, time\n"
        "from twinflow.execute import exit\n"
        "library = ctypes.CDLL('libstdc++.so.6')\n"
        "class worker: go = threading.Event()\n"
        "def work():\n"
        "    worker.go.wait()\n"
        f"    {end}()\n"
        "worker.thread = threading.Thread(target=work, daemon=True)\n"
        "worker.thread.start()\n"
        "exit.leave_behind(worker)\n"
        "worker.go.set()\n"
        "time.sleep(0.5)\n"
    )
    if end == "os.abort":  # which holds the GIL
        program = program.replace("os.abort", "ctypes.CDLL(None).abort")
    done = ended(program)
    assert (done.returncode, done.stderr) == (0, "")


def test_ending_without_the_c_module():
    program = "import os; os.environ['TWINFLOW_NATIVE'] = '0'\n"
    done = ended(program + PROGRAM.format(end="sys.exit(3)", wait=0.3))
    assert (done.returncode, done.stderr) == (3, "")


def test_compiling_says_nothing_and_leaves_the_level_of_logs_alone():
    program = (
        "import os; os.environ['TWINFLOW_COMPILE'] = 'wait'\n"
        "os.environ.pop('TF_CPP_MIN_LOG_LEVEL', None)\n"
        "import twinflow as tf\n"
        "from twinflow.execute import tiers\n"
        "tf.enable_eager_execution()\n"
        "f = tf.contrib.eager.defun(lambda x: tf.sin(x) + 1.0)\n"
        "for _ in range(tiers.HOT_CALLS + 1):\n"
        "    f(tf.ones([100, 100]))\n"
        "assert 'jax' in __import__('sys').modules\n"
        "tf.print('word', output_stream=tf.logging.info)\n"
    )
    done = ended(program)
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.endswith("I tf.print] word")


class Taken:
    """A queue that gives one job, and the program ends before its taker says so."""

    def __init__(self, worker, job):
        self.worker, self.job, self.left = worker, job, threading.Event()

    def empty(self):
        return True

    def get(self):
        let_go(self.worker)
        self.left.set()
        return self.job


def test_a_job_that_was_taken_as_the_program_ends_is_not_begun(monkeypatch):
    worker, begun = Worker(), []
    monkeypatch.setattr(worker, "_start", lambda: "a compiler")
    monkeypatch.setattr(worker, "_compile", lambda *args: begun.append(args))
    entry = types.SimpleNamespace(state="queued")
    worker.jobs = Taken(worker, (0, None, lambda: entry, [], []))
    worker.thread = threading.Thread(target=worker._loop, daemon=True)
    worker.thread.start()
    assert worker.jobs.left.wait(10)
    worker.thread.join(0.2)
    assert worker.thread.is_alive() and worker.doing == "python"
    assert not begun
