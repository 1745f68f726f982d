"""Control flow as TensorFlow 1 writes it: Switch, Merge, Enter, Exit, NextIteration.

nodes.py      NodeDefs with their edges, in an order in which they can be computed
loops.py      frames become Loops: a test and a body, each a block of nodes
conds.py      what depends on a Switch becomes a Cond with two blocks
functions.py  calls of library functions become their nodes
lowered.py    If and While of functions as Switches and so on
recover.py    a whole GraphDef as one block
build.py      blocks become nodes and regions of a Graph
write.py      the nodes that own regions as Switch, Merge and so on

Note [Blocks]: a block is a list of nodes, Loops and Conds in an order in which they can
be computed. A tensor is a key (name of its node, place). Switches and the Enters of
what does not change in a loop are no nodes of a block: what uses them uses what they
pass on (`alias`), because a region sees what is around it.
"""
