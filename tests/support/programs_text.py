"""The text of a whole random program."""

from tests.support.programs import DIMENSIONS, Unfit, Writer, literal
from tests.support.programs_blocks import add_line

FAULTY = 0.15
INPUTS = ["float32"] * 8 + ["float64"] * 4 + ["int32"] * 4 + ["int64"] * 2
INPUTS += ["bool", "bool", "uint8", "int8", "uint16", "int16", "float16"]
INPUTS += ["complex64", "object", "object"]


def program(seed):
    """The source of the random program of a seed; see `programs_run`."""
    w = Writer(seed)
    arrays = {w.name("x"): _array(w) for _ in range(w.random.randint(2, 5))}
    _take(w, arrays)
    ops = w.random.randint(5, 15)
    faulty = w.chance(FAULTY)
    try:
        while w.steps() < ops:
            add_line(w)
    except Unfit:
        pass
    extra = _faulty_line(w) if faulty else None
    return _text(w, arrays, extra)


def call(seed):
    """The source of one call on odd inputs: scalars, empty ones, of any dtype."""
    w = Writer(seed)
    arrays = {w.name("x"): _odd_array(w) for _ in range(4)}
    _take(w, arrays)
    w.wild = True
    while True:
        try:
            add_line(w)
        except Unfit:
            continue
        except Exception:
            return _text(w, arrays, w.attempt)
        return _text(w, arrays, None)


def _odd_array(w):
    shape = w.choice([(), (), (0,), (1,), (2,), (2, 3), (0, 3), (2, 2), (2, 1, 3)])
    dtype = w.choice(INPUTS) if w.chance(0.5) else w.choice(sorted(set(INPUTS)))
    return w.numbers(dtype, shape)


def _take(w, arrays):
    for name, a in arrays.items():
        w.run(f"{name} = tf.constant({literal(a)})")
        w.values[name] = a


def _array(w):
    if w.chance(0.7):  # shapes that go with each other
        shape = w.choice([(2, 3), (3,), (2, 2), (), (3, 3), (4,)])
    else:
        shape = w.choice(DIMENSIONS)
    return w.numbers(w.choice(INPUTS), shape)


def _faulty_line(w):
    """A line that fails, or the last of some that did not."""
    w.wild = True
    for _ in range(30):
        try:
            add_line(w)
        except Unfit:
            continue
        except Exception:
            return w.attempt
    return None


def _text(w, arrays, extra):
    outputs = [n for n in w.values if n[0] == "t" and n not in w.used]
    others = [n for n in w.values if n[0] == "t" and n in w.used]
    outputs += w.random.sample(others, min(3, len(others)))
    lines = list(w.lines)
    if extra:
        lines.append(extra)
        outputs.append(extra.split(" = ")[0].rstrip(","))
    variables = [
        f"tfe.Variable({literal(a)}, name='{n}')" for n, (a, _) in w.variables.items()
    ]
    names = "".join(f"{n}, " for n in w.variables)
    head = [f"{names}= V"] if names else []
    body = [*head, *lines, f"return [{', '.join(outputs)}]"]
    shapes = [_vague(w, a.shape) for a in arrays.values()]
    return "\n".join([
        f"ARRAYS = [{', '.join(map(literal, arrays.values()))}]",
        f"SHAPES = {shapes}",
        "def variables():",
        f"    return [{', '.join(variables)}]",
        f"def program({', '.join(arrays)}):",
        *("    " + s for s in body),
        "",
    ])  # fmt: skip


def _vague(w, shape):
    """What a placeholder knows of a shape."""
    form = w.random.random()
    if form < 0.6:
        return list(shape)
    if form < 0.9:
        return [None if w.chance(0.5) else n for n in shape]
    return None
