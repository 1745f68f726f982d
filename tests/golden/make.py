"""Makes the golden files: TF112_PYTHON=... python -m tests.golden.make [NAME ...]"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def main(names):
    python = os.environ["TF112_PYTHON"]
    for path in sorted((HERE / "programs").glob("*.py")):
        if names and path.stem not in names:
            continue
        done = subprocess.run(
            [python, HERE / "runner.py", "tensorflow", path.relative_to(Path.cwd())],
            check=True, capture_output=True,
        )  # fmt: skip
        path.with_suffix(".json").write_bytes(done.stdout)
        print(f"{path.stem}: {len(done.stdout)} bytes")
    for path in sorted((HERE / "scripts").glob("*.py")):
        if not names or path.stem in names:
            write_down(python, path)


def write_down(python, path):
    """Keep what a script prints; it runs in a folder that is thrown away."""
    quiet = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", PYTHONWARNINGS="ignore")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [python, path], check=True, stdout=subprocess.PIPE, cwd=folder, env=quiet
        )
    path.with_suffix(".txt").write_bytes(done.stdout)
    print(f"{path.stem}: {len(done.stdout)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
