"""tf.contrib.graph_editor: parts of graphs selected, copied, cut out and rewired.

elements.py  lists of operations and tensors, control outputs, placeholders
select.py    operations and tensors by name, by filter, and by walks
subgraph.py  SubGraphView: some operations with their inputs and outputs
reroute.py   who uses which tensor, changed
edit.py      parts taken out, joined and bypassed
transform.py parts copied, with other inputs, into the same graph or another one
match.py     patterns of operations
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
