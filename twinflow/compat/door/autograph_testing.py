"""What tests of converters stand on: core.converter_testing and utils.testing."""

import contextlib
import io
import pkgutil
import sys
import types
from collections.abc import Iterator
from typing import Any

from twinflow.compat.door import resolve

_AUTOGRAPH = "python.autograph."


def _autograph(path: str, name: str) -> Any:
    return resolve.attribute(_AUTOGRAPH + path, name)


def fake_tf() -> Any:
    """A module with what math_ops and ops have, for tests of converted code."""
    module: Any = types.ModuleType("tensorflow")

    def find(name: str) -> Any:
        for path in ("python.ops.math_ops", "python.framework.ops"):
            found = resolve.attribute(path, name, None)
            if found is not None:
                return found
        raise AttributeError(name)

    module.__getattr__ = find
    return module


def imported_decorator(f: Any) -> Any:
    """A decorator that adds 1 to what a function of one argument gives."""
    return lambda a: f(a) + 1


class FakeNamer:
    """Names by a counter that all of them share."""

    def __init__(self) -> None:
        self.i = 0

    def new_symbol(self, name_root: str, used: Any) -> str:
        """A name that nothing has."""
        while True:
            self.i += 1
            name = f"{name_root}{self.i}"
            if name not in used:
                return name

    def compiled_function_name(
        self, original_fqn: Any, live_entity: Any = None, owner_type: Any = None
    ) -> tuple:
        """(the name of a converted function, whether it is another)."""
        if owner_type is not None:
            return None, False
        return f"renamed_{'_'.join(original_fqn)}", True


class FakeNoRenameNamer(FakeNamer):
    """Functions keep their names."""

    def compiled_function_name(self, original_fqn: Any, **_: Any) -> tuple:
        """(the name of a function, False)."""
        return str(original_fqn), False


class _Options:
    """Stands for api.ConversionOptions."""

    def __init__(self, recursive: bool) -> None:
        self.recursive = recursive

    @classmethod
    def new(cls, recursive: bool) -> Any:
        return cls(recursive)


_Options.__name__ = "ConversionOptions"


class TestCase(pkgutil.resolve_name("twinflow.test:TestCase")):  # type: ignore[misc]
    """A test of a converter, whose code is run with modules made for it."""

    __test__ = False

    @contextlib.contextmanager
    def assertPrints(self, expected_result: str) -> Iterator[None]:
        """A block that prints a text."""
        before, sys.stdout = sys.stdout, io.StringIO()
        try:
            yield
            self.assertEqual(sys.stdout.getvalue(), expected_result)
        finally:
            sys.stdout = before

    @contextlib.contextmanager
    def compiled(self, node: Any, namespace: dict, *symbols: Any) -> Iterator[Any]:
        """The module of a tree.

        Its `tf` has `symbols`, its `ag__` the operators; calls that are converted when
        they run are kept in `dynamic_calls`, and give 7.
        """
        self.dynamic_calls: list = []

        def converted_call(*args: Any) -> int:
            self.dynamic_calls.append(args)
            return 7

        compiler = _autograph("pyct.compiler", "ast_to_object")
        result, source = compiler(node, include_source_map=True)
        result.tf = self.make_fake_mod("fake_tf", *symbols)
        made: Any = self.make_fake_mod("fake_ag", converted_call, _Options)
        operators = pkgutil.resolve_name("twinflow.contrib.autograph.operators")
        for name in operators.__all__:
            setattr(made, name, getattr(operators, name))
        made.utils = pkgutil.resolve_name("twinflow.contrib.autograph.utils")
        for path, name in (
            ("core.errors", "rewrite_graph_construction_error"),
            ("core.function_wrapping", "function_scope"),
        ):
            setattr(made, name, _autograph(path, name))
        result.ag__ = made
        vars(result).update(namespace)
        try:
            yield result
        except Exception:
            print("Offending compiled code:\n" + source)
            raise

    @contextlib.contextmanager
    def converted(
        self, entity: Any, converter_module: Any, namespace: dict, *tf_symbols: Any
    ) -> Iterator[Any]:
        """The module of a function that one converter has changed."""
        node, ctx = self.prepare(entity, namespace)
        node = converter_module.transform(node, ctx)
        with self.compiled(node, namespace, *tf_symbols) as result:
            yield result

    def make_fake_mod(self, name: str, *symbols: Any) -> Any:
        """A module that has some things under their names.

        Raises:
            ValueError: one of them has no name.
        """
        made = types.ModuleType(name)
        for s in symbols:
            known = getattr(s, "__name__", None) or getattr(s, "name", None)
            if known is None:
                raise ValueError(f"can not attach {s} - what should be its name?")
            setattr(made, known, s)
        return made

    def attach_namespace(self, module: Any, **ns: Any) -> None:
        """Give a module some names."""
        vars(module).update(ns)

    def prepare(
        self, test_fn: Any, namespace: dict, namer: Any = None, arg_types: Any = None,
        owner_type: Any = None, recursive: bool = True, autograph_decorators: Any = (),
    ) -> tuple:  # fmt: skip
        """(the analysed tree of a function, its EntityContext)."""
        module, source = _autograph("pyct.parser", "parse_entity")(test_fn)
        program = _autograph("core.converter", "ProgramContext")(
            recursive, autograph_decorators, None, None,
            _autograph("core.config", "DEFAULT_UNCOMPILED_MODULES"),
        )  # fmt: skip
        info = _autograph("pyct.transformer", "EntityInfo")(
            source, "<fragment>", namespace, None, arg_types, owner_type
        )
        ctx = _autograph("core.converter", "EntityContext")(
            FakeNamer() if namer is None else namer, info, program
        )
        analyse = _autograph("core.converter", "standard_analysis")
        return analyse(module.body[0], ctx, is_initial=True), ctx
