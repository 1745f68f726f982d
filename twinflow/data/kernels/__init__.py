"""Datasets as nodes of graphs: the ops of input pipelines in GraphDefs."""
