"""What a call says of a dtype that its op does not take."""

from twinflow.base import bind, dtypes
from twinflow.base.op_lookup import load_all, registry


def test_a_refused_type_is_not_named_among_the_allowed():
    load_all()
    pairs = [(op, a, ts) for op in registry.values() for a, ts in op.types.items()]
    assert len(pairs) > 300
    for op, attr, allowed in pairs:
        named = bind._allowed_text(op, attr, allowed).split(", ")
        for dtype in dtypes.ALL_TYPES:
            if dtype not in allowed and not dtype.is_quantized:
                assert dtype.name not in named, (op, attr)
