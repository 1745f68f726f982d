"""`python replaying.py FOLDER RESULTS`: run the capsules of a folder again.

For each: the report of `twinflow replay --json -`, its exit status, and what the op
that failed was given this time.
"""

import contextlib
import io
import json
import os
import sys

from twinflow.base.watching import watched_by
from twinflow.cli import main


def replay(path, marks):
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), watched_by(marks):
        status = main.main(["replay", "--no-debug", "--json", "-", path])
    report = json.loads(shown.getvalue()) if shown.getvalue() else None
    return {"status": status, "report": report, "given": marks.found}


def run(folder, results, marks_for):
    found = {}
    for file in sorted(os.listdir(folder)):
        name, ending = os.path.splitext(file)
        if ending == ".capsule":
            found[name] = replay(os.path.join(folder, file), marks_for(name))
    with open(results, "w") as f:
        json.dump(found, f)


if __name__ == "__main__":
    import failing  # beside this file: it makes the same fingerprints

    run(*sys.argv[1:], lambda n: failing.Fingerprints(failing.PROGRAMS[n][1]))
