"""Every module that a verb may load once it is called, for processes that many tests fork from."""

from importlib import import_module
from pkgutil import walk_packages

import tilth

# Programs around the store, which no forked process is: adapters want what is not installed.
_AROUND = ("tilth.adapters", "tilth.interfaces", "tilth.__main__")

for _found in walk_packages(tilth.__path__, "tilth."):
    if not _found.name.startswith(_AROUND):
        import_module(_found.name)
