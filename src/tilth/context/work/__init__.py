"""What an opening brief tells of earlier work, and what it reads for that."""
