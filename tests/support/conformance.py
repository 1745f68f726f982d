"""TensorFlow's own unit tests, run on twinflow: `make conformance TENSORFLOW=PATH`.

PATH is a checkout of TensorFlow v1.12.0; nothing of it is changed or copied. Each
`*_test.py` runs by itself, by `twinflow run`; modules that help the tests (their bases
and utilities) come from the checkout, all others are twinflow's. Printed: how many
tests pass in each file, the commonest reasons of failures, and the sum. Skipped tests
count neither as passed nor as there.
"""

import argparse
import collections
import concurrent.futures
import importlib.abc
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

_HELPER = re.compile(
    r"(_test|_tests|test_base|test_utils?|testing_utils|_parameterized|kernel_tests"
    r"|examples)$"
)
_NAMED_TEST = re.compile(r"^\s+def (test\w*)\(", re.M)
_SHOWN = 25  # reasons


# ------------------------------------------------------------------ one file
class Helpers(importlib.abc.MetaPathFinder):
    """Finds modules that help tests in the checkout."""

    def __init__(self, root):
        self.root = root

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("tensorflow.") or not _HELPER.search(name):
            return None
        place = self.root.joinpath(*name.split("."))
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return importlib.util.spec_from_file_location(name, file)
        return None


class Results(unittest.TestResult):
    """What became of each test: `ok`, `skip`, or the last line of its error."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds, self.found = seconds, {}

    def startTest(self, test):
        super().startTest(test)
        if hasattr(signal, "alarm"):
            signal.alarm(self.seconds)

    def stopTest(self, test):
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        super().stopTest(test)

    def _failed(self, test, error):
        text = self._exc_info_to_string(error, test).strip()
        self.found[test.id()] = text.rpartition("\n")[2][:200]

    def addSuccess(self, test):
        self.found[test.id()] = "ok"

    def addExpectedFailure(self, test, error):
        self.found[test.id()] = "ok"

    def addSkip(self, test, reason):
        self.found[test.id()] = "skip"

    addFailure = addError = _failed


def run_file(root, file, seconds):
    """{test: what became of it} of one file, in this process."""
    sys.meta_path.insert(0, Helpers(root))
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _late)
    source = file.read_text()
    body, _, tail = source.partition("\nif __name__")
    name = "_".join(file.relative_to(root).with_suffix("").parts)
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = str(file)
    results = Results(seconds)
    try:
        if "enable_eager_execution" in tail or "python.eager import test" in body:
            importlib.import_module("tensorflow").enable_eager_execution()
        exec(compile(body, str(file), "exec"), vars(module))
        unittest.defaultTestLoader.loadTestsFromModule(module).run(results)
    except BaseException as error:
        why = f"{type(error).__name__}: {error}"[:200]
        for test in _NAMED_TEST.findall(source):
            results.found.setdefault(f"{name}.{test}", why)
    return results.found


def _late(*_):
    raise TimeoutError("the test took too long")


# ------------------------------------------------------------------ all files
def files_of(root, patterns):
    """The test files whose path holds one of the patterns; all without patterns."""
    found = sorted((root / "tensorflow").rglob("*_test.py"))
    paths = [(f, f.relative_to(root).as_posix()) for f in found]
    return [f for f, p in paths if not patterns or any(w in p for w in patterns)]


def run_apart(root, file, seconds):
    """`run_file` in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "found.json"
        inner = [__file__, "--one", str(file), "--out", str(out), str(root)]
        command = [sys.executable, "-m", "twinflow", "run", *inner]
        try:
            done = subprocess.run(
                [*command, "--seconds", str(seconds)], cwd=root, text=True,
                capture_output=True, timeout=20 * seconds,
            )  # fmt: skip
            why = (done.stderr.strip() or "it ended").rpartition("\n")[2][:200]
        except subprocess.TimeoutExpired:
            why = "the file took too long"
        if out.exists():
            return json.loads(out.read_text())
    return dict.fromkeys(_NAMED_TEST.findall(file.read_text()), why)


def report(root, found):
    """The lines of the report for {file: {test: what became of it}}."""
    reasons: collections.Counter = collections.Counter()
    passed = there = 0
    for file, tests in found.items():
        kinds = [t for t in tests.values() if t != "skip"]
        good = kinds.count("ok")
        passed, there = passed + good, there + len(kinds)
        reasons.update(t[:120] for t in kinds if t != "ok")
        yield f"{good:5d} of {len(kinds):5d}  {file.relative_to(root).as_posix()}"
    yield from (f"{n:5d}  {why}" for why, n in reasons.most_common(_SHOWN))
    yield f"{passed} of {there} tests pass"


def main(arguments=None):
    """Run what the command line says; see the module."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("root", type=Path, help="the checkout")
    parser.add_argument("patterns", nargs="*", help="parts of paths")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=60, help="the limit of a test")
    parser.add_argument("--out", type=Path, help="write every result here, as JSON")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    root = args.root.resolve()
    if args.one:
        args.out.write_text(json.dumps(run_file(root, args.one, args.seconds)))
        return 0
    files = files_of(root, args.patterns)
    if not files:
        print(f"{root} holds no tests of TensorFlow's: a checkout of v1.12.0 does")
        return 2
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        each = pool.map(lambda file: run_apart(root, file, args.seconds), files)
        found = dict(zip(files, each, strict=True))
    print("\n".join(report(root, found)))
    if args.out:
        named = {f.relative_to(root).as_posix(): tests for f, tests in found.items()}
        args.out.write_text(json.dumps(named, indent=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
