"""Clusters of several processes: TensorFlow's services of masters and workers."""
