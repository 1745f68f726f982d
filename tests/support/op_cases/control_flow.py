"""Ops of TensorFlow 1's control flow, which only a graph can run."""

from tests.support.op_cases.table import covered
from twinflow.ops.tensor_array.effects import BY_EFFECT

for _ref in ("", "Ref"):
    for _op in ("Switch", "Merge", "Enter", "Exit", "NextIteration"):
        covered(f"{_ref}{_op}", by="tests/execute/test_tokens.py")
for _op in ("LoopCond", "ControlTrigger"):
    covered(_op, by="tests/execute/test_tokens.py")
for _version in ("", "V2"):
    for _op in ("Stack", "StackPush", "StackPop", "StackClose"):
        covered(f"{_op}{_version}", by="tests/graph/test_v1_flow.py")
for _op in BY_EFFECT.values():
    covered(_op, by="tests/graph/test_v1_flow.py")
