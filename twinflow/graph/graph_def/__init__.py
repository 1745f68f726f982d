"""GraphDefs: graphs as TensorFlow's protocol buffers, and back.

export.py     a node as a NodeDef, a graph as a GraphDef
parts.py      several NodeDefs for one node, as `export` of its op has them
import_def.py tf.import_graph_def, and the interface for control flow
importer.py   NodeDefs become nodes, checks.py what they must fulfil
made.py       what a node of ours needs beyond TensorFlow's attributes
old.py        nodes that earlier versions wrote

Note [Attributes both ways]: base.op_defs says what a NodeDef holds. An attribute of an
op is one of the OpDef's under the same name; those that only twinflow has (the cell of
a handle, the stream of a draw, the shape of a variable) are left out when a node is
written, and made anew by the rules of made.py when it is read.

This index loads what graphs need at its first use, and protocol buffers with it.
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
