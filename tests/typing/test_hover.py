"""What an editor shows of a name: signature and docstring, from pyright's server."""

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path

import pytest

PROGRAM = """\
import twinflow as tf

tf.nn.relu
tf.data.Dataset.range(3).map
tf.keras.layers.Dense
tf.layers.dense
tf.Session().run
tf.math.exp
tf.train.AdamOptimizer
tf.contrib.eager.defun
tf.GradientTape
tf.estimator.DNNClassifier
tf.keras.Sequential().co
tf.constant(1.0).nu
tf.ConfigProto().gpu
"""
SAYS = {  # (line, the last letter of the name): what its hover has
    (2, 8): ("relu", "features", "max(features, 0)"),
    (3, 26): ("map", "num_parallel_calls", "Dataset"),
    (4, 20): ("Dense", "units", "activation"),
    (5, 14): ("dense", "units", "Args"),
    (6, 15): ("run", "fetches", "feed_dict"),
    (7, 9): ("exp", "name", "Args"),  # tf.exp under its second name
    (8, 12): ("AdamOptimizer", "learning_rate", "beta1"),
    (9, 19): ("defun", "input_signature", "Compile a Python function"),
    (10, 8): ("GradientTape", "persistent"),
    (11, 16): ("DNNClassifier", "hidden_units", "feature_columns"),
}
COMPLETED = {  # (line, where the cursor is): names that are offered
    (12, 24): ("compile", "count_params"),
    (13, 19): ("numpy",),
    (14, 20): ("gpu_options",),
}
SETTINGS = {"python": {"pythonPath": sys.executable}}
SECONDS = 120  # for the whole talk; the first answer takes longest


class Server:
    """A language server that is spoken to over its standard streams."""

    def __init__(self, folder):
        command = Path(sys.executable).parent / "basedpyright-langserver"
        if not command.exists():
            pytest.skip("basedpyright is not installed: pip install basedpyright")
        self.process = subprocess.Popen(
            [command, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, cwd=folder,
        )  # fmt: skip
        self.answers = queue.Queue()
        self.count = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """Keep the answers; what the server asks for are settings."""
        out = self.process.stdout
        while header := out.readline():
            if header.lower().startswith(b"content-length"):
                size = int(header.split(b":")[1])
            elif header == b"\r\n":
                message = json.loads(out.read(size))
                if "method" not in message:
                    self.answers.put(message)
                elif "id" in message:
                    items = (message.get("params") or {}).get("items", [])
                    given = [SETTINGS.get(item.get("section")) for item in items]
                    self._send({"id": message["id"], "result": given or None})

    def _send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def tell(self, method, **params):
        self._send({"method": method, "params": params})

    def ask(self, method, **params):
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        while True:
            answer = self.answers.get(timeout=SECONDS)
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]


@pytest.fixture
def server(tmp_path):
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "off"}')
    found = Server(tmp_path)
    stop = threading.Timer(SECONDS, found.process.kill)
    stop.start()
    try:
        yield found
    finally:
        stop.cancel()
        found.process.kill()
        found.process.wait(30)
        found.process.stdin.close()
        found.process.stdout.close()


@pytest.mark.slow
def test_names_have_signatures_and_docstrings(server, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    folder = {"uri": tmp_path.as_uri(), "name": "program"}
    server.ask(
        "initialize", processId=None, rootUri=folder["uri"], workspaceFolders=[folder],
        capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}},
                      "workspace": {"configuration": True}},
        initializationOptions={},
    )  # fmt: skip
    server.tell("initialized")
    document = {"uri": path.as_uri()}
    server.tell(
        "textDocument/didOpen",
        textDocument={**document, "languageId": "python", "version": 1,
                      "text": PROGRAM},
    )  # fmt: skip
    for (line, letter), words in SAYS.items():
        place = {"line": line, "character": letter}
        found = server.ask("textDocument/hover", textDocument=document, position=place)
        assert found is not None, PROGRAM.splitlines()[line]
        text = found["contents"]["value"]
        assert [w for w in words if w not in text] == [], text
    for (line, letter), names in COMPLETED.items():
        place = {"line": line, "character": letter}
        found = server.ask(
            "textDocument/completion", textDocument=document, position=place
        )
        offered = {item["label"] for item in found["items"]}
        assert offered >= set(names), (line, sorted(offered)[:20])
