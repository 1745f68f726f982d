"""The rules of docs/layout.md: who may import whom, and from where."""

import ast
import pkgutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.source_tree import (
    ROOT,
    TOP,
    Layout,
    package_of,
    project_files,
    python_files,
    read_layout,
)
from tests.support.stubs import indexes

TERMINAL = f"{TOP}_terminal"
FOLDERS = (TOP, TERMINAL, "tests", "docs", "benchmarks", "examples")
VAGUE_NAMES = {"utils.py", "helpers.py", "common.py"}
DYNAMIC_IMPORTS = {"__import__", "import_module", "importlib.import_module"}
REGISTRY_HOMES = (f"{TOP}.base.op", f"{TOP}.base.op_lookup")
REGISTRY_FILES = ("base/op.py", "base/op_lookup.py")
# Joined here, so that this file does not contain what it looks for.
PRIVATE_PATHS = ["../" + "shared", "/" + "work/", "/" + "root/"]


@dataclass(frozen=True)
class Import:
    """One imported module; `function` is the innermost enclosing one, if any."""

    module: str
    line: int
    function: str | None = None
    dynamic: bool = False


class ImportFinder(ast.NodeVisitor):
    """Collects the imports of a module in `found`, relative names resolved.

    Args:
        path: of the file, relative to the checkout.
        packages: names of packages, to tell `from twinflow import base` (a package)
            from `from twinflow import add` (a name of the public index).
    """

    def __init__(self, path, packages):
        self.folder = Path(path).parent.parts
        self.packages = packages
        self.scopes = []
        self.found = []

    def add(self, module, node, dynamic=False):
        functions = [name for kind, name in self.scopes if kind == "function"]
        function = functions[-1] if functions else None
        self.found.append(Import(module, node.lineno, function, dynamic))

    def visit_Import(self, node):
        for alias in node.names:
            self.add(alias.name, node)

    def visit_ImportFrom(self, node):
        above = self.folder[: len(self.folder) + 1 - node.level] if node.level else ()
        module = ".".join([*above, *filter(None, [node.module])])
        if module != TOP:
            self.add(module, node)
            return
        for alias in node.names:
            is_package = alias.name in self.packages
            self.add(f"{TOP}.{alias.name}" if is_package else TOP, node)

    def visit_Call(self, node):
        if ast.unparse(node.func) in DYNAMIC_IMPORTS:
            name = node.args[0] if node.args else None
            known = isinstance(name, ast.Constant) and isinstance(name.value, str)
            self.add(name.value if known else "?", node, dynamic=True)
        self.generic_visit(node)

    def inside(self, kind, name, node):
        self.scopes.append((kind, name))
        self.generic_visit(node)
        self.scopes.pop()

    def visit_ClassDef(self, node):
        self.inside("class", node.name, node)

    def visit_FunctionDef(self, node):
        in_class = bool(self.scopes) and self.scopes[-1][0] == "class"
        self.inside("function", "a method" if in_class else node.name, node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.inside("function", "a lambda", node)


def importers(path, layout):
    """The names by which the tables may call this file: its package, its module."""
    module = Path(path).relative_to(TOP).with_suffix("").as_posix()
    return (module if module in layout.numbers else package_of(path)), module


def imported_package(module):
    """`base` for twinflow.base.dtypes, `twinflow` for the indexes, None for others."""
    top, *rest = module.split(".")
    return (rest[0] if rest else TOP) if top == TOP else None


def check_import(found, path, layout):
    """What is wrong with one import, as text, or None."""
    names = importers(path, layout)
    here, there = names[0], imported_package(found.module)
    if found.module.split(".")[0] in ("jax", "jaxlib") and here != "lower":
        return f"imports {found.module}, which only lower/ may"
    if found.dynamic and found.function == "__getattr__":
        return None  # PEP 562: an index loads a name at its first use
    where = "function" if found.function else "module"
    if any((name, there, where) in layout.allowed for name in names):
        return None
    if found.function:
        return f"imports {found.module} inside {found.function}"
    if there is None or found.module == "?":
        return None
    there = there if there in layout.numbers else TOP  # a module directly in twinflow/
    if there == here or layout.numbers[there] < layout.numbers[here]:
        return None
    return (
        f"{here} ({layout.numbers[here]}) imports {found.module} "
        f"({layout.numbers[there]}); imports only go to a smaller number"
    )


def check_imports(source, path, layout):
    """Every wrong import in a file, as `file:line: what`."""
    if importers(path, layout)[0] not in layout.numbers:
        return [f"{path}: its package is not in docs/layout.md"]
    finder = ImportFinder(path, layout.numbers)
    finder.visit(ast.parse(source))
    wrong = [(found.line, check_import(found, path, layout)) for found in finder.found]
    return [f"{path}:{line}: {what}" for line, what in wrong if what]


def check_families(source, path, layout):
    """Every import in a file of ops that does not go to a lower family."""
    parts = Path(path).relative_to(TOP).parts
    if parts[0] != "ops" or parts[1:] == ("__init__.py",):
        return []
    family = parts[1]
    if family not in layout.families:
        return [f"{path}: its family of ops is not in docs/layout.md"]
    finder = ImportFinder(path, layout.numbers)
    finder.visit(ast.parse(source))
    wrong = [
        (found.line, check_family(found.module, family, layout.families))
        for found in finder.found
    ]
    return [f"{path}:{line}: {what}" for line, what in wrong if what]


def check_family(module, here, families):
    """What is wrong with an import of `module` in the family `here`, or None."""
    if module == f"{TOP}.ops":
        return "imports ops itself: say the family"
    if not module.startswith(f"{TOP}.ops."):
        return None
    there = module.split(".")[2]
    if there == here or families.get(there, len(families)) < families[here]:
        return None
    return (
        f"{here} ({families[here]}) imports {module} ({families.get(there, '?')}); "
        "families of ops only import lower ones"
    )


def check_look_ups(source, path):
    """Every place that takes an op from the registry, which may not have it yet.

    An op that is known when the code is written is imported; base.op_lookup finds the
    others by their types, and loads them.
    """
    if "registry" not in source:  # most files: parsing takes a thousand times as long
        return []
    nodes = list(ast.walk(ast.parse(source)))
    imported = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module in REGISTRY_HOMES
        for alias in node.names
        if alias.name == "registry"
    }
    return [
        f"{path}:{node.lineno}: takes an op from the registry; import the op, or use "
        "base.op_lookup.known_op"
        for node in nodes
        if isinstance(node, ast.Name) and node.id in imported
    ]


