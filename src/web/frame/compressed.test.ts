/** Pages of signed-in users are sent in Brotli to browsers that accept it; pages without a session are sent uncompressed. */
import { request } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
let cookie: string;
beforeAll(async () => {
  cookie = (await openConsent(world).signedInAdmin()).cookie() ?? "";
});

/** The raw response: `fetch` would decompress it. */
function raw(path: string, accepted: string, with_cookie = true) {
  const headers = {
    "accept-encoding": accepted,
    ...(with_cookie ? { cookie: `matchbook=${cookie}` } : {}),
  };
  return new Promise<{ coding: string | undefined; vary: string | undefined; body: Buffer }>(
    (resolve, reject) => {
      const asked = request(new URL(path, world.origin), { headers }, (reply) => {
        const parts: Buffer[] = [];
        reply.on("data", (part: Buffer) => parts.push(part));
        reply.on("end", () =>
          resolve({
            coding: reply.headers["content-encoding"],
            vary: reply.headers.vary,
            body: Buffer.concat(parts),
          }),
        );
      });
      asked.on("error", reject);
      asked.end();
    },
  );
}

describe("a page", () => {
  it.each(["br", "gzip, deflate, br", "gzip;q=0.5, BR ; q=0.8"])(
    "is compressed for accept-encoding %s",
    async (accepted) => {
      const { coding, vary, body } = await raw("/customers", accepted);
      expect([coding, vary]).toEqual(["br", "accept-encoding"]);
      const html = brotliDecompressSync(body).toString();
      expect(html).toContain("</html>");
      expect(body.length).toBeLessThan(html.length / 3);
    },
  );

  it.each(["", "gzip", "br;q=0", "brotli"])(
    "is not compressed for accept-encoding %j",
    async (accepted) => {
      const { coding, vary, body } = await raw("/customers", accepted);
      expect([coding, vary]).toEqual([undefined, "accept-encoding"]);
      expect(body.toString()).toContain("</html>");
    },
  );

  it("is not compressed without a session, because it may contain the token of a link", async () => {
    const { coding, body } = await raw("/sign-in", "br", false);
    expect(coding).toBeUndefined();
    expect(body.toString()).toContain("</html>");
  });
});
