# A webhook receiver without dependencies: WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
TOLERANCE_SECONDS = 300


def is_signed(body: bytes, header: str, secret: str) -> bool:
    """Whether the raw body was signed with our secret within the tolerance."""
    parts = [part.partition("=") for part in header.split(",")]
    sent_at = next((value for name, _, value in parts if name == "t"), "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    # During a rotation there are several signatures: one match is enough.
    return any(name == "v1" and hmac.compare_digest(value, expected) for name, _, value in parts)


# An event may arrive twice. Keep the ids in your database, in the transaction that processes the event.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_signed(body, self.headers.get("X-Service-Signature", ""), SECRET):
            self.send_response(400)
            self.end_headers()
            return
        event = json.loads(body)
        if event["id"] not in seen:
            seen.add(event["id"])
            print(event["type"], event["id"], flush=True)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print("listening", server.server_port, flush=True)
server.serve_forever()
