"""`twinflow verify`: the status, the text and the JSON."""

import json

from twinflow.cli import verify

BROKEN = """\
import numpy as np
import tensorflow as tf
tf.enable_eager_execution()
for x in tf.data.Dataset.range(3).map(lambda i: i + np.random.randint(9)):
    print(x.numpy())
"""


def test_a_difference(tmp_path, capsys):
    script, target = tmp_path / "program.py", tmp_path / "found.json"
    script.write_text(BROKEN)
    assert verify.main(["--json", str(target), str(script)]) == 1
    found = json.loads(target.read_text())
    assert not found["same"]
    assert found["differences"][0]["class"] == "frozen call"
    assert found["differences"][0]["line"] == 4
    assert "program.py:4: frozen call" in capsys.readouterr().out


def test_what_cannot_be_run(tmp_path, capsys):
    assert verify.main([]) == 2
    assert verify.main(["--nothing"]) == 2
    assert verify.main(["--budget=much", "x.py"]) == 2
    assert verify.main([str(tmp_path / "missing.py")]) == 2
    assert "there is no file" in capsys.readouterr().err
