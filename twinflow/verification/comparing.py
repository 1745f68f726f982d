"""Two traces held against each other: the first difference, and its class."""

import collections
import itertools
import re
from collections.abc import Iterator
from typing import Any

from twinflow.verification.differences import Difference, feeding
from twinflow.verification.events import Course, Effect, Event, Frame, Inner
from twinflow.verification.float64 import who_is_right
from twinflow.verification.kept import Kept
from twinflow.verification.rounding import is_rounding
from twinflow.verification.tolerance import same

_ITERATORS = ("IteratorGetNext", "IteratorGetNextSync", "OneShotIterator")
_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")
_UNSTEADY = re.compile(
    r"0x[0-9a-f]{6,}|\b1[4-9]\d{8}\b|\d{4}-\d\d-\d\d|\bid=\d+|\d\d:\d\d:\d\d(?:\.\d+)?"
)
_SEEN_BY_ALL = ("call", "gradient", "element", "run", "print", "end")
_ACTING = (
    "Print", "Assert", "MakeIterator", "GetNext", "Enqueue", "Dequeue", "WriteFile",
    "Save", "PyFunc", "Summary", "Table",
)  # fmt: skip
_LAST = 1 << 60


def first_difference(
    a: Course, b: Course, shaken: Course | None = None
) -> Difference | None:
    """What differs first, None if nothing does.

    Args:
        a, b: the same program in two ways; `a` is "function", and its orders count
            where `b` is "compiled". shaken: what rounding may explain is left out
            (Note [Rounding]).
    """
    ways = a.way, b.way
    plain = b.way == "compiled"
    left, right, moved = (
        [e for e in t.events if not plain or e.kind in _SEEN_BY_ALL] if t else []
        for t in (a, b, shaken)
    )
    for event in left:
        event.constants = a.constants
    found: list[Difference] = []
    stop = _LAST
    unsteady = a.threads or b.threads
    for x, y, z in itertools.zip_longest(left, right, moved):
        if x is None or y is None or (moved and not _same_step(x, z)):
            break
        if unsteady and {x.kind, y.kind} & {"run", "print", "end"}:
            continue
        difference = _of_events(x, y, left, ways, z)
        if difference is not None:
            stop = max(y.order, y.last)
            difference.number = x.number
            difference.order = stop = y.order if difference.kind == "error" else stop
            found.append(difference)
            break
    if not plain:
        found += _of_effects(a, b, stop, ways)
    if not found:
        found += _of_variables(a, b, ways, shaken)
    found.sort(key=lambda d: d.order)
    return found[0] if found else None


# ------------------------------------------------------------------ events
def _same_step(x: Event, z: Event | None) -> bool:
    """Whether the program took the step whatever the last bits were."""
    if z is None or (x.kind, x.line, bool(x.error)) != (z.kind, z.line, bool(z.error)):
        return False
    return len(x.values) == len(z.values)


def _of_events(
    x: Event, y: Event, events: list[Event], ways: tuple, z: Event | None = None
) -> Difference | None:
    if x.kind != y.kind or (x.kind in ("op", "call") and x.what != y.what):
        if "end" in (x.kind, y.kind) and (x.error or y.error):
            return _of_errors(x, y, ways)
        event = y if x.kind == "end" else x
        text = [f"{e.kind} {e.what}" for e in (x, y)]
        detail = "From here on the ways take different steps."
        return Difference(
            "python side effect",
            _place(event),
            y.order,
            ways,
            text[0],
            text[1],
            detail=detail,
        )
    if x.error or y.error:
        return _of_cause(x, y, ways) or _of_errors(x, y, ways)
    if x.kind == "print" and not same_text(x.what, y.what):
        if z is not None and z.what != x.what:
            return None
        return Difference("side effect", _place(y), y.order, ways, x.what, y.what)
    return _of_written(x, y, ways) or _of_results(x, y, events, ways, z)


def _place(event: Event) -> Frame | None:
    return event.frames[0] if event.frames else None


def _of_errors(x: Event, y: Event, ways: tuple) -> Difference | None:
    if x.error and y.error and _related(x, y):
        return None
    texts = [f"{e.error[0]}: {e.error[1]}" if e.error else "no error" for e in (x, y)]
    error: Any = x.error or y.error
    event = x if x.error else y
    frame = error[2][0] if error[2] else _place(event)
    return Difference(
        "error", frame, y.order, ways, texts[0], texts[1], what=event.what
    )


def _of_cause(x: Event, y: Event, ways: tuple) -> Difference | None:
    """The op that differs before a run of a graph fails in one way."""
    if x.kind != "run" or bool(x.error) == bool(y.error):
        return None
    inner = _inside_run(x, y)
    return None if inner is None else _of_inner(x, y, inner, ways)


