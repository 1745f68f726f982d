"""Rules where XLA needs another form than the kernel: neural networks."""

rules: dict = {}
