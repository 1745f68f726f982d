"""Nested structures: lists, tuples, dicts, namedtuples and attrs classes of leaves.

Sequences and mappings of any kind are structure, and so are their subclasses; text,
arrays, tensors, sets and None are leaves. Mappings go by sorted key, OrderedDict too.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.depth import followed
from twinflow.base.structure_kinds import (
    is_namedtuple,
    keys_of,
    kind_of,
    rebuilt,
    values_of,
)


class _Dot:
    """Stands for a leaf in error texts."""

    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


def is_sequence(o: Any) -> bool:
    """Whether `o` is structure, not a leaf.

    Example: `is_sequence({"a": 1})`, `not is_sequence("text")`.
    """
    return kind_of(type(o)) is not None


@followed
def flatten(nested: Any) -> list[Any]:
    """Return the leaves of a structure in order, as a list.

    Raises:
        TypeError: the keys of a mapping cannot be sorted.

    Example: `flatten([1, {"b": 3, "a": (2,)}]) == [1, 2, 3]`.
    """
    if kind_of(type(nested)) is None:
        return [nested]
    leaves: list = []
    _collect(nested, leaves)
    return leaves


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Return a structure like `structure` that holds the given leaves.

    Args:
        structure: any nested structure; a leaf stands for itself.
        flat_sequence: the new leaves, in the order of `flatten(structure)`.

    Raises:
        TypeError: `flat_sequence` is no sequence.
        ValueError: it does not have as many elements as `structure` has leaves.

    Example: `pack_sequence_as({"a": 0, "b": [0]}, [1, 2]) == {"a": 1, "b": [2]}`.
    """
    if not is_sequence(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    count = len(flat_sequence)
    if not is_sequence(structure):
        if count != 1:
            raise ValueError(
                f"Structure is a scalar but len(flat_sequence) == {count} > 1"
            )
        return flat_sequence[0]
    needed = len(flatten(structure))
    if needed != count:
        raise ValueError(
            f"Could not pack sequence. Structure had {needed} elements, but "
            f"flat_sequence had {count} elements.  Structure: {structure}, "
            f"flat_sequence: {flat_sequence}."
        )
    return _pack(structure, iter([flat_sequence[i] for i in range(count)]))


@followed
def map_structure(
    func: Callable[..., Any], *structure: Any, **check_types_dict: Any
) -> Any:
    """Return a structure of `func(leaf, ...)` over structures of one form.

    Args:
        func: called with one leaf of each structure.
        *structure: one or more structures; the result is like the first.
        check_types: False lets kinds of sequences differ. Default True.

    Raises:
        TypeError, ValueError: as `assert_same_structure`.

    Example: `map_structure(lambda x, y: x + y, [1, (2,)], [3, (4,)]) == [4, (6,)]`.
    """
    if not callable(func):
        raise advised(TypeError, f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = _check_types(check_types_dict)
    first, *others = structure
    for other in others:
        assert_same_structure(first, other, check_types=check_types)
    if not others:
        return _map(func, first)
    results = map(func, *(flatten(s) for s in structure))
    return _pack(first, iter(list(results)))


def map_structure_with_paths(
    func: Callable[..., Any], *structure: Any, **kwargs: Any
) -> Any:
    """As `map_structure` with the leaf's joined path first: `func("a/0", leaf, ...)`.

    Other keyword arguments than `check_types` go to `func`.
    """
    if not callable(func):
        raise advised(TypeError, f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    first, *others = structure
    for other in others:
        assert_same_structure(first, other, check_types=check_types)
    paths = [_join(path, "/") for path in yield_flat_paths(first)]
    leaves = zip(paths, *(flatten(s) for s in structure))
    return _pack(first, iter([func(*args, **kwargs) for args in leaves]))


@followed
def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raise if two structures differ in form.

    Args:
        check_types: whether kinds of sequences and the keys of mappings count too.
            Lists and their subclasses are alike, and so are all mappings, and
            namedtuples of one name with the same fields.

    Raises:
        ValueError: numbers of elements, keys, or nesting differ.
        TypeError: the kinds of two sequences differ.
    """
    try:
        _check_same(nest1, nest2, check_types)
    except (ValueError, TypeError) as error:
        raise advised(
            type(error),
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_describe(nest1)}\n\n"
            f"Second structure: {_describe(nest2)}\n\n"
            f"More specifically: {error}\n"
            f"Entire first structure:\n{_dots(nest1)}\n"
            f"Entire second structure:\n{_dots(nest2)}",
        ) from None


def assert_shallow_structure(
    shallow_tree: Any, input_tree: Any, check_types: bool = True
) -> None:
    """Raise if `input_tree` does not have the form of `shallow_tree` at its top.

    Raises:
        TypeError: a sequence stands against a leaf or another kind of sequence.
        ValueError: lengths or keys differ.
    """
    if not is_sequence(shallow_tree):
        return
    if not is_sequence(input_tree):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. "
            f"Input has type: {type(input_tree)}."
        )
    if check_types:
        _check_shallow_type(shallow_tree, input_tree)
    shallow, inputs = values_of(shallow_tree), values_of(input_tree)
    if len(inputs) != len(shallow):
        raise advised(
            ValueError,
            "The two structures don't have the same sequence length. Input structure "
            f"has length {len(inputs)}, while shallow structure has length "
            f"{len(shallow)}.",
        )
    if check_types and isinstance(shallow_tree, Mapping):
        _check_shallow_keys(shallow_tree, input_tree)
    for branch, value in zip(shallow, inputs):
        assert_shallow_structure(branch, value, check_types=check_types)


def flatten_up_to(shallow_tree: Any, input_tree: Any) -> list[Any]:
    """Return what `input_tree` holds where `shallow_tree` has leaves, as a list.

    Example: `flatten_up_to([0, 0], [[1, 2], 3]) == [[1, 2], 3]`.
    """
    assert_shallow_structure(shallow_tree, input_tree)
    leaves: list = []
    _collect_up_to(shallow_tree, input_tree, leaves)
    return leaves


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any
) -> Any:
    """Return a structure like `shallow_tree` of `func` of what `inputs` hold there.

    Example: `map_structure_up_to([0, 0], len, [[1], [2, 3]]) == [1, 2]`.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    for input_tree in inputs:
        assert_shallow_structure(shallow_tree, input_tree)
    columns = [flatten_up_to(shallow_tree, input_tree) for input_tree in inputs]
    return pack_sequence_as(shallow_tree, list(map(func, *columns)))


def flatten_dict_items(dictionary: Any) -> Any:
    """Return a flat dict of one whose keys are structures like their values.

    Raises:
        TypeError: `dictionary` is no mapping.
        ValueError: a key and its value differ in length, or a key comes twice.

    Example: `flatten_dict_items({("a", "b"): (1, 2)}) == {"a": 1, "b": 2}`.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError("input must be a dictionary")
    flat = {}
    for key, value in dictionary.items():
        for k, v in _items_of(key, value):
            if k in flat:
                raise ValueError(
                    f"Could not flatten dictionary: key {k} is not unique."
                )
            flat[k] = v
    return flat


def yield_flat_paths(nest: Any) -> Iterator[Any]:
    """Yield the path of each leaf: a tuple of indices, keys and field names.

    Example: `list(yield_flat_paths([5, {"a": 6}])) == [(0,), (1, "a")]`.
    """
    if not is_sequence(nest):
        yield ()
        return
    for key, value in zip(keys_of(nest), values_of(nest)):
        for path in yield_flat_paths(value):
            yield (key, *path)


def flatten_with_joined_string_paths(structure: Any, separator: str = "/") -> list[Any]:
    """Return (path, leaf) pairs; the parts of a path are joined by `separator`.

    Example: `flatten_with_joined_string_paths({"a": [7]}) == [("a/0", 7)]`.
    """
    paths = [_join(path, separator) for path in yield_flat_paths(structure)]
    return list(zip(paths, flatten(structure)))


def get_traverse_shallow_structure(
    traverse_fn: Callable[..., Any], structure: Any
) -> Any:
    """Return a structure of bools that says how deep `traverse_fn` lets one go.

    Args:
        traverse_fn: given a substructure, returns a bool, or a bool for each child.
        structure: the structure to go through.

    Raises:
        TypeError: `traverse_fn` returns something else.
    """
    chosen = traverse_fn(structure)
    if not is_sequence(structure):
        if not isinstance(chosen, bool):
            raise TypeError(
                f"traverse_fn returned structure: {chosen} for non-structure: "
                f"{structure}"
            )
        return chosen
    if not is_sequence(chosen):
        if not isinstance(chosen, bool):
            raise TypeError(
                f"traverse_fn returned a non-bool scalar: {chosen} for input: "
                f"{structure}"
            )
        if not chosen:
            return False
        chosen = rebuilt(structure, [True] * len(values_of(structure)))
    return _traverse_children(traverse_fn, structure, chosen)


def _traverse_children(traverse_fn: Any, structure: Any, chosen: Any) -> Any:
    assert_shallow_structure(chosen, structure)
    levels = []
    for go, child in zip(values_of(chosen), values_of(structure)):
        if not isinstance(go, bool):
            raise TypeError(
                "traverse_fn didn't return a depth=1 structure of bools.  saw: "
                f"{chosen}  for structure: {structure}"
            )
        levels.append(go and get_traverse_shallow_structure(traverse_fn, child))
    return rebuilt(structure, levels)


def _collect(structure: Any, leaves: Any) -> None:
    for value in values_of(structure):
        if kind_of(type(value)) is None:
            leaves.append(value)
        else:
            _collect(value, leaves)


def _collect_up_to(shallow: Any, structure: Any, leaves: Any) -> None:
    if not is_sequence(shallow):
        leaves.append(structure)
        return
    for branch, value in zip(values_of(shallow), values_of(structure)):
        _collect_up_to(branch, value, leaves)


def _map(func: Callable, structure: Any) -> Any:
    kind = kind_of(type(structure))
    if kind is None:
        return func(structure)
    return rebuilt(structure, [_map(func, value) for value in kind(structure)])


def _pack(structure: Any, leaves: Any) -> Any:
    return _map(lambda _: next(leaves), structure)


def _check_types(options: dict) -> bool:
    if any(name != "check_types" for name in options):
        raise ValueError("Only valid keyword argument is check_types")
    return options.get("check_types", True)


def _check_same(a: Any, b: Any, check_types: bool) -> None:
    if not (is_sequence(a) and is_sequence(b)):
        if is_sequence(a) or is_sequence(b):
            nested, leaf = (a, b) if is_sequence(a) else (b, a)
            raise ValueError(
                f'Substructure "{_describe(nested)}" is a sequence, while '
                f'substructure "{_describe(leaf)}" is not'
            )
        return
    if check_types:
        _check_same_type(a, b)
    values_a, values_b = values_of(a), values_of(b)
    for x, y in zip(values_a, values_b):
        _check_same(x, y, check_types)
    if len(values_a) != len(values_b):
        raise advised(
            ValueError,
            "The two structures don't have the same number of elements. "
            f"First structure: {_describe(a)}. Second structure: {_describe(b)}",
        )


def _check_same_type(a: Any, b: Any) -> None:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        if set(a) != set(b):
            raise ValueError(
                "The two dictionaries don't have the same set of keys. First structure "
                f"has keys {_describe(list(a))}, while second structure has keys "
                f"{_describe(list(b))}"
            )
    elif not (_same_class(a, b) or (isinstance(a, list) and isinstance(b, list))):
        raise TypeError(
            "The two namedtuples don't have the same sequence type. First structure "
            f"{_describe(a)} has type {type(a).__name__}, while second structure "
            f"{_describe(b)} has type {type(b).__name__}"
        )


def _same_class(a: Any, b: Any) -> bool:
    if is_namedtuple(a) and is_namedtuple(b):
        return type(a).__name__ == type(b).__name__ and a._fields == b._fields
    return type(a) is type(b)


def _check_shallow_type(shallow: Any, structure: Any) -> None:
    both_named = is_namedtuple(shallow) and is_namedtuple(structure)
    both_mappings = isinstance(shallow, Mapping) and isinstance(structure, Mapping)
    if both_named:
        alike = _same_class(shallow, structure)
    else:
        alike = both_mappings or isinstance(structure, type(shallow))
    if not alike:
        raise TypeError(
            f"The two {'namedtuples' if both_named else 'structures'} don't have the "
            f"same sequence type. Input structure has type {type(structure)}, while "
            f"shallow structure has type {type(shallow)}."
        )


def _check_shallow_keys(shallow: Any, structure: Any) -> None:
    if set(shallow) != set(structure):
        raise advised(
            ValueError,
            "The two structures don't have the same keys. Input structure has keys "
            f"{list(structure)}, while shallow structure has keys {list(shallow)}.",
        )


def _items_of(key: Any, value: Any) -> Any:
    if not is_sequence(key):
        return [(key, value)]
    keys, values = flatten(key), flatten(value)
    if len(keys) != len(values):
        raise ValueError(
            f"Could not flatten dictionary. Key had {len(keys)} elements, but value "
            f"had {len(values)} elements. Key: {keys}, value: {values}."
        )
    return zip(keys, values)


def _join(path: Any, separator: str) -> str:
    return separator.join(str(part) for part in path)


def _describe(o: Any) -> str:
    return f"type={type(o).__name__} str={o!s}"


def _dots(structure: Any) -> str:
    return str(_map(lambda _: _DOT, structure))
