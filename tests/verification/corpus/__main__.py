"""Run the whole corpus: `python -m tests.verification.corpus [parts of names]`.

With --interpreted without the compiled way, with --quick without whole scripts.
"""

import sys
import time

from tests.verification.corpus.programs import (
    examples,
    marked,
    programs,
    verdict,
    verdict_on,
    whole_scripts,
)


def rows(quick):
    """(name, (class, line) or None, what runs it, its text) of each program."""
    for kind in ("broken", "sound"):
        for name, wanted, source in programs(kind):
            right = (wanted, marked(source)) if wanted else None
            judge = lambda compiled, n=name, s=source: verdict(n, s, compiled)
            yield name, right, judge, source
    if quick:
        return
    for name, right, path in whole_scripts():
        judge = lambda compiled, path=path: verdict_on([path], compiled)
        yield name, right, judge, ""
    for name, args, path in examples():
        judge = lambda compiled, p=path, a=args: verdict_on([p, *a], compiled)
        yield name, None, judge, ""


def main(parts=(), compiled=True, quick=False):
    """Print what is wrong, and the counts; returns whether all is right."""
    counts = {True: [0, 0], False: [0, 0]}
    for name, right, judge, source in rows(quick):
        if parts and not any(part in name for part in parts):
            continue
        start = time.monotonic()
        found, error = judge(compiled)
        first = found.differences[0] if found.differences else None
        if right:
            good = first and (first.kind, first.line) == right
        else:
            good = first is None and not error
        count = counts[right is not None]
        count[0] += bool(good)
        count[1] += 1
        if not good:
            print(f"--- {name}: wanted {right or 'nothing'}\n{source}")
            print(first.as_text() if first else error or "nothing")
        if (seconds := time.monotonic() - start) > 60:
            print(f"{name}: {seconds:.0f} s")
        sys.stdout.flush()
    for broken, (good, all_of_them) in counts.items():
        kind = "broken" if broken else "sound"
        print(f"{kind}: {good} of {all_of_them} as they should be")
    return all(good == count for good, count in counts.values())


if __name__ == "__main__":
    words = sys.argv[1:]
    names = [word for word in words if not word.startswith("--")]
    sys.exit(not main(names, "--interpreted" not in words, "--quick" in words))
