"""`twinflow launch`: lines with numbers, statuses, deaths, signals, restarts."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.distribute import living
from tests.source_tree import ROOT
from twinflow.cli import main
from twinflow.cli.launching import places, schedulers

PROGRAM = """
import os, signal, subprocess, sys, time
RANK, (WHAT, *MORE) = int(os.environ["TWINFLOW_RANK"]), sys.argv[1:]
if WHAT == "lines":
    for i in range(200):
        print("line", i, "of", RANK, "x" * 100)
    print("an error", file=sys.stderr)
    sys.stdout.write("no end")
elif WHAT == "places":
    names = ["COORDINATOR", "SIZE", "RANK", "LOCAL_RANK", "LOCAL_SIZE"]
    found = [os.environ["TWINFLOW_" + name] for name in names]
    print(found, os.environ["TF_CONFIG"], os.environ.get("OMP_NUM_THREADS"))
elif WHAT == "fails":
    if RANK == 1:
        if MORE[0] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        sys.exit(int(MORE[0]))
    time.sleep(100)
elif WHAT == "deaf":
    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, signal.SIG_IGN)
    subprocess.Popen(["sleep", "100"])
    print("deaf")
    time.sleep(100)
elif WHAT == "waits":
    try:
        print("waits")
        time.sleep(100)
    except KeyboardInterrupt:
        print("interrupted")
        raise
elif WHAT == "once":
    print("of", os.environ["TWINFLOW_SIZE"])
    if not os.path.exists(MORE[0]) and RANK == 1:
        open(MORE[0], "w").close()
        sys.exit(5)
    time.sleep(100 * (not os.path.exists(MORE[0])))
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture
def start(tmp_path):
    """Starts `twinflow launch`; at the end of the test nothing may be left."""
    script, marked = tmp_path / "script.py", living.mark()
    script.write_text(PROGRAM)
    begun = []

    def started(*words, options=("-n", "2"), **extra):
        command = [sys.executable, "-m", "twinflow", "launch", *options]
        begun.append(subprocess.Popen(
            [*command, script, *map(str, words)], cwd=tmp_path, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), **marked, **extra},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ))  # fmt: skip
        begun[-1].marked = marked
        return begun[-1]

    yield started
    try:
        ended = all(p.poll() is not None for p in begun)
        left = living.living(marked)
        assert ended and not left, left
    finally:
        living.end_all(marked)
        for p in begun:
            p.communicate()


