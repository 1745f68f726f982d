"""What a newcomer does, from nothing: `python3.14 tools/newcomer.py FOLDER`.

It makes an environment in a new FOLDER with the Python that runs this, installs the
checkout into it as docs/start/install.md says, and follows the pages of PAGES and the
commands below as they are written there, each in a folder of its own. A line a step
says how many seconds it took; the exit status is 1 if a step failed. `--pure` hides the
compiler, if there is one.
"""

import doctest
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = "hdf5,image,lite,onnx,serve,tensorboard,terminal"
PAGES = [
    "README.md", "docs/start/install.md", "docs/start/tour.md", "docs/guides/keras.md",
    "docs/guides/checkpoints.md", "docs/guides/summaries.md", "docs/formats.md",
]  # fmt: skip
BLOCK = re.compile(
    r"(?P<marker><!-- \w+ -->)?\n+```(?P<language>\w+)\n(?P<text>.*?)^```$", re.S | re.M
)
BETWEEN = "--- the next block ---"
UPDATED = (
    "    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n"
    "        train = tf.train.AdamOptimizer"
)
HALF = """
import twinflow as tf
x = tf.placeholder(tf.float32, [None])
y = 0.5 * x + 2.0
with tf.Session() as session:
    tf.saved_model.simple_save(session, "models/half/1", {"x": x}, {"y": y})
"""


class Failed(Exception):
    """A step did not do what its page says."""


def programs(page: Path) -> list[list[tuple[str, str]]]:
    """The programs of a page, by their blocks: (code, what it prints)."""
    found: list[list[tuple[str, str]]] = []
    for block in BLOCK.finditer(page.read_text()):
        marker, text = block["marker"], block["text"]
        if block["language"] == "python" and marker == "<!-- continues -->":
            found[-1].append((text, "..."))
        elif block["language"] == "python":
            found.append([(text, "...")])
        elif marker == "<!-- output -->":
            found[-1][-1] = (found[-1][-1][0], text)
    return found