def _of_inner(x: Event, y: Event, inner: tuple, ways: tuple) -> Difference:
    """The Difference of what `_inside` gives."""
    i, j, v, w = inner
    frame = j.frames[0] if j.frames else _place(y)
    return _made(x, y, frame, v, w, _called(j), ways, j.draws, x.inner, i, j)


def _related(x: Event, y: Event) -> bool:
    """Whether two errors are of one class, as far as modes go.

    What eager mode and runs of graphs call InvalidArgumentError is a ValueError or
    TypeError while a graph is built.
    """
    for p, q in ((x, y), (y, x)):
        if p.error and p.error[0] in q.mro:
            return True
        if "OpError" in p.mro and {"ValueError", "TypeError"} & set(q.mro):
            return True
    return False


def same_text(a: str, b: str) -> bool:
    """Whether two printed lines say the same; numbers may differ in the last place."""
    a, b = (" ".join(_UNSTEADY.sub("<>", t).split()) for t in (a, b))
    if a == b:
        return True
    if _skeleton(a) != _skeleton(b):
        return False
    pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True)
    return all(_near_as_text(p, q) for p, q in pairs)


def _skeleton(text: str) -> str:
    """What is no number; arrays are printed with more or fewer blanks."""
    return _NUMBER.sub("#", text).replace(" ", "")


def _near_as_text(p: str, q: str) -> bool:
    if p == q:
        return True
    if "." not in p + q and "e" not in (p + q).lower():
        return False
    x, y = float(p), float(q)
    digits = max(len(t.partition(".")[2].lower().partition("e")[0]) for t in (p, q))
    return abs(x - y) <= 1e-4 * max(abs(x), abs(y)) + 2 * 10.0 ** -max(digits, 1)


def _of_written(x: Event, y: Event, ways: tuple) -> Difference | None:
    """Variables that were not written equally often below an event."""
    if x.kind != "call" or ways[1] == "compiled" or not (x.inner or y.inner):
        return None
    counts = [
        collections.Counter(_effect_key(i) for i in e.inner if _acts(i)) for e in (x, y)
    ]
    for i in y.inner + x.inner:
        if not _acts(i) or not i.frames:
            continue
        key = _effect_key(i)
        if counts[0][key] != counts[1][key]:
            texts = [f"runs {c[key]} times" for c in counts]
            kind = "iterator" if "Iterator" in i.type else "side effect"
            return Difference(
                kind, i.frames[0], i.order, ways, texts[0], texts[1], what=_called(i)
            )
    return _of_written_values(x, y, ways)


def _of_written_values(x: Event, y: Event, ways: tuple) -> Difference | None:
    """Variables that have other values behind a call."""
    last = [{i.written: i for i in e.inner if i.written and i.values} for e in (x, y)]
    for name in last[0].keys() & last[1].keys():
        i, j = last[0][name], last[1][name]
        v, w = i.values[0], j.values[0]
        if same(v, w, "call"):
            continue
        i, j, v, w = _inside(x, y) or (i, j, v, w)
        frame = j.frames[0] if j.frames else _place(y)
        return _made(x, y, frame, v, w, _called(j), ways, j.draws, x.inner, i, j)
    return None


def _effect_key(i: Inner) -> tuple:
    """What stands for an op with effects: variables by name, others by line."""
    if i.written:
        return ("write", i.key[1][:1])
    return (i.type, i.key[1][:1])


def _acts(i: Inner) -> bool:
    """Whether a run of an op does something that others see."""
    return bool(i.written) or (i.stateful and any(w in i.type for w in _ACTING))


def _of_results(
    x: Event, y: Event, events: list[Event], ways: tuple, z: Event | None = None
) -> Difference | None:
    if len(x.values) != len(y.values):
        texts = [f"{len(e.values)} results" for e in (x, y)]
        return Difference(
            "value", _place(y), y.order, ways, texts[0], texts[1], what=x.what
        )
    replayed = x.kind == "run" and ways[1] == "eager"  # by the same kernels
    kind, moved = "replay" if replayed else x.kind, z.values if z is not None else []
    for v, w, s in itertools.zip_longest(x.values, y.values, moved):
        if v is None:
            break
        if "Tensor" in (v.dtype, w.dtype) or same(v, w, kind):
            continue
        if is_rounding(v, w, s, kind):
            continue
        inner = _inside(x, y)
        if inner is None:
            makers: list[Any] = _makers(x, v) or [_constant(x, v) or x]
            maker = makers[-1]
            frame = maker.frames[0] if maker is not x else _place(y)
            return _made(x, y, frame, v, w, x.what, ways, x.draws, events)
        found, (_, _, p, q) = _of_inner(x, y, inner, ways), inner
        if "nothing" in (p.dtype, q.dtype) and found.kind == "value":
            found.kind = _kind_of(v, w)
        return found
    return None


