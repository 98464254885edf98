"""
One thread for products of matrices, as in our own programs; imported before numpy is.

Ours are small, so a second thread saves nothing; beside another worker of a test run the two wait
for each other, and the model alone took four times its CPU time.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_name, "1")
