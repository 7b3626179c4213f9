"""What `podium --dump-interface` says, as man pages and shell completion."""
