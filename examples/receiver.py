"""Receive webhooks, and print the number and type of each event: `SECRET=whsec_… python receiver.py PORT`.

This needs `pip install standardwebhooks`.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = Webhook(os.environ["SECRET"]).verify(body, dict(self.headers.items()))["data"]["event"]
        except WebhookVerificationError:
            self.send_error(401)
            return
        self.send_response(204)
        self.end_headers()
        print(event["seq"], event["type"], flush=True)


HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
