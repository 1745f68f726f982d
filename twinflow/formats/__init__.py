"""File formats, and the protocol buffers in them."""
