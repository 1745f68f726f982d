# Made by `make stubs` from the table of the index.
from twinflow.ops.audio.ffmpeg import decode_audio as decode_audio
from twinflow.ops.audio.ffmpeg import decode_video as decode_video
from twinflow.ops.audio.ffmpeg import encode_audio as encode_audio

__all__ = [
"decode_audio", "decode_video", "encode_audio"
]
