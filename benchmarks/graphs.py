"""Graphs of many small nodes: how the cost of each phase grows with their number."""

SIZES = ("1e3", "1e4", "1e5")
PHASES = {
    "build": "building",
    "gradients": "building, with gradients",
    "first": "the first run of a session",
    "step": "a step",
    "slope": "a step with gradients",
}
ROWS = {f"{phase}@{size}": (phase, size) for phase in PHASES for size in SIZES}


def title(row):
    """What a row is called in the table."""
    phase, size = ROWS[row]
    return f"{int(float(size)):,} nodes: {PHASES[phase]}"
