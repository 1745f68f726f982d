"""How single ops are lowered, where their kernel is not enough."""

from twinflow.lower import rules_array, rules_nn

# op type -> function(*arrays, **attrs)
rules: dict = {**rules_array.rules, **rules_nn.rules}
# op type -> function(lowering, node, program); see control_flow
special: dict = {}
