"""Programs of several processes, started together on this machine."""

import json
import os
import socket
import subprocess
import sys

from tests.source_tree import ROOT

SECONDS = 120  # for all of them to end, on a busy machine


def addresses(count):
    """Free ports on loopback."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    found = [f"127.0.0.1:{s.getsockname()[1]}" for s in sockets]
    for s in sockets:
        s.close()
    return found


def start(program, arguments, count, chief=False, **extra):
    """Start the tasks of a cluster of `count` workers, the first perhaps a chief."""
    places = addresses(count)
    cluster, tasks = {"worker": places}, [("worker", i) for i in range(count)]
    if chief:
        cluster = {"chief": places[:1], "worker": places[1:]}
        tasks = [("chief", 0), *tasks[:-1]]
    found = []
    for job, index in tasks:
        place = {"cluster": cluster, "task": {"type": job, "index": index}}
        env = {
            **os.environ, "PYTHONPATH": str(ROOT), "TF_CONFIG": json.dumps(place),
            **extra,
        }  # fmt: skip
        found.append(subprocess.Popen(
            [sys.executable, ROOT / program, *map(str, arguments)], env=env,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ))  # fmt: skip
    return found


def ends(processes):
    """(exit status, stdout, stderr) of each; all of them end here."""
    try:
        return [(p.returncode, *said) for p in processes
                for said in [p.communicate(timeout=SECONDS)]]  # fmt: skip
    finally:
        for p in processes:
            p.kill()
            p.wait()


def last_lines(processes):
    """The last line of each, which all succeed."""
    found = ends(processes)
    for status, _, said in found:
        assert status == 0, said
    return [out.strip().splitlines()[-1] for _, out, _ in found]