def said(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_lines_are_whole_and_numbered(start):
    status, out, err = said(start("lines"))
    assert status == 0, err
    lines = out.splitlines()
    assert len(lines) == 402
    for rank in range(2):
        own = [line for line in lines if line.startswith(f"[{rank}] ")]
        wanted = [f"[{rank}] line {i} of {rank} " + "x" * 100 for i in range(200)]
        assert own == [*wanted, f"[{rank}] no end"]
    assert sorted(err.splitlines()) == ["[0] an error", "[1] an error"]


def test_what_processes_are_told(start):
    status, out, err = said(start("places"))
    assert status == 0, err
    for rank, line in enumerate(sorted(out.splitlines())):
        first, _, rest = line.removeprefix(f"[{rank}] ").partition("] ")
        coordinator, *others = eval(first + "]")
        assert others == ["2", str(rank), str(rank), "2"]
        config = json.loads(rest[: rest.rindex("}") + 1])
        assert config["task"] == {"type": "worker", "index": rank}
        assert config["cluster"]["worker"][0] == coordinator
        share = os.environ.get("OMP_NUM_THREADS")
        share = share or str(max(1, len(os.sched_getaffinity(0)) // 2))
        assert rest.rpartition(" ")[2] == share


def test_one_of_several_hosts(start):
    options = ("--hosts", "127.0.0.1:1,localhost:2", "--rank-offset", "1")
    status, out, err = said(start("places", options=options))
    assert status == 0, err
    told = "['127.0.0.1:20117', '3', '{}', '{}', '2']"
    lines = sorted(line.partition("]")[2] + line for line in out.splitlines())
    for rank, line in enumerate(lines, 1):
        assert line.strip().startswith(told.format(rank, rank - 1))


@linux
@pytest.mark.parametrize(("how", "status", "what"), [
    ("3", 3, "process 1 ended with status 3; stopping the others"),
    ("kill", 137, "process 1 was ended by SIGKILL; stopping the others"),
])  # fmt: skip
def test_one_that_fails_ends_all(start, how, status, what):
    found, _, err = said(start("fails", how))
    assert found == status
    assert f"twinflow launch: {what}" in err


@linux
@pytest.mark.parametrize(("number", "what", "status"), [
    (signal.SIGINT, "waits", 130),
    (signal.SIGTERM, "deaf", 143),
])  # fmt: skip
def test_signals_reach_all(start, number, what, status):
    grace = "1" if what == "deaf" else "30"
    process = start(what, options=("-n", "2", "--grace", grace, "--restart", "3"))
    assert process.stdout.readline().strip()[4:] == what
    assert process.stdout.readline().strip()[4:] == what
    process.send_signal(number)
    found, out, err = said(process)
    assert found == status, err
    assert out.count("interrupted") == (2 if what == "waits" else 0)


@linux
@linux
def test_a_launcher_that_is_killed_takes_its_processes_along(start):
    process = start("deaf")
    for _ in range(2):
        assert process.stdout.readline().strip()[4:] == "deaf"
    process.kill()
    process.wait()
    living.until(lambda: not living.living(process.marked), 30)


@linux
def test_sigterm_of_one_ends_all(start):
    process = start("waits")
    for _ in range(2):
        assert process.stdout.readline().strip()[4:] == "waits"
    one = next(p for p in living.living(process.marked) if p.rank == 1)
    os.kill(one.pid, signal.SIGTERM)
    status, _, err = said(process)
    assert status == 143
    assert "process 1 was ended by SIGTERM; stopping the others" in err


def test_restarts_with_another_number(start, tmp_path):
    options = ("-n", "2", "--restart", "2", "--restart-with", "3")
    status, out, err = said(start("once", tmp_path / "been", options=options))
    assert status == 0, err
    assert "starting again, 1 of 2, with 3 processes" in err
    assert sorted(x[4:] for x in out.splitlines())[-3:] == ["of 3"] * 3


@linux
def test_a_reader_that_goes_ends_all(start):
    process = start("waits")
    process.stdout.close()
    process.stdout = None
    assert said(process)[0] == 141


@pytest.mark.parametrize(("options", "what"), [
    ((), "how many processes? Say -n COUNT or --hosts"),
    (("-n", "2", "--restart-with", "1"), "--restart-with needs --restart"),
    (("--hosts", "a:1,b"), "--hosts takes HOST:COUNT"),
    (("--hosts", "a:1,b:2"), "which of a, b is this host?"),
    (("--hosts", "a:1,b:2", "--rank-offset", "2"), "one of 0, 1; got 2"),
    (("-n", "0"), "Invalid value for '-n'"),
    (("-n", "2", "--rank-offset", "2"), "--rank-offset needs --hosts"),
    (("-n", "2", "--coordinator", "a"), "--coordinator takes HOST:PORT, got 'a'"),
    (("-n", "2", "--fast"), "no option '--fast'"),
])  # fmt: skip
def test_what_cannot_be_read(capsys, monkeypatch, options, what):
    for name in (*schedulers._READERS, "TWINFLOW_COORDINATOR"):
        monkeypatch.delenv(name, raising=False)
    assert main.main(["launch", *options, "script.py"]) == 2
    assert what in capsys.readouterr().err


class Options:
    count = hosts = rank_offset = coordinator = None


def found_by(env, **options):
    chosen = Options()
    vars(chosen).update(options)
    return places.places_of(chosen, env)


@pytest.mark.parametrize(("env", "size", "rank", "address", "local"), [
    ({"SLURM_PROCID": "5", "SLURM_NTASKS": "8", "SLURM_LOCALID": "1",
      "SLURM_JOB_NODELIST": "gpu[03-05,9],cpu1", "SLURM_JOB_ID": "17",
      "SLURM_STEP_ID": "2", "SLURM_STEP_TASKS_PER_NODE": "4(x2)"},
     8, 5, "gpu03:21090", (1, 4)),
    ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2",
      "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
      "PMIX_NAMESPACE": "7"}, 2, 1, "127.0.0.1:20007", (1, 2)),
    ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4",
      "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
      "TWINFLOW_COORDINATOR": "a:5"}, 4, 3, "a:5", (1, 2)),
    ({"JOB_COMPLETION_INDEX": "2", "TWINFLOW_SIZE": "3",
      "TWINFLOW_COORDINATOR": "job-0.it:9000"}, 3, 2, "job-0.it:9000", (0, 1)),
    ({"TWINFLOW_RANK": "1", "TWINFLOW_SIZE": "2", "TWINFLOW_COORDINATOR": "b:7"},
     2, 1, "b:7", (0, 1)),
])  # fmt: skip
def test_schedulers(env, size, rank, address, local):
    found = found_by(env)
    assert (found.size, list(found.ranks)) == (size, [rank])
    assert f"{found.host}:{found.port}" == address
    assert found.local == local
    assert found.all_here == (size == 1)
    (told,) = places.environments(found, attempt=3)
    host, _, port = told["TWINFLOW_COORDINATOR"].rpartition(":")
    assert (host, int(port)) == (found.host, found.port + 3)
    assert (told["TWINFLOW_RANK"], told["TWINFLOW_SIZE"]) == (str(rank), str(size))


@pytest.mark.parametrize(("env", "what"), [
    ({"JOB_COMPLETION_INDEX": "2"}, "does not say how many there are: TWINFLOW_SIZE"),
    ({"JOB_COMPLETION_INDEX": "2", "TWINFLOW_SIZE": "2"}, "no process 2 of 2"),
    ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, "does not say where the first process is"),
])  # fmt: skip
def test_schedulers_that_say_too_little(env, what):
    with pytest.raises(ValueError, match=what):
        found_by(env)


@pytest.mark.parametrize(("nodes", "first"), [
    ("a", "a"), ("a,b", "a"), ("n[1,5-7]", "n1"), ("n[08-11]x,m", "n08x"), ("", None),
])  # fmt: skip
def test_lists_of_nodes(nodes, first):
    assert schedulers.first_node(nodes) == first


def test_hosts():
    found = found_by({}, hosts="a:2,b:1", rank_offset=2, coordinator="c:9000")
    assert (found.size, list(found.ranks), found.local) == (3, [2], (0, 1))
    (told,) = places.environments(found)
    workers = json.loads(told["TF_CONFIG"])["cluster"]["worker"]
    assert workers == ["c:9000", "a:10000", "b:10001"]
    assert found_by({}, hosts="a:2,b:1", rank_offset=0).port == places.PORT


def test_help(capsys):
    assert main.main(["launch", "--help"]) == 0
    assert "--restart-with COUNT" in capsys.readouterr().out
