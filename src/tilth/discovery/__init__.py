"""Where material is found: own episodes and documents, and the web where it is set up."""
