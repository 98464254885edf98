"""Ways to reach a language model: the APIs of servers, and the programs of agents."""
