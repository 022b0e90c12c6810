/** For any order in which codes and refresh tokens are used, a grant has at most one live refresh token. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../../test/support/world/world.ts";

let oauth: ReturnType<typeof openConsent>;
let browser: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  browser = await oauth.signedInAdmin();
});

type Client = Awaited<ReturnType<ReturnType<typeof openConsent>["client"]>>;

/** A step of an assistant, or of an attacker who has copied its secrets: `pick` chooses among those seen so far. */
const step = fc.record({
  what: fc.constantFrom("exchange", "refresh", "refresh", "refresh", "revoke", "age"),
  pick: fc.nat(20),
});

it("random exchanges, refreshes and revocations, one by one and in parallel", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (rounds) => {
        const client = await oauth.client();
        const code = await client.code(browser);
        const seen: string[] = [];
        for (const round of rounds) {
          const replies = await Promise.all(
            round.map(({ what, pick }) => take(client, code, seen, what, pick)),
          );
          for (const token of replies)
            if (token !== undefined && !seen.includes(token)) seen.push(token);
          const live = await world.sql(
            `select r.grant_id from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id
           where g.client_id = $1 and r.used_at is null`,
            [client.id],
          );
          expect(live.length).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 25 },
  );
});

async function take(
  client: Client,
  code: string,
  seen: readonly string[],
  what: string,
  pick: number,
): Promise<string | undefined> {
  const token = seen[pick % Math.max(1, seen.length)] ?? "none";
  if (what === "age") {
    await world.sql("update oauth_refresh_tokens set used_at = used_at - interval '2 minutes'");
    return undefined;
  }
  const reply = await (what === "exchange"
    ? client.exchange(code)
    : what === "refresh"
      ? client.refresh(token)
      : oauth.call("/api/oauth/revoke", { token, client_id: client.id }));
  // Refusals must not be internal errors.
  expect([200, 400]).toContain(reply.status);
  return reply.body.refresh_token as string | undefined;
}
