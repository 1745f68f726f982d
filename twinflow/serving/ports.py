"""Closing a port at which clients wait (Note [Shutdown] in serving.server)."""

import ctypes
import socket
import struct
import sys

# A program of the packet filter that Linux runs before a socket sees a TCP segment
# (linux/filter.h: code, jump if true, jump if false, operand): of the flags in byte 13,
# SYN without ACK asks for a connection. 0 drops the segment, -1 keeps all of it.
_ATTACH_FILTER = 26
_NO_FIRST_SEGMENTS = (
    (0x30, 0, 0, 13),
    (0x54, 0, 0, 0x12),
    (0x15, 0, 1, 0x02),
    (0x06, 0, 0, 0),
    (0x06, 0, 0, 0xFFFFFFFF),
)


def let_nobody_new_in(sock: socket.socket) -> bool:
    """Let a listening socket answer nobody who asks for a connection from now on.

    Who has asked already is connected, and can be accepted. Others ask again after a
    second, as for a lost segment: once the socket is closed, they are refused.

    Returns:
        False where the system has no such filter: whoever comes between the last
        `accept` and the close is reset.
    """
    if sys.platform != "linux":
        return False
    code = b"".join(struct.pack("HBBI", *one) for one in _NO_FIRST_SEGMENTS)
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HP", len(_NO_FIRST_SEGMENTS), ctypes.addressof(kept))
    try:
        sock.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)
    except OSError:  # a sandbox may forbid it
        return False
    return True