def check_names(paths):
    """Files with names that say nothing, and folders that are no packages."""
    vague = [
        f"{path}: say in its name what it holds"
        for path in paths
        if Path(path).name in VAGUE_NAMES
    ]
    folders = {Path(path).parent for path in paths if Path(path).parts[0] == TOP}
    listed = {Path(path) for path in paths}
    bare = [
        f"{folder}: has no __init__.py"
        for folder in sorted(folders)
        if folder / "__init__.py" not in listed
    ]
    return vague + bare


def check_private_paths(text, path):
    """Lines that name a path which exists only on a developer's machine."""
    return [
        f"{path}:{number}: names {private}"
        for number, line in enumerate(text.splitlines(), 1)
        for private in PRIVATE_PATHS
        if private in line
    ]


def test_imports_go_to_a_smaller_number():
    layout = read_layout()
    wrong = []
    for path in python_files(TOP):
        wrong += check_imports((ROOT / path).read_text(), path, layout)
    assert not wrong, "\n".join(wrong)


def test_the_command_line_loads_no_twinflow():
    """twinflow_terminal names what carries a command out, and imports none of it."""
    wrong = []
    for path in python_files(TERMINAL):
        finder = ImportFinder(path, ())
        finder.visit(ast.parse((ROOT / path).read_text()))
        outside = set(sys.stdlib_module_names) | {"click", TERMINAL}
        wrong += [f for f in finder.found if f.module.split(".")[0] not in outside]
    assert not wrong


def test_families_of_ops_import_lower_ones():
    layout = read_layout()
    wrong = []
    for path in python_files(f"{TOP}/ops"):
        wrong += check_families((ROOT / path).read_text(), path, layout)
    assert not wrong, "\n".join(wrong)


def test_every_listed_family_of_ops_is_there():
    folders = {path.parts[2] for path in python_files(f"{TOP}/ops") if path.parts[3:]}
    families = read_layout().families
    assert set(families) == folders
    assert [name for name, level in families.items() if level == 1] == ["core"]


def check_hidden_names(name, table, modules):
    """Public names of an index that importing a module beside it would take away."""
    return [
        f"{name}.{module}: a module and a public name"
        for module in sorted(modules)
        if table.get(module, (f"{name}.{module}", "*")) != (f"{name}.{module}", "*")
    ]


def test_no_module_hides_a_public_name():
    wrong = []
    for name, index in indexes().items():
        modules = {m.name for m in pkgutil.iter_modules(getattr(index, "__path__", ()))}
        wrong += check_hidden_names(name, index.__getattr__.table, modules)
    assert not wrong, "\n".join(wrong)


