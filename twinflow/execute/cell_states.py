"""What an op does to cells, and what of it can be put back."""

from twinflow.base.state import Cell
from twinflow.base.watching import OpRun
from twinflow.ops.random.streams import Stream


def cells_of(run: OpRun) -> list[Cell]:
    """The cells that an op works on."""
    found, stack = [], list(run.inputs)
    names = run.op.cell or ()
    for name in (names,) if isinstance(names, str) else names:
        own = run.attrs.get(name)
        if isinstance(own, Cell):
            found.append(_of_this_run(own, run))
    while stack:
        value = stack.pop()
        if isinstance(value, Cell):
            found.append(value)
        elif isinstance(value, list | tuple):
            stack.extend(value)
    return found


def _of_this_run(cell: Cell, run: OpRun) -> Cell:
    """The session's own cell for one of the graph."""
    if run.node is None:
        return cell
    plans = (p.plan for p in reversed(run.path) if p.plan is not None)
    plan = next(plans, None)
    return cell if plan is None else plan.cell_of(cell)


def is_plain(cell: Cell) -> bool:
    """Whether the state of a cell is a value that can be put back."""
    return type(cell) is Cell or isinstance(cell, Stream)


def state_of(cell: Cell) -> tuple:
    """What `put_state` takes."""
    return cell._array, cell.device_value


def put_state(cell: Cell, state: tuple) -> None:
    """Let a cell be as it was."""
    cell._array, cell.device_value = state


def reaches_outside(run: OpRun) -> bool:
    """Whether an op does what cannot be undone."""
    if not run.op.stateful:
        return False
    cells = cells_of(run)
    return not cells or not all(map(is_plain, cells))
