"""`make conformance`: the runner of TensorFlow's own tests, on a made-up checkout."""

import json

import pytest

from tests.support import conformance

GOOD = """
from tensorflow.python.platform import test
from tensorflow.python.ops import math_ops
from tensorflow.python.framework import sums_test_util


class SumTest(test.TestCase):
    def testSum(self):
        with self.cached_session():
            found = math_ops.add(1, sums_test_util.TWO).eval()
        self.assertEqual(3, found)

    def testWrong(self):
        self.assertEqual(1, 2)

    def testSkipped(self):
        self.skipTest("it is late")


if __name__ == "__main__":
    test.main()
"""
STOPS = "import no_such_module\nclass A:\n    def testA(self):\n        pass\n"


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "tensorflow" / "python" / "framework"
    folder.mkdir(parents=True)
    (folder / "sums_test.py").write_text(GOOD)
    (folder / "sums_test_util.py").write_text("TWO = 2\n")
    (folder / "stops_test.py").write_text(STOPS)
    return tmp_path


def test_files_run_apart_and_are_counted(checkout, capsys):
    out = checkout / "found.json"
    arguments = [str(checkout), "python/framework", "--jobs", "2", "--out", str(out)]
    assert conformance.main(arguments) == 0
    lines = capsys.readouterr().out.split("\n")
    assert "    2 of     3  tensorflow/python/framework/sums_test.py" in lines
    assert "    0 of     1  tensorflow/python/framework/stops_test.py" in lines
    assert any("No module named 'no_such_module'" in line for line in lines)
    assert lines[-2] == "2 of 4 tests pass"  # test_session is one of them
    found = json.loads(out.read_text())["tensorflow/python/framework/sums_test.py"]
    assert sorted(t.rpartition(".")[2] for t, how in found.items() if how == "ok") == [
        "testSum", "test_session",
    ]  # fmt: skip


def test_what_is_no_checkout(tmp_path, capsys):
    assert conformance.main([str(tmp_path)]) == 2
    assert "holds no tests of TensorFlow's" in capsys.readouterr().out
