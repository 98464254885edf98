"""The screens, a module each; every module here is found by itself."""
