"""Run the whole corpus: `python -m tests.verification.corpus [part of a name]`."""

import sys

from tests.verification.corpus.programs import marked, programs, verdict, whole_scripts


def main(part="", compiled=True):
    """Print what is wrong, and the counts; returns whether all is right."""
    counts = {"broken": [0, 0], "sound": [0, 0]}
    for kind, count in counts.items():
        more = whole_scripts() if kind == "sound" else ()
        for name, wanted, source in (*programs(kind), *more):
            if part not in name:
                continue
            found, error = verdict(name, source, compiled)
            first = found.differences[0] if found.differences else None
            if kind == "broken":
                good = first and (first.kind, first.line) == (wanted, marked(source))
            else:
                good = first is None and not error
            count[0] += bool(good)
            count[1] += 1
            if not good:
                line = f", line {marked(source)}" if wanted else ""
                print(f"--- {name}: wanted {wanted or 'nothing'}{line}\n{source}")
                print(first.as_text() if first else error or "nothing", flush=True)
    for kind, (good, all_of_them) in counts.items():
        print(f"{kind}: {good} of {all_of_them} as they should be")
    return all(good == count for good, count in counts.values())


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:2], compiled="--interpreted" not in sys.argv))
