"""What games and search stand on: compiled classes, random numbers, bits, errors."""
