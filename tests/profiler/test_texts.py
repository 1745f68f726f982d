"""The texts of profiles are those of TensorFlow 1.12, for made-up graphs and runs."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.profiler import made
from twinflow.formats import protos
from twinflow.formats.profile_protos import OpLogProto
from twinflow.profiler.options import options_proto
from twinflow.profiler.reports import report
from twinflow.profiler.stats import Stats

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE / "golden.json").read_text())
KINDS = (protos.GraphDef, protos.RunMetadata, OpLogProto)


def run_here(cmd, options, seed):
    parts = zip(KINDS, made.messages(seed, KINDS), strict=True)
    graph, run, log = (kind.FromString(text) for kind, text in parts)
    stats = Stats()
    stats.add_graph(graph)
    stats.add_log(log)
    stats.add_run(0, run)
    report(stats, cmd, options_proto(options))


@pytest.mark.parametrize("seed", GOLDEN)
def test_the_text_is_that_of_tensorflow(seed):
    for here, there in zip(
        made.profiled(int(seed), run_here), GOLDEN[seed], strict=True
    ):
        assert here == there


@pytest.mark.interop
def test_more_texts_are_those_of_tensorflow(tf112_python):
    command = [tf112_python, str(HERE / "made.py"), *map(str, range(100, 150))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for seed, there in json.loads(done.stdout).items():
        assert made.profiled(int(seed), run_here) == there, seed
