"""How much of what programs import below `tensorflow.python` and `contrib` is there.

`python -m tests.support.deep_modules FILE` reads a list of the modules of TensorFlow
1.12, `module: name name`, asks the door for each name, and prints the share of those
that are there, with the modules that lack most. What few programs import counts apart:
names with an underscore, the C interface, tests' own ops and tools, examples.
"""

import argparse
import collections
import re
from pathlib import Path

from twinflow.compat.door import resolve

_APART = {
    "C interface": re.compile(r"pywrap|c_api_util"),
    "test": re.compile(r"test_ops|_test_|_testlib|test_util|googletest|kernel_tests"),
    "example": re.compile(r"\.examples\."),
}


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
    lacking, nothing = collections.defaultdict(list), object()
    for path, names in modules.items():
        known = resolve.is_module(path)
        for name in names:
            if not known or resolve.attribute(path, name, nothing) is nothing:
                lacking[path].append(name)
    return lacking


def kind_of(path, name):
    """Who imports a name, as far as its place tells."""
    if name.startswith("_"):
        return "private"
    return next((k for k, words in _APART.items() if words.search(path)), "program")


def shares(modules, lacking):
    """{kind of name: (there, of)}, those of programs first."""
    counts = {kind: [0, 0] for kind in ("program", *_APART, "private")}
    for path, names in modules.items():
        for name in names:
            count = counts[kind_of(path, name)]
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
