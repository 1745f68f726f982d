"""What the compiler makes of clusters: programs of one device, or of several."""

from twinflow.lower import compile, spmd

start = compile.start


def executable(spec, inputs, states):
    """A cluster, lowered for XLA: see lower.compile.Executable."""
    kind = compile.Executable if spec.mesh is None else spmd.SpmdExecutable
    return kind(spec, inputs, states)
