"""Access to the machine: disks, networks, systems."""
