"""Simulations: in trees, graphs and information sets, with threads or evaluators."""
