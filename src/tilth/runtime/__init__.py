"""The running system: settings, connecting, the worker, the doctor."""
