"""One Python environment per framework, made when it is first needed."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / ".venv" / "bench"
FRAMEWORKS = ("twinflow", "torch", "tensorflow", "jax")


@dataclass(frozen=True)
class Peer:
    """A framework to compare with.

    Args:
        title: its name in the table.
        variable: the environment variable that may name a Python which has it.
        requirement: what pip installs. beside: what it installs for the cases.
    """

    title: str
    variable: str
    requirement: str
    beside: tuple = ("numpy",)

    def requirements(self):
        """What its environment holds: torch brings no NumPy of its own."""
        return [self.requirement, *self.beside]


PEERS = {
    "torch": Peer(
        "PyTorch", "TWINFLOW_BENCH_TORCH", "torch==2.13.0", ("numpy", "Pillow")
    ),
    "tensorflow": Peer("TensorFlow", "TWINFLOW_BENCH_TF221", "tensorflow==2.21.0"),
    "jax": Peer("jax", "TWINFLOW_BENCH_JAX", f"jax=={metadata.version('jax')}"),
}
TITLES = {"twinflow": "twinflow", **{name: p.title for name, p in PEERS.items()}}


@dataclass
class Environments:
    """The Python of each framework that can be measured, and why others cannot."""

    pythons: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


class Missing(Exception):
    """A framework cannot be measured; the text says why and what to do."""


def prepare(peers=tuple(PEERS), folder=FOLDER, say=print):
    """Find or make the environment of every framework.

    Args:
        peers: names of PEERS.
        folder: where environments are made, each with a stamp of what is in it.
        say: shows a line of text.
    Returns:
        Environments; a framework that cannot be installed is in `missing`.
    """
    found = Environments({"twinflow": sys.executable})
    for name in peers:
        try:
            found.pythons[name] = _python_of(name, PEERS[name], Path(folder), say)
        except Missing as error:
            found.missing[name] = str(error)
            say(str(error))
    return found


def _python_of(name, peer, folder, say):
    named = os.environ.get(peer.variable)
    if named:
        return _check(named, name, peer)
    home = folder / name
    python, stamp = home / "bin" / "python", home / ".made"
    wanted = f"{sys.version.split()[0]} {' '.join(peer.requirements())}\n"
    if not (_runs(python) and stamp.is_file() and stamp.read_text() == wanted):
        say(f"Installing {peer.requirement} into {home} (once; this may take minutes)")
        _install(home, python, peer)
        stamp.write_text(wanted)  # last: an interrupted installation is done again
    return str(python)


def _check(python, name, peer):
    """A Python that the user named, if it has the package."""
    if not _runs(python, f"import importlib.util as u; assert u.find_spec({name!r})"):
        raise Missing(
            f"{peer.title}: {peer.variable}={python} is not a Python with {name}; "
            "its column shows dashes."
        )
    return python


def _runs(python, code="pass"):
    try:
        done = subprocess.run([str(python), "-c", code], capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


def _install(home, python, peer):
    shutil.rmtree(home, ignore_errors=True)
    commands = [
        [sys.executable, "-m", "venv", str(home)],
        [str(python), "-m", "pip", "install", "--quiet",
         "--disable-pip-version-check", *peer.requirements()],
    ]  # fmt: skip
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            lines = (done.stdout + done.stderr).strip().splitlines() or ["no message"]
            raise Missing(
                f"{peer.title}: {peer.requirement} could not be installed; its column "
                f"shows dashes. {peer.variable} may name a Python that has it.\n"
                f"  {lines[-1]}"
            )
