"""Python's control flow in graphs: `if`, `while` and `for` on tensors."""
