"""Trainings whose tasks are killed: `python -m tests.remote.killing --runs 50`.

Each run trains by a parameter server, a chief and a worker in processes of their own,
kills one or two of them at random moments, and starts what died again. A run is right
if all tasks end before a time limit, with the weights that were to be found or with an
error that says what was lost, and if no checkpoint that was seen is lost: the last one
can be read, and is none older.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.remote.training_program import WAYS
from tests.source_tree import ROOT
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.execute.servers import free_ports

PROGRAM = ROOT / "tests" / "remote" / "training_program.py"
PS, CHIEF, WORKER = ("ps", 0), ("worker", 0), ("worker", 1)
CLEAR = re.compile(
    r"(Unavailable|Aborted|DeadlineExceeded|Cancelled|FailedPrecondition)Error"
)
RESULT = re.compile(r"DONE (\S+) (.*)$", re.MULTILINE)


class Training:
    """The processes of one training.

    Args:
        way: one of WAYS. folder: of checkpoints and logs. last: the last step.
        name, python: the module of TensorFlow, and whose.
    Attributes:
        seen: the highest step of a checkpoint that was there.
    """

    def __init__(
        self, way: str, folder: Path, last: int = 150, name: str = "twinflow",
        python: str = sys.executable,
    ) -> None:  # fmt: skip
        self.way, self.folder, self.last = way, folder, last
        self.command = [python, str(PROGRAM), name]
        self.ports = ",".join(map(str, free_ports(3)))
        self.running: dict = {}
        self.ended: dict = {}  # {task: (return code, what it wrote)}
        self.seen = -1
        self._logs: dict = {}

    def start(self, *tasks: tuple) -> None:
        """Start tasks, as they were started before."""
        env = {**os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": "never"}
        for task in tasks:
            log = self.folder / f"{task[0]}{task[1]}.{time.monotonic_ns()}.log"
            self._logs[task] = log
            rest = self.ports, self.way, str(self.folder / "saved"), str(self.last)
            with log.open("w") as out:
                self.running[task] = subprocess.Popen(
                    [*self.command, task[0], str(task[1]), *rest],
                    env=env, stdout=out, stderr=subprocess.STDOUT,
                )  # fmt: skip
            self.ended.pop(task, None)

    def kill(self, task: tuple) -> None:
        """Kill a task as nothing else does: it can write no last word."""
        process = self.running.pop(task)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def poll(self) -> None:
        """Note which tasks have ended, and the last checkpoint."""
        for task, process in list(self.running.items()):
            if process.poll() is not None:
                del self.running[task]
                text = self._logs[task].read_text(errors="replace")
                self.ended[task] = process.returncode, text
        self.seen = max(self.seen, self.saved() or -1)

    def saved(self) -> int | None:
        """The step of the last checkpoint."""
        path = latest_checkpoint(str(self.folder / "saved"))
        return None if path is None else int(path.rpartition("-")[2])

    def wait(self, seconds: float, until: object = None) -> bool:
        """Wait for the workers, or `until()`; whether that came in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.poll()
            if until() if until else not (self.running.keys() - {PS}):
                return True
            time.sleep(0.05)
        return False

    def close(self) -> None:
        """End what still runs."""
        for task in list(self.running):
            self.kill(task)

    # ------------------------------------------------------------------ judging
    def faults(self) -> list[str]:
        """What is wrong with a training that has ended; nothing if it is right."""
        found = []
        for task, (code, text) in self.ended.items():
            done, last = RESULT.search(text), text.strip().rpartition("\n")[2]
            if code == 0 and (done is None or not _near(done[2])):
                found.append(f"{task} ended with {done and done[0]}")
            if code != 0 and not CLEAR.search(last):
                found.append(f"{task} ended with {code}: {last}")
        path = latest_checkpoint(str(self.folder / "saved"))
        if path is None and self.seen >= 0:
            found.append("no checkpoint is left")
        elif path is not None:
            step = int(load_checkpoint(path).get_tensor("global_step"))
            if step < self.seen:
                found.append(f"step {step} is left, {self.seen} was there")
        return found

    def right(self) -> bool:
        """Whether the chief has trained to the end."""
        return self.ended.get(CHIEF, (1,))[0] == 0


def _near(text: str) -> bool:
    """Whether a task has found the weights, or came when all was over."""
    if text == "None":
        return True
    return all(
        abs(float(a) - b) < 0.5 for a, b in zip(text[1:-1].split(","), (1, 2, 3))
    )


def run(seed: int, folder: Path, limit: float = 90.0, **program: str) -> tuple:
    """One training; (what was done to it, how it ended, what is wrong with it)."""
    rng = random.Random(seed)
    way = rng.choice(sorted(WAYS))
    training = Training(way, folder, **program)
    said = [way]
    try:
        training.start(PS, CHIEF, WORKER)
        least = rng.choice((-1, 0, 20, 60))
        training.wait(60, lambda: training.seen >= least)
        for _ in range(rng.choice((1, 1, 2))):
            _strike(training, rng, said)
        ended = training.wait(limit)
    finally:
        training.close()
    faults = training.faults() if ended else ["a task hangs"]
    how = "right" if training.right() else "stopped with an error"
    return " ".join(said), how, faults


def _strike(training: Training, rng: random.Random, said: list) -> None:
    """Kill a task at a random moment, and perhaps start it again."""
    training.wait(rng.uniform(0, 1.5))
    task = rng.choice((PS, CHIEF, WORKER))
    training.poll()
    if task not in training.running:
        said.append(f"{task[0]}{task[1]} had ended")
        return
    training.kill(task)
    said.append(f"kill {task[0]}{task[1]} at {training.seen}")
    training.wait(rng.choice((0.0, 0.3, 1.5)))
    if rng.random() < (0.6 if task == WORKER else 0.9):
        training.start(task)
        said.append("again")


def main() -> int:
    """Run as many trainings as asked for, and say how each ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", default="twinflow")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--keep", action="store_true", help="keep logs of bad runs")
    args = parser.parse_args()
    bad, ends = 0, []
    for seed in range(args.seed, args.seed + args.runs):
        start = time.monotonic()
        folder = Path(tempfile.mkdtemp(prefix=f"killing{seed}."))
        said, how, faults = run(seed, folder, name=args.name, python=args.python)
        took = time.monotonic() - start
        print(f"{seed}: {said}: {how}, {took:.0f} s {faults or ''}", flush=True)
        bad += bool(faults)
        ends.append(how)
        if faults and args.keep:
            print(f"   logs: {folder}", flush=True)
        else:
            shutil.rmtree(folder)
    right = ends.count("right")
    print(f"{len(ends)} runs: {right} trained to the end, {len(ends) - right} stopped "
          f"with an error, {bad} wrong")  # fmt: skip
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
