"""The writers of all families: {op type: function of the Writer and the node}."""

from twinflow.interchange.lite.writing import arrays, convolution, custom, elementwise

WRITERS: dict = {}
for _family in (arrays, convolution, custom, elementwise):
    WRITERS.update(_family.WRITERS)
