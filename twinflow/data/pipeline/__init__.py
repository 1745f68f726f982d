"""The iterators that datasets run as, each over those before it."""
