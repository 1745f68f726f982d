"""How much of what programs import below `tensorflow.python` and `contrib` is there.

`python -m tests.support.deep_modules FILE` reads a list of the modules of TensorFlow
1.12, `module: name name`, asks the door for each name, and prints the share of those
that are there, with the modules that lack most. Names with an underscore count apart.
"""

import argparse
import collections
from pathlib import Path

from twinflow.compat.door import resolve


def listed(text):
    """{path below `tensorflow`: [names]} of a list."""
    found = {}
    for line in text.splitlines():
        module, colon, names = line.partition(":")
        if colon and not line.startswith("#"):
            found[resolve.below(module.strip())] = names.split()
    return found


def missing(modules):
    """{path: [names that are not there]}; of a module that is not, all."""
    lacking = collections.defaultdict(list)
    for path, names in modules.items():
        known = resolve.is_module(path)
        for name in names:
            if not known or resolve.attribute(path, name, None) is None:
                lacking[path].append(name)
    return lacking


def shares(modules, lacking):
    """{"public" or "private": (there, of)}."""
    counts = {"public": [0, 0], "private": [0, 0]}
    for path, names in modules.items():
        for name in names:
            count = counts["private" if name.startswith("_") else "public"]
            count[0] += name not in lacking.get(path, ())
            count[1] += 1
    return {kind: tuple(count) for kind, count in counts.items()}


def main(argv=None):
    """Print what is there and what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="the list of modules")
    parser.add_argument("--all", action="store_true", help="all that is missing")
    chosen = parser.parse_args(argv)
    modules = listed(chosen.file.read_text())
    lacking = missing(modules)
    ordered = sorted(lacking.items(), key=lambda entry: -len(entry[1]))
    for path, names in ordered if chosen.all else ordered[:20]:
        print(f"{len(names):4}  {path}: {' '.join(names)}")
    for kind, (there, of) in shares(modules, lacking).items():
        print(f"{there} of {of} {kind} names are there: {there / max(of, 1):.1%}")


if __name__ == "__main__":
    main()
