"""Kills processes of a training at random moments, and looks at what becomes of it.

    python -m tests.distribute.killing --runs 25 [--seed 0]

Each run trains the estimator of estimator_program.py in 2 or 3 processes by `twinflow
launch`, and kills one: the first, another, or the keeper of their list. With --restart
the training must end at its last step; without, the launcher must end with a status and
a line that says who died. In each case every value of the last checkpoint must be
there, and no process may be left.
"""

import argparse
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

import twinflow as tf
from tests.distribute import living
from tests.source_tree import ROOT

LAST, EVERY = 200, 20  # steps, and between checkpoints
LIMIT = 240  # seconds for a whole run
MOMENT = 12.0  # seconds at most from the start, or a checkpoint, to the kill


def checkpoint_of(folder):
    """The step of the last checkpoint, whose values are all there and finite."""
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        return None
    reader = tf.train.load_checkpoint(path)
    values = {n: reader.get_tensor(n) for n in reader.get_variable_to_shape_map()}
    assert all(np.isfinite(v).all() for v in values.values()), path
    return int(values["global_step"])


def victim(choose, marked, kind):
    """A process of a kind: "first", "other" or "keeper"; None if there is none."""
    found = living.living(marked)
    if kind == "keeper":
        found = [one for one in found if one.is_keeper]
    else:
        wanted = [one for one in found if one.rank is not None]
        found = [one for one in wanted if (one.rank == 0) == (kind == "first")]
    return choose.choice(found) if found else None


def run(number, choose):
    """One run; (what was done, what became of it)."""
    kind, count = choose.choice(["first", "other", "keeper"]), choose.choice([2, 3])
    again = choose.choice([(), ("--restart", "2"), ("--restart", "2",
                           "--restart-with", str(5 - count))])  # fmt: skip
    later, wait = choose.random() < 0.7, choose.uniform(0, MOMENT)
    marked = living.mark()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as log:
        launcher = subprocess.Popen(
            [sys.executable, "-m", "twinflow", "launch", "-n", str(count), *again,
             "tests/distribute/estimator_program.py", folder, str(LAST), str(EVERY)],
            cwd=ROOT, stdout=log, stderr=log,
            env={**os.environ, "PYTHONPATH": str(ROOT), **marked},
        )  # fmt: skip
        begun, killed = time.monotonic(), None
        try:
            if later:  # while it trains
                ready = os.path.join(folder, "checkpoint")
                living.until(lambda: os.path.exists(ready), LIMIT)
                wait /= 4
            time.sleep(wait)
            one = victim(choose, marked, kind)
            if one is not None and launcher.poll() is None:
                os.kill(one.pid, signal.SIGKILL)
                killed = time.monotonic()
            launcher.wait(LIMIT)
            ended = time.monotonic()
            assert not living.living(marked), "processes are left"
            found = judged(launcher.returncode, folder, log, again, killed)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            log.seek(0)
            found = f"WRONG: {error!r}\n{log.read()[-3000:]}"
        finally:
            launcher.kill()
            launcher.wait()
            living.end_all(marked)
    what = f"{number}: {kind} of {count}, {wait:.1f} s {'later ' * later}"
    took = f"{ended - begun:.0f} s" if "WRONG" not in found else "?"
    return f"{what}{' '.join(again)}", found, took


def judged(status, folder, log, again, killed):
    """What became of a run; an error where it should not have."""
    step = checkpoint_of(folder)
    if status == 0:
        assert step == LAST, f"ended well at step {step}"
        log.seek(0)
        anew = "starting again" in log.read()
        return "trained, started again" if anew else "trained, nobody missed it"
    log.seek(0)
    text = log.read()
    assert killed is not None, f"status {status}, and nobody was killed"
    assert not again, f"status {status} in spite of {again}"
    assert "twinflow launch: process" in text, "it does not say who died"
    return "stopped, and said who died"


def main():
    """Do the runs; the exit status says whether all were as they should be."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    choose, counts = random.Random(options.seed), collections.Counter()
    for number in range(options.runs):
        what, found, took = run(number, choose)
        counts[found.partition("\n")[0].partition(":")[0]] += 1
        print(f"{what}: {found}, {took}", flush=True)
    print(dict(counts))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