def _kind_of(v: Kept, w: Kept) -> str:
    if v.dtype != w.dtype:
        return "dtype"
    return "shape" if v.shape != w.shape else "value"


def _made(
    x: Event, y: Event, frame: Frame | None, v: Kept, w: Kept, what: str, ways: tuple,
    draws: bool, others: list, i: Any = None, j: Any = None,
) -> Difference:  # fmt: skip
    op: Any = i if i is not None else x
    kind, detail = "value", ""
    if "nothing" in (v.dtype, w.dtype):
        detail = "The op runs in one way only."
    elif _kind_of(v, w) != "value":
        kind = _kind_of(v, w)
    elif draws:
        kind = "draw"
    elif op is not x and op.type in _ITERATORS:
        kind = "iterator"
    changed = _changed(x, others) if kind == "value" else ""
    if changed:
        kind, detail = "captured value", changed
    found = Difference(
        kind, frame, j.order if j is not None else y.order, ways, v, w, what, detail,
        feeding(op, others),
    )  # fmt: skip
    if kind == "value" and j is not None and not detail:
        found.reference = who_is_right(i, j, v, w, ways)
    return found


def _called(i: Inner) -> str:
    name = f" '{i.name}'" if i.name else ""
    return f"{i.type}{name}" + (f", writes {i.written}" if i.written else "")


def _changed(x: Event, events: Any) -> str:
    now, then = x.captured, x.traced_with
    if not then:
        return ""
    parts = [
        f"{name} was {then[name]} when the function was traced, and is {value}"
        for name, value in now.items()
        if name in then and then[name] != value
    ]
    return "; ".join(parts)


# ------------------------------------------------------------------ inside
def _inside(x: Event, y: Event) -> tuple | None:
    """The first op below two events whose results differ: (Inner, Inner, values)."""
    if x.kind == "run":
        return _inside_run(x, y)
    groups: dict = collections.defaultdict(list)
    for i in x.inner:
        if i.type != "Const":
            groups[i.key].append(i)
    counts: collections.Counter = collections.Counter()
    totals = collections.Counter(j.key for j in y.inner)
    for j in y.inner:
        place = counts[j.key]
        counts[j.key] += 1
        group = groups.get(j.key, [])
        if place >= len(group) or not j.frames:
            continue
        pair = _differing(group[place], j)
        if pair is None:
            continue
        even = len(group) == totals[j.key]
        if even or not any(_differing(i, j) is None for i in group):
            i = group[place]
            nothing = Kept("nothing", (), b"", None)
            if (k := _in_one_way(x, y, j)) is not None:
                return k, k, nothing, k.values[0]
            if (k := _in_one_way(y, x, i)) is not None:
                return k, k, k.values[0], nothing
            return _constant_behind(x, i, j) or (i, j, *pair)
    return _unmatched(x, y)


def _inside_run(x: Event, y: Event) -> tuple | None:
    """The same for the nodes of a graph, which have names."""
    seen = collections.Counter[str | None]()
    trips: dict = collections.defaultdict(list)
    for j in y.inner:
        trips[j.name].append(j)
    for i in x.inner:
        trip, seen[i.name] = seen[i.name], seen[i.name] + 1
        for j in trips[i.name][trip : trip + 1]:
            for v, w in zip(i.values, j.values, strict=False):
                if not i.frames or "cell" in (v.dtype, w.dtype):
                    continue
                if not same(v, w, "run" if not j.inputs else "op"):
                    return i, j, v, w
    return None


def _constant_behind(x: Event, i: Inner, j: Inner) -> tuple | None:
    """What made an input of two ops that is a constant of the graph, and differs."""
    known = {v.digest for k in x.inner if k.type != "Const" for v in k.values}
    for v, w in zip(_flat_inputs(i), _flat_inputs(j), strict=False):
        if "cell" in (v.dtype, w.dtype) or v.digest in known or same(v, w, "call"):
            continue
        made = _constant(x, v)
        if made is not None and made.frames[0][:2] != j.frames[0][:2]:
            return made, made, v, w
    return None


def _constant(event: Event, value: Kept) -> Inner | None:
    """The constant of a graph that has a value, if there is but one line of them."""
    alike = [k for k in event.constants if _is_value(k, value)]
    return alike[0] if len({k.frames[0][:2] for k in alike}) == 1 else None


def _is_value(op: Inner, value: Kept) -> bool:
    return any(
        (v.digest, v.dtype, v.shape) == (value.digest, value.dtype, value.shape)
        for v in op.values
    )


