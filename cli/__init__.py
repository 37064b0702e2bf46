"""The command line, and what it starts: the web server, the workers, the demo."""
