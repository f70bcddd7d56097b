"""Do the tests notice a mistake? Small mistakes on purpose, by `make mutants`."""
