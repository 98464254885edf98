"""The namespaces of a brain that are not yet derived from verbs."""
