"""Long runs of random inputs, by `make fuzz`; short ones are among the tests."""