def _makers(event: Event, value: Kept) -> list[Inner]:
    """The ops below an event that gave a value."""
    return [k for k in event.inner if k.frames and _is_value(k, value)]


def _in_one_way(x: Event, y: Event, j: Inner) -> Inner | None:
    """What feeds `j` on a line where nothing runs in the other way."""
    lines = {i.frames[0][:2] for i in x.inner if i.frames and i.type != "Const"}
    wanted, nearest = _digests(j), None  # type: set[bytes], Inner | None
    for k in reversed([k for k in y.inner if k.order < j.order]):
        if (
            k.type == "Const"
            or not k.frames
            or not any(v.digest in wanted and v.shape for v in k.values)
        ):
            continue
        wanted |= _digests(k)
        if k.frames[0][:2] not in lines:
            nearest = k
    return nearest


def _flat_inputs(op: Inner) -> list[Kept]:
    return [k for v in op.inputs for k in (v if isinstance(v, list) else [v])]


def _digests(op: Inner) -> set[bytes]:
    return {k.digest for k in _flat_inputs(op)}


def _unmatched(x: Event, y: Event) -> tuple | None:
    """Ops of one line that are of other types, or on other values, in the two ways."""
    known = {v.digest for i in x.inner for v in i.values}
    lines = {}
    for i in x.inner:
        if i.frames and i.values and i.type != "Const":
            lines[i.frames[0].file, i.frames[0].line] = i
    for j in y.inner:
        if not j.frames or not j.values or j.values[0].digest in known:
            continue
        beside = lines.get((j.frames[0].file, j.frames[0].line))
        if beside is not None and not same(beside.values[0], j.values[0], "op"):
            return beside, j, beside.values[0], j.values[0]
    return None


def _differing(i: Inner, j: Inner) -> tuple[Kept, Kept] | None:
    for v, w in zip(i.values, j.values, strict=False):
        if not same(v, w, "call") and "cell" not in (v.dtype, w.dtype):
            return v, w
    return None


# ------------------------------------------------------------------ effects
def _of_effects(a: Course, b: Course, stop: int, ways: tuple) -> Iterator[Difference]:
    """Lines of Python whose effects do not come equally often."""
    if a.effects_unseen or b.effects_unseen:
        return
    keys = [collections.defaultdict(list) for _ in range(2)]  # type: list[dict]
    for found, trace in zip(keys, (a, b), strict=True):
        for e in trace.effects:
            found[_key(e)].append(e)
    broken = stop != _LAST
    for key in dict.fromkeys([*keys[1], *keys[0]]):
        x, y = (
            keys[0].get(key, []),
            [e for e in keys[1].get(key, []) if e.order <= stop],
        )
        if len(x) == len(y) or (broken and len(x) > len(y)):
            if key[0] == "variable":
                yield from _other_names(x, y, ways)
            continue
        e = y[len(x)] if len(y) > len(x) else x[len(y)]
        order = e.order if len(y) > len(x) else stop
        yield _effect(e, len(x), len(y), order, ways)


def _key(e: Effect) -> tuple:
    name = "" if e.kind == "variable" else e.name
    return e.kind, name, e.frame.file, e.frame.line


def _effect(e: Effect, x: int, y: int, order: int, ways: tuple) -> Difference:
    kind = {"draw": "frozen call", "variable": "variable"}.get(
        e.kind, "python side effect"
    )
    done = {"print": "prints", "variable": "makes a variable"}.get(e.kind, "acts")
    texts = [f"{done} {n} times" for n in (x, y)]
    return Difference(kind, e.frame, order, ways, texts[0], texts[1], what=e.name)


def _other_names(x: list, y: list, ways: tuple) -> Iterator[Difference]:
    for p, q in zip(x, y, strict=False):
        if p.name != q.name:
            yield Difference("variable", q.frame, q.order, ways, p.name, q.name)
            return


def _of_variables(
    a: Course, b: Course, ways: tuple, shaken: Course | None
) -> Iterator[Difference]:
    """Variables that have other values in the end."""
    moved = {} if shaken is None else shaken.variables
    for key in a.variables.keys() & b.variables.keys():
        v, w = a.variables[key], b.variables[key]
        if not same(v, w, "gradient") and not is_rounding(
            v, w, moved.get(key), "gradient"
        ):
            frame, order = _writer(b, key[0]), _LAST
            yield Difference("side effect", frame, order, ways, v, w, what=key[0])


def _writer(trace: Course, name: str) -> Frame | None:
    found = None
    for e in trace.events:
        both: list[Any] = [*e.inner, e]
        for i in both:
            if i.written and name.startswith(i.written) and i.frames:
                found = i.frames[0]
    return found