def test_a_planted_module_that_hides_a_name_is_found():
    table = {"norm": ("a.b.norm", "norm"), "ops": ("a.b.ops", "*"), "x": ("a.b.y", "x")}
    assert check_hidden_names("a.b", table, {"norm", "ops", "y"}) == [
        "a.b.norm: a module and a public name"
    ]


def test_no_op_is_looked_up_by_its_name():
    wrong = []
    for path in python_files(TOP):
        if path.relative_to(TOP).as_posix() not in REGISTRY_FILES:
            wrong += check_look_ups((ROOT / path).read_text(), path)
    assert not wrong, "\n".join(wrong)


def test_names_say_what_files_hold():
    wrong = check_names(python_files(*FOLDERS))
    assert not wrong, "\n".join(wrong)


def test_no_file_names_a_private_path():
    wrong = []
    for path in project_files(*FOLDERS):
        wrong += check_private_paths((ROOT / path).read_text(errors="replace"), path)
    assert not wrong, "\n".join(wrong)


def test_the_layout_has_the_fourteen_levels():
    numbers = read_layout().numbers
    assert set(numbers.values()) == set(range(1, 15))
    assert numbers["base"] == 1 and numbers[TOP] == 14
    assert numbers["eager"] == numbers["graph"] == 5


def check_rows(layout, paths):
    """Rows of the table of the order that name a package which does not exist."""
    packages = {package_of(path) for path in paths}
    modules = {Path(path).stem for path in paths if len(Path(path).parts) == 2}
    return sorted(set(layout.numbers) - packages - modules)


def test_the_layout_lists_only_what_there_is():
    assert check_rows(read_layout(), python_files(TOP)) == []


def test_a_planted_row_without_a_package_is_found():
    paths = [f"{TOP}/{name}/a.py" for name in ("base", "ops", "graph", "eager")]
    layout = Layout(numbers={"base": 1, "autograph": 7, TOP: 13})
    assert check_rows(layout, [*paths, f"{TOP}/__init__.py"]) == ["autograph"]


LAYOUT = Layout(
    numbers={"base": 1, "ops": 2, "graph": 4, "eager": 4, "lower": 6, "execute": 7,
             "testing": 13, "contrib": 13, TOP: 13},
    allowed=frozenset({
        ("execute", "lower", "function"),
        ("base/devices", "lower", "function"),
        ("testing", TOP, "module"),
    }),
)  # fmt: skip
LAZY_INDEX = (
    "import importlib\n"
    "def __getattr__(name):\n"
    "    return importlib.import_module('twinflow.graph')\n"
)
SHARED_INDEX = (
    "from importlib import import_module\n"
    "def index(names):\n"
    "    def __getattr__(name):\n"
    "        return import_module(names[name])\n"
    "    return __getattr__\n"
)
IN_FUNCTION = "def f():\n    "


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("ops/array.py", "import numpy as np"),
        ("ops/array.py", "from twinflow.base.dtypes import float32"),
        ("ops/array.py", "from twinflow import base"),
        ("ops/array.py", "from ..base import nest"),
        ("ops/array.py", "from . import index"),
        ("ops/array.py", "from twinflow.ops import index"),
        ("lower/array.py", "import jax.numpy as jnp"),
        ("execute/plan.py", IN_FUNCTION + "from twinflow.lower import array"),
        ("base/devices.py", IN_FUNCTION + "from twinflow import lower"),
        ("testing/coverage.py", "import twinflow as tf"),
        ("__init__.py", LAZY_INDEX),
        ("math.py", "from twinflow.nn import relu"),
        ("math.py", LAZY_INDEX),
        ("eager.py", "from twinflow.ops import array"),
        ("base/public_index.py", SHARED_INDEX),
    ],
)
def test_good_imports_pass(path, source):
    assert check_imports(source, f"{TOP}/{path}", LAYOUT) == []


