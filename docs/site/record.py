"""Runs examples as notebooks and keeps what they print and draw: `make examples`.

    python docs/site/record.py [NAME ...]     # those whose code has changed, or these

Each runs in full, in a kernel of Jupyter and in a folder of its own. What goes into
docs/examples is the text of each cell, the pictures that it wrote, and the seconds.
"""

import json
import os
import re
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import programs
from nbclient import NotebookClient
from PIL import Image

LINES = 24  # of one output; of longer ones the middle is left out


def main(names: list[str]) -> int:
    """Record them, and say so."""
    for name, example in programs.every().items():
        if name in names or (not names and is_stale(example)):
            print(f"{name} ...", flush=True)
            print(f"{name}: {kept(example)['seconds']} seconds", flush=True)
    return 0


def is_stale(example) -> bool:
    """Whether there is no record, or one of other code."""
    try:
        return programs.record(example)["code"] != programs.digest(example)
    except FileNotFoundError:
        return True


def kept(example) -> dict:
    """Run an example and write its record."""
    folder = programs.RECORDS / example.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        start, used = time.perf_counter(), processor_seconds()
        cells = run(example, Path(place), folder)
        took = [time.perf_counter() - start, processor_seconds() - used]
        seconds = round(min(took), 1)  # others may have used the processor, too
    found = {"code": programs.digest(example), "seconds": seconds, "cells": cells}
    text = json.dumps(found, indent=1, ensure_ascii=False)
    (folder / "record.json").write_text(text + "\n")
    return found


def processor_seconds() -> float:
    """Of all kernels that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(example, place: Path, folder: Path) -> list[dict]:
    """Of each cell of the program its text and the names of its pictures."""
    book = nbformat.reads(json.dumps(programs.notebook(example)), as_version=4)
    nbformat.validate(book)
    found: list[dict] = []
    known: dict[Path, int] = {}

    def after(cell, cell_index, execute_reply=None):
        if cell.cell_type == "code":
            text = text_of(cell.outputs).replace(f"{place}/", "")
            found.append({"text": text,
                          "pictures": taken(place, folder, known)})  # fmt: skip

    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "1"
    client = NotebookClient(book, timeout=600, kernel_name="python3",
                            resources={"metadata": {"path": str(place)}},
                            on_cell_executed=after)  # fmt: skip
    client.execute()
    return found[1 + len(example.modules) :]


def taken(place, folder, known):
    """Copy the pictures that are new since the last cell."""
    names = []
    for path in sorted(place.rglob("*.png")):
        changed = path.stat().st_mtime_ns
        if known.get(path) != changed:
            known[path] = changed
            picture = Image.open(path).convert("RGB")  # a fifth of the bytes will do
            few = picture.quantize(64, Image.Quantize.MAXCOVERAGE)
            few.save(folder / path.name, optimize=True)
            names.append(path.name)
    return names


def text_of(outputs) -> str:
    """What a cell printed, as a terminal would show it in the end."""
    text = ""
    for output in outputs:
        if output.output_type == "stream" and output.name == "stdout":
            text += output.text
        elif output.output_type == "display_data":
            plain = output.data.get("text/plain", "")
            text += "" if plain.startswith("<Figure") else plain + "\n"
    lines = [_last(line) for line in text.split("\n")]
    lines = [x for x in lines if x.strip() and not x.startswith(("INFO:", "WARNING:"))]
    if len(lines) > LINES:
        lines = [*lines[: LINES // 2], "...", *lines[-LINES // 2 :]]
    return "\n".join(lines)


def _last(line):
    pieces = re.split(r"[\r\b]+", line)
    return next((p for p in reversed(pieces) if p.strip()), "").rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
