# Made by `make stubs` from the table of the index.
from twinflow.contrib.receptive_field.compute_order import get_compute_order as get_compute_order
from twinflow.contrib.receptive_field.fields import compute_receptive_field_from_graph_def as compute_receptive_field_from_graph_def

__all__ = [
"get_compute_order", "compute_receptive_field_from_graph_def"
]
