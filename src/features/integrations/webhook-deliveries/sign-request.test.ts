/** Signatures of webhooks: the published vector, and the libraries for receivers in Node and Python. */
import { spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { isSkippedWithout } from "../../../../test/support/run/needs.ts";
import { signatureHeaders } from "./sign-request.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const now = (): number => Math.floor(Date.now() / 1_000);

it("is that of the published vector", () => {
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signatureHeaders(message, [SECRET])).toEqual({
    "webhook-id": message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

const secrets = (count: number): string[] =>
  Array.from({ length: count }, () => `whsec_${randomBytes(32).toString("base64")}`);

it("is verified by the library for Node with each of the secrets, whatever the body", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 2 }), (body, count) => {
      const known = secrets(count);
      const headers = signatureHeaders({ id: randomUUID(), timestamp: now(), body }, known);
      for (const secret of known) new Webhook(secret).verify(body, { ...headers });
      const [foreign = ""] = secrets(1);
      expect(() => new Webhook(foreign).verify(body, { ...headers })).toThrow();
      expect(() => new Webhook(known[0] ?? "").verify(`${body} `, { ...headers })).toThrow();
    }),
  );
});

const python = process.env.CLIENT_PYTHON || undefined;
const PROGRAM = `
import json, sys
from standardwebhooks.webhooks import Webhook
for case in json.load(sys.stdin):
    Webhook(case["secret"]).verify(case["body"], case["headers"])
    try:
        Webhook(case["secret"]).verify(case["body"] + " ", case["headers"])
    except Exception:
        continue
    sys.exit("a changed body was verified")
print("verified")
`;

describe.skipIf(isSkippedWithout(python !== undefined))(
  "the library for Python (needs standardwebhooks of PyPI: CLIENT_PYTHON names the Python that has it)",
  () => {
    it("verifies it", () => {
      const cases = fc.sample(fc.json(), 50).flatMap((body) => {
        const known = secrets(2);
        const headers = signatureHeaders({ id: randomUUID(), timestamp: now(), body }, known);
        return known.map((secret) => ({ secret, body, headers }));
      });
      const run = spawnSync(python ?? "", ["-c", PROGRAM], { input: JSON.stringify(cases) });
      expect([run.stdout.toString().trim(), run.stderr.toString()]).toEqual(["verified", ""]);
    });
  },
);
