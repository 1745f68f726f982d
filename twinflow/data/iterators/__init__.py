"""What users take elements from, and the place of an iterator as a checkpoint."""
