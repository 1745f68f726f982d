"""What converters share: core.converter."""

import ast
import enum
from typing import Any

from twinflow.autograph.transpiler import anno, cfg, qual_names
from twinflow.contrib.autograph.static import (
    activity,
    config,
    definitions,
    live_values,
    liveness,
    naming,
    type_info,
    visiting,
)


class AgAnno(enum.Enum):
    """Annotations of nodes, beside those of pyct.anno."""

    DIRECTIVES = "What the user said of the statement."

    def __repr__(self) -> str:
        return self.name


class AnnotatedDef(definitions.Definition):
    """A Definition with what the user said of the variable.

    Attributes:
        directives: from functions of lang.directives to {argument: tree}.
    """

    def __init__(self) -> None:
        super().__init__()
        self.directives: dict = {}


class ProgramContext:
    """What the conversions of one program share.

    Args:
        recursive: whether what is called is converted too.
        autograph_decorators: decorators that converted code drops.
        partial_types: classes of which single methods are converted, or None.
        autograph_module: what converted code calls `ag__`.
        uncompiled_modules: names of modules as tuples, which are never converted.
    Attributes:
        dependency_cache: from functions and classes to their converted trees.
        additional_imports: lines that the converted code needs.
        name_map: from functions and classes to their new names.
    """

    def __init__(
        self, recursive: bool, autograph_decorators: Any, partial_types: Any,
        autograph_module: Any, uncompiled_modules: Any,
    ) -> None:  # fmt: skip
        self.recursive = recursive
        self.autograph_decorators = autograph_decorators or ()
        self.partial_types = partial_types or ()
        self.autograph_module = autograph_module
        self.uncompiled_modules = uncompiled_modules
        self.dependency_cache: dict = {}
        self.additional_imports: set[str] = set()
        self.name_map: dict = {}

    @property
    def required_imports(self) -> str:
        """The first lines of the converted code."""
        own = sorted(self.additional_imports)
        return "\n".join((*config.COMPILED_IMPORT_STATEMENTS, *own))

    def new_namer(self, namespace: Any) -> naming.Namer:
        """A Namer that knows the names given so far."""
        return naming.Namer(
            namespace, self.recursive, self.name_map, self.partial_types
        )

    def update_name_map(self, namer: naming.Namer) -> None:
        """Learn the names that a Namer has given.

        Raises:
            ValueError: something has another name already.
        """
        for entity, name in namer.renamed_calls.items():
            if self.name_map.setdefault(entity, name) != name:
                raise ValueError(
                    f"Calls to {entity} were converted using multiple names "
                    f"({name} and {self.name_map[entity]})."
                )

    def add_to_cache(self, original_entity: Any, converted_ast: Any) -> None:
        """Keep the converted tree of a function or class."""
        self.dependency_cache[original_entity] = converted_ast


class EntityContext:
    """What the conversion of one function or class knows.

    Args:
        namer: makes names. entity_info: its EntityInfo. program_ctx: ProgramContext.
    """

    def __init__(self, namer: Any, entity_info: Any, program_ctx: Any) -> None:
        self.namer, self.info, self.program = namer, entity_info, program_ctx


class Base(visiting.Base):
    """A converter: a walk that changes the tree of a function.

    Args:
        ctx: the EntityContext.
    """

    def __init__(self, ctx: Any) -> None:
        super().__init__(ctx.info)
        self.ctx = ctx

    def get_definition_directive(
        self, node: ast.AST, directive: Any, arg: str, default: Any
    ) -> Any:
        """What the user said of a variable.

        Args:
            node: its name. directive: a function of lang.directives. arg: which of its
                arguments. default: where nothing was said.
        Returns:
            A tree.
        Raises:
            ValueError: two things were said that differ.
        """
        found = anno.getanno(node, anno.Static.ORIG_DEFINITIONS, ())
        if not found:
            return default
        said = [d.directives[directive][arg] for d in found
                if arg in d.directives.get(directive, {})]  # fmt: skip
        kinds = {ast.dump(tree) for tree in said}
        if len(kinds) > 1:
            shown = sorted({ast.unparse(tree) for tree in said})
            raise ValueError(
                f"{ast.unparse(node)} has ambiguous annotations for "
                f"{directive.__name__}({arg}): {', '.join(shown)}"
            )
        return said[0] if said else default


def apply_(node: Any, context: EntityContext, converter_module: Any) -> Any:
    """Analyse a tree anew and let a converter change it."""
    node = standard_analysis(node, context)
    return converter_module.transform(node, context)


def standard_analysis(
    node: Any, context: EntityContext, is_initial: bool = False
) -> Any:
    """Note at a tree all that the analyses of pyct.static_analysis find.

    Args:
        node: the tree of a function or class. context: EntityContext.
        is_initial: keep the definitions as those of the user's code, too.
    """
    node = qual_names.resolve(node)
    node = activity.resolve(node, context.info, None)
    graphs = cfg.build(node)
    node = definitions.resolve(node, context.info, graphs, AnnotatedDef)
    node = liveness.resolve(node, context.info, graphs)

    def with_values(tree: Any) -> Any:
        return live_values.resolve(tree, context.info, config.PYTHON_LITERALS)

    # Again at the end: for attributes of what type_info has found.
    node = with_values(type_info.resolve(with_values(node), context.info))
    if is_initial:
        names = {anno.Static.DEFINITIONS: anno.Static.ORIG_DEFINITIONS}
        anno.dup(node, names)
    return node
