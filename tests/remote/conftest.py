"""Servers in processes of their own, which end with the test."""

import contextlib
import os
import subprocess
import sys

import pytest

from tests.source_tree import ROOT
from twinflow.execute.servers import free_ports

SERVER = """
import sys, {tf} as tf
job, index, ports = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(",")
ps, workers = ports[:1], ports[1:]
cluster = {{"ps": ["localhost:" + p for p in ps]}}
if workers:
    cluster["worker"] = ["localhost:" + p for p in workers]
server = tf.train.Server(cluster, job_name=job, task_index=index)
print("READY")
sys.stdout.flush()
server.join()
"""


@contextlib.contextmanager
def starting():
    """Starts programs; all are killed at the end."""
    with contextlib.ExitStack() as stack:

        def start_one(text, *args, python=sys.executable):
            env = {**os.environ, "PYTHONPATH": str(ROOT), "TWINFLOW_COMPILE": "never"}
            if python != sys.executable:
                del env["PYTHONPATH"]
            found = subprocess.Popen(
                [python, "-c", text, *map(str, args)], env=env, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
            stack.callback(found.communicate)
            stack.callback(found.kill)
            return found

        yield start_one


@pytest.fixture
def start():
    """Starts programs; all are killed at the end."""
    with starting() as start_one:
        yield start_one


@pytest.fixture
def ports():
    """Free ports."""
    return free_ports(3)


@pytest.fixture
def serve(start):
    """Starts the server of a task."""

    def serve_one(job, index, ports, tf="twinflow", python=sys.executable):
        text = SERVER.format(tf=tf)
        found = start(text, job, index, ",".join(map(str, ports)), python=python)
        assert found.stdout.readline() == "READY\n"
        return found

    return serve_one
