"""How fast twinflow is meant to be, as ratios to its peers."""

from benchmarks.environments import TITLES
from benchmarks.problem import ROWS

GOALS = [  # row, peer, the largest ratio twinflow / peer
    ("add", "torch", 0.7),
    ("matmul", "torch", 0.7),
    ("tanh", "torch", 0.7),
    ("add_number", "torch", 0.7),
    ("sum", "torch", 0.9),
    ("tape_gradient", "torch", 0.4),
    ("mlp_eager", "torch", 1.1),
    ("mlp_eager", "tensorflow", 0.3),
    ("mlp_function", "tensorflow", 0.8),
    ("session_matmul", "tensorflow", 0.5),
    ("session_ops", "tensorflow", 0.5),
    ("session_while", "tensorflow", 0.5),
    ("session_rnn", "tensorflow", 0.8),
    ("lstm_eager", "tensorflow", 0.5),
    ("keras_fit", "tensorflow", 0.8),
    ("data_python", "tensorflow", 0.67),
    ("data_numpy", "torch", 1.0),
    ("data_processes", "torch", 1.0),
    ("data_jpeg", "torch", 1.0),
    ("data_jpeg", "tensorflow", 1.0),
    ("data_jpeg_2", "torch", 1.0),
    ("data_jpeg_2", "tensorflow", 1.0),
    ("first_step", "jax", 0.5),
]


def check(results):
    """One line per goal of the measured rows: what it is, and whether it holds."""
    return [_line(results, *goal) for goal in GOALS if goal[0] in results.rows]


def _line(results, row, peer, most):
    ratio = results.ratio(row, peer)
    goal = f"{ROWS[row]} at most {most} of {TITLES[peer]}"
    if ratio is None:
        return f"not measured: {goal}"
    return f"{'holds' if ratio <= most else 'does not hold'} ({ratio:.2f}): {goal}"
