"""`twinflow verify`: the status, the text and the JSON."""

import json

from twinflow_terminal import main

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
    assert main.main(["verify", "--json", str(target), str(script)]) == 1
    found = json.loads(target.read_text())
    assert not found["same"]
    assert found["differences"][0]["class"] == "frozen call"
    assert found["differences"][0]["line"] == 4
    assert "program.py:4: frozen call" in capsys.readouterr().out


SOUND = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [2])
y = tf.nn.softmax(x)
with tf.Session() as session:
    while True:
        print(session.run(y, {x: [1., 2.]}))
"""


def test_a_limit(tmp_path, capsys):
    script, target = tmp_path / "program.py", tmp_path / "found.json"
    script.write_text(SOUND)
    assert main.main(["verify", "--limit=1", f"--json={target}", str(script)]) == 0
    found = json.loads(target.read_text())
    assert set(found) == {
        "same", "ways", "ops", "lines", "functions", "sessions", "remarks",
        "differences",
    }  # fmt: skip
    assert found["same"]
    assert found["differences"] == []
    assert found["ways"] == ["function", "eager", "compiled"]
    assert any("stopped after 1 seconds" in text for text in found["remarks"])
    assert "the same in every way" in capsys.readouterr().out


def test_a_program_that_fails(tmp_path, capsys):
    script, target = tmp_path / "program.py", tmp_path / "found.json"
    script.write_text("import tensorflow as tf\nraise ValueError('no data')\n")
    assert main.main(["verify", "--json", str(target), str(script)]) == 2
    assert "no data" in capsys.readouterr().err
    assert not target.exists()


def test_against(tmp_path, capsys, monkeypatch):
    script = tmp_path / "program.py"
    script.write_text("print(1)\n")
    monkeypatch.delenv("TF112_PYTHON", raising=False)
    assert main.main(["verify", "--against", "theano", str(script)]) == 2
    assert main.main(["verify", "--against", "tensorflow", str(script)]) == 2
    text = capsys.readouterr().err
    assert "--against takes tensorflow, got 'theano'" in text
    assert "give --python PATH, or set TF112_PYTHON" in text


def test_what_cannot_be_run(tmp_path, capsys):
    assert main.main(["verify"]) == 2
    assert main.main(["verify", "--nothing"]) == 2
    assert main.main(["verify", "--budget=much", "x.py"]) == 2
    assert main.main(["verify", "--limit=soon", "x.py"]) == 2
    assert main.main(["verify", str(tmp_path / "missing.py")]) == 2
    assert "there is no file" in capsys.readouterr().err
