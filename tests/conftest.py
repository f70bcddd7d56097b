"""What all tests share."""

import os
import signal

# The matrices of the tests are small, and on a busy machine the threads of BLAS wait
# for each other much longer than one of them computes. Read when NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that starts a command in the background has it ignore Ctrl-C, and so would all
# that the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
