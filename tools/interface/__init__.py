"""Man pages and shell completion from the output of `podium --dump-interface`."""
