"""What touches the machine, for those that may: disks, networks, systems."""
