"""All that speaks to Numba: compiled classes, kernels, their cache."""