class Newcomer:
    """Somebody with a new environment and an empty folder."""

    def __init__(self, folder: Path, pure: bool) -> None:
        self.bin = folder / "environment" / "bin"
        self.folder = folder
        self.env = {
            "HOME": str(folder), "LANG": "C.UTF-8", "MPLBACKEND": "Agg",
            "PATH": f"{self.bin}:/usr/bin:/bin",
            **{k: v for k, v in os.environ.items() if "PIP_" in k or "SSL_" in k},
            **({"TWINFLOW_BUILD": "pure"} if pure else {}),
        }  # fmt: skip
        self.failed = 0

    def step(self, name: str, work: Callable, *arguments: object) -> None:
        """Do it, and say how long it took or what went wrong."""
        began = time.monotonic()
        try:
            work(*arguments)
            said = "done"
        except (Failed, OSError, subprocess.TimeoutExpired) as error:
            self.failed += 1
            said = f"FAILED\n{textwrap.indent(str(error), '    ')}"
        print(f"{time.monotonic() - began:7.1f} s  {name}: {said}", flush=True)

    def run(self, command: str, where: Path, statuses: tuple = (0,)) -> str:
        """What a command prints."""
        where.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            command, shell=True, cwd=where, env=self.env, text=True, timeout=900,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode not in statuses:
            errors = where / "errors"
            said = done.stdout + (errors.read_text() if errors.exists() else "")
            raise Failed(f"$ {command}\n{said}status {done.returncode}")
        return done.stdout

    def install(self) -> None:
        """An environment with the checkout in it."""
        venv.create(self.folder / "environment", with_pip=True)
        self.run(f"pip install -q '.[{EXTRAS}]' onnxruntime", ROOT)

    def page(self, path: str) -> None:
        """Run the programs of a page, and compare what they print."""
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        for number, blocks in enumerate(programs(ROOT / path)):
            where = self.folder / path.replace("/", "_") / str(number)
            where.mkdir(parents=True)
            code = f"\nprint({BETWEEN!r}, flush=True)\n".join(c for c, _ in blocks)
            (where / "program.py").write_text(code)
            everything = self.run("python -W ignore program.py 2>errors", where)
            for (_, says), prints in zip(
                blocks, everything.split(BETWEEN + "\n"), strict=True
            ):
                if not doctest.OutputChecker().check_output(says, prints, flags):
                    raise Failed(f"{path} says\n{says}and it prints\n{prints}")

    def migrate(self) -> None:
        """Take the script of docs/migration/script.md over, as that page does."""
        where = self.folder / "migration"
        where.mkdir()
        script, _ = programs(ROOT / "docs/migration/script.md")[0][1]
        (where / "train.py").write_text(script)
        commands = "twinflow check train.py", "twinflow run train.py"
        printed = [self.run(command, where) for command in commands]
        self._say("moving averages" in printed[1], printed[1])
        found = self.run("twinflow verify train.py -- --steps=5", where, (1,))
        self._say("never runs" in found, found)
        fixed = script.replace("    train = tf.train.AdamOptimizer", UPDATED)
        (where / "train.py").write_text(fixed)
        printed = [self.run("twinflow run train.py", where)]
        self._say("accuracy 0.9" in printed[0], printed[0])
        self.run("twinflow verify train.py -- --steps=5", where)
        listed = self.run("twinflow ckpt ls logs/model-600", where)
        self._say("batch_normalization/moving_mean" in listed, listed)

    def tensorboard(self) -> None:
        """Ask a TensorBoard for the curve that the migrated script wrote."""
        port = _free_port()
        command = f"tensorboard --logdir logs --port {port}"
        address = f"http://127.0.0.1:{port}/data/plugin/scalars/tags"
        tags = self.served(command, self.folder / "migration", address, "loss")
        self._say("loss" in tags, tags)

    def serve(self) -> None:
        """Serve a model as docs/serving.md does, and ask it."""
        where = self.folder / "serving"
        where.mkdir()
        (where / "half.py").write_text(HALF)
        self.run("python half.py", where)
        port = _free_port()
        command = f"twinflow serve models/half --name half --rest-port {port}"
        address = f"http://127.0.0.1:{port}/v1/models/half:predict"
        asked = json.dumps({"instances": [1.0, 2.0]}).encode()
        answer = self.served(command, where, address, "predictions", asked)
        self._say(json.loads(answer) == {"predictions": [2.5, 3.0]}, answer)

    def served(
        self, command: str, where: Path, address: str, word: str, data=None
    ) -> str:
        """The first answer of a server that has a word in it."""
        server = subprocess.Popen(
            f"exec {command}", shell=True, cwd=where, env=self.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            for _ in range(240):
                time.sleep(0.25)
                try:
                    with urllib.request.urlopen(address, data, timeout=10) as answer:
                        text = answer.read().decode()
                except urllib.error.URLError:
                    continue
                if word in text:
                    return text
            raise Failed(f"{command} gave no {word!r} in 60 s")
        finally:
            server.terminate()
            server.wait(30)

    def _say(self, holds: bool, text: str) -> None:
        if not holds:
            raise Failed(f"this is not what the page says:\n{text}")


def _free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def main(arguments: list[str]) -> int:
    """Do it all; 1 if a step failed, 2 if no folder was given."""
    folders = [a for a in arguments if a != "--pure"]
    if len(folders) != 1 or Path(folders[0]).exists():
        print(f"{__doc__}\nGive a folder that does not exist.", file=sys.stderr)
        return 2
    folder = Path(folders[0]).resolve()
    folder.mkdir(parents=True)
    somebody = Newcomer(folder, "--pure" in arguments)
    somebody.step("install", somebody.install)
    home = folder / "check"
    for command in ("twinflow --version", "twinflow doctor"):
        somebody.step(command, somebody.run, command, home, (0, 1))
    pure = " --pure" if "--pure" in arguments or not shutil.which("cc") else ""
    check = f"python {ROOT / 'tools' / 'check_wheel.py'}{pure}"
    somebody.step("train a line", somebody.run, check, home)
    for page in PAGES:
        somebody.step(page, somebody.page, page)
    somebody.step("migrate a script", somebody.migrate)
    somebody.step("look at TensorBoard", somebody.tensorboard)
    somebody.step("serve a model", somebody.serve)
    return int(somebody.failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
