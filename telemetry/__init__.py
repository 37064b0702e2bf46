"""What every process says of itself while it runs: log lines, and traces where they are asked for. It knows no game."""
