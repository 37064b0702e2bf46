"""The web server: gunicorn, with a worker of our own."""
