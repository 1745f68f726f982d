"""A graph as a tree of items: scopes, control flow, functions, variables and ops.

What a reader need not see stands for nothing of its own: constants, the nodes that
initialize or read a variable, the slots of optimizers, and the Exits and Merges behind
a loop or a branch belong to another item (`home` says which).
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import frames
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor, Node

MOST_NUMBERS = 8  # of a constant that is written beside its users
VARIABLES = frozenset(("VarHandleOp", "Variable", "VariableV2"))
_INPUTS = frozenset(("Placeholder", "PlaceholderWithDefault", "TwinParam"))
_BEHIND = frozenset(("Identity", "Exit", "Merge", "RefExit", "RefMerge"))
_TITLES = {"cond": "condition", "body": "body", "then": "if true", "else": "if false"}


class Item:
    """One line of the tree and one box of the picture.

    Attributes:
        kind: "scope", "region", "flow" (a loop or a branch), "call", "variable",
            "input", "output", "constant", "op" or "lines" (ops of one line).
        name: what it is called there. node: the Node, if it is one. items: what is in
            it. count: how many nodes it stands for. shown: whether its items are.
    """

    __slots__ = (
        "count", "detail", "items", "kind", "name", "node", "parent", "shown", "tensor",
    )  # fmt: skip

    def __init__(
        self, kind: str, name: str, node: "Node | None" = None,
        parent: "Item | None" = None,
    ) -> None:  # fmt: skip
        self.kind, self.name, self.node, self.parent = kind, name, node, parent
        self.items: list[Item] = []
        self.count = 0 if node is None else 1
        self.shown = False
        self.detail = ""
        self.tensor: GraphTensor | None = None  # what leaves it, or what it stands for
        if parent is not None:
            parent.items.append(self)

    def around(self) -> "Iterator[Item]":
        """This item and those that it lies in, from the inside outwards."""
        found: Item | None = self
        while found is not None:
            yield found
            found = found.parent

    def path(self) -> "list[Item]":
        """The items that it lies in, from the outside inwards, with itself."""
        return list(self.around())[::-1]


class Tree:
    """The items of a graph.

    Attributes:
        root: the Item of the graph itself. home: from each Node to its Item.
        outputs: from items of results to the tensors that they are.
    """

    def __init__(self, graph: Any) -> None:
        self.root = Item("scope", getattr(graph, "name", "graph"))
        self.home: dict[Node, Item] = {}
        self.outputs: dict[Item, GraphTensor] = {}
        self._expanded: set = set()  # the graphs of functions that are in it
        self._variables: dict[str, Item] = {}
        self._add_graph(graph, self.root)

    def _add_graph(self, graph: Any, root: Item) -> None:
        place = _Places(root)
        owners = {r: n for n in graph.nodes for r in regions(n)}
        outer, self._variables = self._variables, {}
        for node in graph.nodes:
            if node.type in VARIABLES and node.region is None:
                self._variables.setdefault(node.name, None)  # type: ignore[arg-type]
        for node in graph.nodes:
            self._add(node, place, owners)
        self._name_inputs(graph)
        for region in owners:
            self._add_results(region, place)
        used = {t for n in graph.nodes for t in n.inputs}
        for region in owners:
            given = {id(t) for t in region.results}
            item = place.region(region)
            item.items = [i for i in item.items if not _is_idle(i, used, given)]
        for i, t in enumerate(getattr(graph, "outputs", ())):
            self._output(root, f"result {i}" if i else "result", t)
        self._variables = outer

    def _name_inputs(self, graph: Any) -> None:
        """Name what comes from outside a function: arguments, what it captures."""
        for i, t in enumerate(getattr(graph, "inputs", ())):
            if t.op in self.home:
                self.home[t.op].name = f"argument {i}"
        known = [ref() for ref in getattr(graph, "variables", {}).values()]
        for outer, inner in getattr(graph, "captures", {}).items():
            item = self.home.get(inner.op)
            if item is None:
                continue
            held = (v for v in known if v is not None and v.handle_id() == inner._id)
            variable = next(held, None)
            if variable is not None:
                item.kind, item.name = "variable", variable.name.partition(":")[0]
                item.detail = _kind_text(variable.dtype, variable.shape.tuple)
            elif outer.symbolic:
                item.name = f"captured {outer.op.name.rpartition('/')[2]}"

    def _add(self, node: "Node", place: "_Places", owners: dict) -> None:
        if self._absorbed(node):
            return
        parent = place.of(node, owners)
        kind, name = _kind(node), node.name.rpartition("/")[2]
        inside = regions(node)
        if inside:
            item = place.flow(node, owners)
        elif kind == "variable":
            item = self._variable(node, name, parent)
        else:
            item = Item(kind, name, node, parent)
            item.detail = _constants(node)
        if node.type == "TwinParam":
            item.name = _param_name(node)
        item.tensor = node.outputs[0] if node.outputs else None
        self.home[node] = item
        _count(item.parent, item.count)
        called = node.attrs.get("f") if kind == "call" else None
        if called is not None and called not in self._expanded:
            self._expanded.add(called)
            self._add_graph(called, item)

    def _variable(self, node: "Node", name: str, parent: Item) -> Item:
        """The item of a variable, which nodes made before it may have already."""
        item = self._variables.get(node.name) or Item("variable", name)
        self._variables[node.name] = item
        item.node, item.parent, item.count = node, parent, item.count + 1
        parent.items.append(item)
        return item

    def _absorbed(self, node: "Node") -> bool:
        """Whether a node belongs to the item of another one."""
        owner = None
        if node.region is None and node.type != "VarHandleOp":
            owner = self._variable_of(node)
        if node.type == "VarHandleOp" or node.type in VARIABLES:
            owner = self._variable_of(node)  # the slot of an optimizer
        if owner is None and node.type == "ReadVariableOp" and node.inputs:
            owner = self.home.get(node.inputs[0].op)
        if owner is None and node.type in _BEHIND and node.inputs:
            before = node.inputs[0].op
            owner = self.home.get(before) if regions(before) else None
        if owner is None and _is_small(node):
            return True
        if owner is None:
            return False
        self.home[node] = owner
        _count(owner, 1)
        return True

    def _variable_of(self, node: "Node") -> Item | None:
        """The variable below whose name a node lies."""
        parts = node.name.split("/")
        for n in range(1, len(parts)):
            found = "/".join(parts[:n])
            if found in self._variables:
                item = self._variables[found]
                if item is None:  # its initial value comes before the variable
                    item = self._variables[found] = Item("variable", parts[n - 1])
                return item
        return None

    def _add_results(self, region: Any, place: "_Places") -> None:
        item = place.region(region)
        for i, t in enumerate(region.results):
            if t is not None:
                self._output(item, _result_name(region.label, i), t)

    def _output(self, parent: Item, name: str, t: "GraphTensor") -> None:
        item = Item("output", name, None, parent)
        item.tensor = t
        self.outputs[item] = t


class _Places:
    """The containers of one graph: a scope of names, a loop, a region."""

    def __init__(self, root: Item) -> None:
        self.root = root
        self.scopes: dict = {}
        self.regions: dict = {}
        self.flows: dict = {}

    def of(self, node: "Node", owners: dict) -> Item:
        """The container of a node."""
        parts = node.name.split("/")[:-1]
        parent, around = self.root, 0
        if node.region is not None:
            owner = owners.get(node.region)
            if owner is not None:
                self.flow(owner, owners)
                parent = self.region(node.region)
                around = _shared(parts, owner.name.split("/")[:-1])
        for n in range(around + 1, len(parts) + 1):
            key = parent, parts[n - 1]
            if key not in self.scopes:
                self.scopes[key] = Item("scope", parts[n - 1], None, parent)
            parent = self.scopes[key]
        return parent

    def flow(self, owner: "Node", owners: dict) -> Item:
        """The item of a control-flow node, with one for each region."""
        if owner not in self.flows:
            parent = self.of(owner, owners)
            item = Item("flow", _flow_name(owner), owner, parent)
            self.flows[owner] = item
            for r in regions(owner):
                title = _TITLES.get(r.label, r.label)
                self.regions[r] = Item("region", title, None, item)
        return self.flows[owner]

    def region(self, region: Any) -> Item:
        """The item of a region whose owner has one."""
        return self.regions[region]


def _shared(a: list[str], b: list[str]) -> int:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def _is_idle(item: Item, used: set, given: set) -> bool:
    """Whether an item is an argument of a region that the region does not use."""
    t = item.tensor
    return item.kind == "input" and t not in used and id(t) not in given


def _count(item: Item | None, n: int) -> None:
    for around in item.around() if item is not None else ():
        around.count += n


def _kind(node: "Node") -> str:
    if node.type in VARIABLES:
        return "variable"
    if node.type in _INPUTS:
        return "input"
    if hasattr(node.attrs.get("f"), "nodes"):
        return "call"
    return "constant" if node.type == "Const" else "op"


def _flow_name(node: "Node") -> str:
    scope, _, last = node.name.rpartition("/")
    return scope.rpartition("/")[2] if last in ("cond", "while") and scope else last


def _param_name(node: "Node") -> str:
    region = node.region
    places = [] if region is None else [p.op for p in region.params]
    return f"variable {places.index(node)}" if node in places else "argument"


def _result_name(label: str, i: int) -> str:
    if label == "cond":
        return "goes on"
    return f"next variable {i}" if label == "body" else f"result {i}"


def _is_small(node: "Node") -> bool:
    return node.type == "Const" and node.attrs["value"].size <= MOST_NUMBERS


def _constants(node: "Node") -> str:
    """The small constants among the inputs, as "(·, 2.0)"; "" where there are none."""
    if not any(_is_small(t.op) for t in node.inputs):
        return ""
    texts = [number_text(t.op) if _is_small(t.op) else "·" for t in node.inputs]
    return f"({', '.join(texts)})"


def number_text(node: "Node") -> str:
    """The value of a constant, short."""
    value = node.attrs["value"]
    found = _short(value.tolist())
    return found if len(found) <= 24 else found[:21] + "..."


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_short, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def kind_text(t: "GraphTensor | None") -> str:
    """dtype and shape of a tensor: "float32[?, 3]"."""
    if t is None:
        return ""
    shape, dtype = t._shape, t.dtype
    if dtype.name == "resource" and "dtype" in t.op.attrs:
        shape, dtype = t.op.attrs.get("shape"), t.op.attrs["dtype"]
    return _kind_text(dtype, getattr(shape, "tuple", shape))


def _kind_text(dtype: Any, shape: Any) -> str:
    name = dtype.base_dtype.name
    if shape is None:
        return f"{name}[...]"
    if not shape:
        return name
    return f"{name}[{', '.join('?' if d is None else str(d) for d in shape)}]"


def place_text(node: "Node | None", source: bool = False) -> str:
    """The user's line of a node, with its source if wanted; "" where it has none."""
    if node is None or not node.frames:
        return ""
    found = frames.format_frame(node.frames[0])
    return f"{found}  {frames.source_line(node.frames[0])}" if source else found


def line_of(node: "Node") -> Any:
    """What tells nodes of one line of the program from others."""
    if not node.frames:
        return None
    code, _ = node.frames[0]
    return code.co_filename, frames.line_number(node.frames[0])


def walk(item: Item, below: Callable[[Item], bool]) -> Iterator[Item]:
    """The items in `item`, and what is in those of which `below` says so."""
    for inner in item.items:
        yield inner
        if below(inner):
            yield from walk(inner, below)
