"""How fast and how small the training of models is meant to be."""

from benchmarks.environments import PEERS
from benchmarks.models import MODELS, ROWS, WAYS

AIMED = ("transformer", "lstm", "resnet20", "mlp", "tiny")
BEST, EAGER, TINY, MEMORY = 1.0, 1.15, 1.3, 1.1
COMPILED_TRANSFORMER = 450e6  # bytes


def check(results):
    """One line per goal of the measured rows: what it is, and whether it holds."""
    lines = []
    for row in results.rows:
        name, way = ROWS[row]
        if name in AIMED:
            lines += [*_speed(results, row, name, way), *_memory(results, row, name)]
    return lines


def _line(value, most, goal):
    return f"{'holds' if value <= most else 'falls short'} ({value:.2f}): {goal}"


def _speed(results, row, name, way):
    ours = results.cell("twinflow", row).seconds
    if way == "eager":
        peers, most = {"torch": results.cell("torch", row).seconds}, EAGER
    elif (name, way) == ("tiny", "function"):
        peers, most = {"jax": results.cell("jax", row).seconds}, TINY
    else:
        peers, most = fastest(results, name), BEST
    peers = {peer: seconds for peer, seconds in peers.items() if seconds is not None}
    if ours is None or not peers:
        return []
    best = min(peers, key=peers.get)
    goal = f"{results.titles[row]}, at most {most} of {PEERS[best].title}"
    return [_line(ours / peers[best], most, goal)]


def fastest(results, name):
    """{peer: its seconds for a step of a model, in the fastest of its ways}."""
    found = {}
    for peer in PEERS:
        cells = [results.cell(peer, f"{name}@{way}") for way in WAYS]
        seconds = [cell.seconds for cell in cells if cell.seconds is not None]
        if seconds:
            found[peer] = min(seconds)
    return found


def peak(cell):
    """Bytes at the peak of the fastest variant; None where there is none."""
    return cell.facts.get(cell.variant, {}).get("peak")


def _memory(results, row, name):
    ours = peak(results.cell("twinflow", row))
    theirs = peak(results.cell("torch", f"{name}@eager"))
    lines = []
    if ours and theirs:
        goal = f"{results.titles[row]}, peak memory at most {MEMORY} of PyTorch"
        lines.append(_line(ours / theirs, MEMORY, goal))
    if ours and row == "transformer@function":
        goal = f"{MODELS[name].title}, compiled, peak memory at most 450 MB"
        lines.append(_line(ours / COMPILED_TRANSFORMER, 1.0, goal))
    return lines
