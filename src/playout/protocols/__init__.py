"""Wire formats as pure text <-> values, and the transports that carry them."""
