"""The transforms of GraphDefs by name that TensorFlow 1.12's tool has.

Each is a function of a GraphDef, the names of its inputs and outputs, and Options; it
gives a new GraphDef. tool.TABLE lists them. The nodes that are inputs or outputs keep
their names.
"""
