// Receive webhooks, and print the number and type of each event: `SECRET=whsec_… node receiver.mjs PORT`.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature = "" } = request.headers;
  const key = Buffer.from(process.env.SECRET.slice("whsec_".length), "base64");
  const expected = Buffer.from(`v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`);
  const is_authentic = expected.length === signature.length && timingSafeEqual(expected, Buffer.from(signature));
  const is_new = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  response.writeHead(is_authentic && is_new ? 204 : 401).end();
  if (is_authentic && is_new) console.log(JSON.parse(body).data.event.seq, JSON.parse(body).data.event.type);
}).listen(Number(process.argv[2]), "127.0.0.1");
