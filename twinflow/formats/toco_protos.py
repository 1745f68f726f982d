"""The protocol buffers by which programs tell TensorFlow 1.12's toco what they want."""

from pathlib import Path

from twinflow.formats.proto_schema import messages

toco = messages(Path(__file__).with_suffix(".txt").read_text(encoding="ascii"), "toco")
ModelFlags, TocoFlags = toco["ModelFlags"], toco["TocoFlags"]
