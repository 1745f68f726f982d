"""The objects of TensorFlow 2's SavedModels: what a file holds beside its graph."""

from pathlib import Path

from twinflow.formats.proto_schema import messages, tensorflow

objects = messages(
    Path(__file__).with_suffix(".txt").read_text(encoding="ascii"),
    "tensorflow.objects",
    tensorflow,
)
SavedModelObjects = objects["SavedModelObjects"]
CheckpointedObjects = objects["CheckpointedObjects"]
