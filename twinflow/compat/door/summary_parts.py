"""tensorflow.python.ops.summary_op_util: what makers of summaries share."""

from twinflow.base.dispatch import current_mode
from twinflow.distribute.strategy import get_tower_context


def collect(val, collections, default_collections):
    """Add a summary to collections of its graph; to the default ones where None."""
    for key in default_collections if collections is None else collections:
        current_mode().add_to_collection(key, val)


def skip_summary():
    """Whether summaries are left out here: in all towers but the first."""
    context = get_tower_context()
    return context is not None and context.tower_id > 0
