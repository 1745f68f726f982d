"""The nodes whose lowering needs more than values: where they stand, and their cells.

All other ops say in their own blocks what they are in XLA.
"""

# op type -> function(lowering, node, program); see control_flow
special: dict = {}
