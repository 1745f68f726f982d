"""twinflow's commands as a person meets them: in a terminal, prompt after prompt."""

import os
import pty
import subprocess
import sys

from tests.source_tree import ROOT

PROMPT = "(tf) "


def in_terminal(folder, arguments, commands):
    """(what a person sees who types `commands`, each at a prompt; the exit status).

    Args:
        folder: where `python -m twinflow` runs. arguments: of it.
    """
    terminal, inside = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "twinflow", *arguments], cwd=folder,
        env=os.environ | {"TERM": "dumb", "PYTHONPATH": str(ROOT)}, stdin=inside,
        stdout=inside, stderr=inside, start_new_session=True,
    )  # fmt: skip
    os.close(inside)
    shown = ""
    for command in [*commands, None]:
        while not shown.endswith(PROMPT) or command is None:
            try:
                part = os.read(terminal, 4096)
            except OSError:  # it has ended
                part = b""
            shown += part.decode()
            if not part:
                break
        if command is not None:
            os.write(terminal, f"{command}\n".encode())
            shown += "\n"
    process.wait()
    os.close(terminal)
    return shown.replace("\r", ""), process.returncode
