"""Programs of interop_program, run here and under a real TensorFlow."""

import json
import subprocess
from pathlib import Path

import pytest

import twinflow as tf
from tests.checkpoint import interop_program

PROGRAM = str(Path(interop_program.__file__))
THERE = {"tf112_python": "tensorflow", "tf221_python": "tensorflow.compat.v1"}
both = pytest.mark.parametrize("there", THERE, indirect=True)
old = pytest.mark.parametrize("there", ["tf112_python"], indirect=True)


@pytest.fixture
def there(request):
    """Runs a function of the program under a real TensorFlow."""
    python, module = request.getfixturevalue(request.param), THERE[request.param]

    def run(function, **arguments):
        command = [python, PROGRAM, module, function, json.dumps(arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def here(function, **arguments):
    """Runs a function of the program with twinflow."""
    found = getattr(interop_program, function)(tf, **arguments)
    return json.loads(json.dumps(found))