@pytest.mark.parametrize(
    ("path", "source", "message"),
    [
        ("base/a.py", "from twinflow.ops import array", "base (1) imports"),
        ("base/a.py", "from twinflow import ops", "imports twinflow.ops (2)"),
        ("base/a.py", "from .. import ops", "imports twinflow.ops (2)"),
        ("base/a.py", "from ..ops import array", "imports twinflow.ops (2)"),
        ("base/a/b.py", "from ...ops import array", "imports twinflow.ops (2)"),
        ("base/a.py", "import twinflow as tf", "imports twinflow (13)"),
        ("base/a.py", "from twinflow import add", "imports twinflow (13)"),
        ("base/a.py", "from twinflow.math import add", "imports twinflow.math (13)"),
        ("eager/a.py", "import twinflow.graph.node", "imports twinflow.graph.node (4)"),
        ("eager.py", "from twinflow.graph import node", "eager (4) imports"),
        ("contrib/a.py", "import twinflow", "imports twinflow (13)"),
        ("base/a.py", "try:\n    import twinflow.ops\nexcept E:\n    pass", "(2)"),
        ("base/a.py", "if X:\n    import jax", "imports jax, which only lower/ may"),
        ("execute/a.py", IN_FUNCTION + "from jax import numpy", "only lower/ may"),
        ("execute/a.py", "import_module('jax')", "only lower/ may"),
        ("execute/a.py", "import twinflow.base\n" + IN_FUNCTION + "import os", ":3: "),
        ("lower/a.py", IN_FUNCTION + "import jax", "imports jax inside f"),
        ("graph/a.py", IN_FUNCTION + "from twinflow import lower", "inside f"),
        ("base/a.py", IN_FUNCTION + "from twinflow import lower", "inside f"),
        ("execute/a.py", IN_FUNCTION + "import twinflow.eager", "inside f"),
        ("base/a.py", IN_FUNCTION + "importlib.import_module(x)", "? inside f"),
        ("base/a.py", "f = lambda: __import__('os')", "inside a lambda"),
        ("base/a.py", "class C:\n    def __getattr__(self, name):\n"
                      "        return import_module(name)", "inside a method"),
        ("base/a.py", "class C:\n    def f(self):\n        import os", "inside"),
        ("base/a.py", "async def f():\n    import os", "inside f"),
        ("news/a.py", "import os", "not in docs/layout.md"),
    ],
)  # fmt: skip
def test_planted_imports_are_found(path, source, message):
    (wrong,) = check_imports(source, f"{TOP}/{path}", LAYOUT)
    assert message in wrong


FAMILIES = Layout(
    numbers={"base": 1, "ops": 2}, families={"core": 1, "math": 2, "arrays": 2, "nn": 3}
)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("ops/core/a.py", "from twinflow.base import dtypes"),
        ("ops/core/a.py", "from twinflow.ops.core import shape"),
        ("ops/nn/a.py", "from twinflow.ops.math.clip import clip"),
        ("ops/nn/a.py", "from ..core.shape import shape"),
        ("ops/__init__.py", ""),
        ("graph/a.py", "from twinflow.ops.nn import conv"),
    ],
)
def test_good_imports_of_families_pass(path, source):
    assert check_families(source, f"{TOP}/{path}", FAMILIES) == []


@pytest.mark.parametrize(
    ("path", "source", "message"),
    [
        ("ops/core/a.py", "from twinflow.ops.math.clip import clip", "core (1) imp"),
        ("ops/core/a.py", "import twinflow.ops.nn.conv", "nn.conv (3)"),
        ("ops/core/a.py", "from ..nn import conv", "twinflow.ops.nn (3)"),
        ("ops/math/a.py", "from twinflow.ops.arrays import sort", "math (2) imports"),
        ("ops/math/a.py", "from twinflow.ops.news import a", "(?)"),
        ("ops/math/a.py", "from twinflow.ops import arrays", "say the family"),
        ("ops/math/a.py", "from .. import arrays", "say the family"),
        ("ops/math/a.py", IN_FUNCTION + "import twinflow.ops.nn", "math (2) imports"),
        ("ops/news/a.py", "import os", "not in docs/layout.md"),
        ("ops/loose.py", "import os", "not in docs/layout.md"),
    ],
)
def test_planted_imports_of_families_are_found(path, source, message):
    (wrong,) = check_families(source, f"{TOP}/{path}", FAMILIES)
    assert message in wrong


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("from twinflow.base.op import registry\nregistry['Sum']", 1),
        ("from twinflow.base.op import registry as r\nf(r.get(x))", 1),
        ("from twinflow.base.op_lookup import registry\nfor k in registry: f(k)", 1),
        ("from twinflow.base.op_lookup import known_op\nknown_op(x)", 0),
        ("from twinflow.autodiff import registry\nregistry.f()", 0),
    ],
)
def test_planted_look_ups_are_found(source, count):
    assert len(check_look_ups(source, f"{TOP}/ops/nn/a.py")) == count


def test_planted_names_are_found():
    paths = ["twinflow/base/__init__.py", "twinflow/base/utils.py", "twinflow/ops/x.py"]
    assert check_names(paths) == [
        "twinflow/base/utils.py: say in its name what it holds",
        "twinflow/ops: has no __init__.py",
    ]


def test_planted_private_paths_are_found():
    text = "\n".join(["a", *PRIVATE_PATHS, "shared/x", "homework"])
    wrong = check_private_paths(text, "a.md")
    assert [line.split(": ")[0] for line in wrong] == ["a.md:2", "a.md:3", "a.md:4"]
