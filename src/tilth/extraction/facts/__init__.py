"""What is so: values in force, who people are to whom, what moved, and what is done."""
