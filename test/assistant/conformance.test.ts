/**
 * The official conformance package against the MCP endpoint and the authorization server. test/support/mcp/conformance-list.ts
 * lists its scenarios with the expected result of each.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MCP_PATH } from "../../src/assistant/protocol/endpoint.ts";
import { assistantOf } from "../support/mcp/assistant.ts";
import { findConformance, openTokenProxy, type TokenProxy } from "../support/mcp/conformance.ts";
import { LISTED, NEVER_RUN, surprisesIn } from "../support/mcp/conformance-list.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { isSkippedWithout } from "../support/run/needs.ts";
import { freePort, openWorld, type World } from "../support/world/world.ts";

const conformance = findConformance();
const needs = "needs the package and Node 22: CONFORMANCE_DIR, see CONTRIBUTING.md";

describe.skipIf(isSkippedWithout(conformance !== undefined))(
  `the official conformance package (${needs})`,
  () => {
    let world: World;
    let proxy: TokenProxy;
    beforeAll(async () => {
      proxy = await openTokenProxy();
      // The service is configured with the address that the package calls, so the gates of Host and Origin are real.
      world = await openWorld({ environment: { BASE_URL: proxy.origin } });
      const { token } = await assistantOf(world, { role: "admin", name: "Anna Admin" });
      proxy.forward(new URL(world.origin).port, token);
    });
    afterAll(async () => {
      await proxy?.close();
      await world?.close();
    });

    const run = (...args: Parameters<NonNullable<typeof conformance>["run"]>) => {
      if (conformance === undefined) throw new Error(needs);
      return conformance.run(...args);
    };

    it("has exactly the listed scenarios", async () => {
      const listed = new Set([...Object.values(LISTED).flatMap(Object.keys), ...NEVER_RUN]);
      expect((await conformance?.scenarios())?.sort()).toEqual([...listed].sort());
    });

    it.each(["2025-11-25", "2026-07-28"] as const)(
      "passes all requirements of the protocol of %s, except for features that are not offered",
      async (revision) => {
        const url = proxy.origin + MCP_PATH;
        const outcome = await run("server", ["--url", url, "--requirements", revision]);
        expect(surprisesIn(outcome, LISTED[revision])).toEqual([]);
      },
    );

    it("finds the authorization server, and gets a token by a user's consent", async () => {
      const outside = { ...world, origin: proxy.origin };
      const consent = openConsent(outside);
      const port = await freePort();
      const redirect_uri = `http://127.0.0.1:${port}/callback`;
      const client = await consent.client({ redirect_uris: [redirect_uri] });
      const browser = await consent.signedInAdmin();
      const allow = async (path: string): Promise<void> => {
        const page = await browser.get(path);
        const { location } = await browser.submit(page, path, { decision: "allow" });
        expect(location).toContain(`${redirect_uri}?`);
        await fetch(location ?? "");
      };

      let allowed: Promise<void> | undefined;
      const outcome = await run(
        "authorization",
        [
          ...["--url", proxy.origin, "--resource", proxy.origin + MCP_PATH],
          ...["--client-id", client.id, "--port", String(port)],
        ],
        (written) => {
          const path = /^http\S+(\/api\/oauth\/authorize\?\S+)\n/m.exec(written)?.[1];
          const is_listening = written.includes("Callback server started");
          if (path !== undefined && is_listening) allowed ??= allow(path);
          return allowed;
        },
      );

      expect(surprisesIn(outcome, LISTED.authorization)).toEqual([]);
      expect(
        await world.sql("select client_id from oauth_grants where client_id = $1", [client.id]),
      ).toHaveLength(1);
    });
  },
);

describe("the comparison with the list", () => {
  const says = { why: "there is none", says: /none/ };
  const success = { id: "a", status: "SUCCESS" } as const;
  const failure = { id: "a", status: "FAILURE", errorMessage: "has none" } as const;
  const other = { ...failure, errorMessage: "broken" };
  const wire = { ...failure, id: "wire-schema-valid" };

  it.each([
    ["an applying scenario", [success], "applies", []],
    ["an applying scenario that fails", [failure], "applies", ["s fails at a (FAILURE): has none"]],
    ["an applying scenario without a check", [], "applies", ["s checks nothing"]],
    ["a missing feature", [failure], { not_for: says }, []],
    [
      "a missing feature that works",
      [success],
      { not_for: says },
      ["s passes a, though there is none", "s does not show that there is none"],
    ],
    [
      "another failure",
      [failure, { ...other, id: "b" }],
      { not_for: says },
      ["s fails at b (FAILURE): broken"],
    ],
    [
      "a wrong message on the wire",
      [failure, wire],
      { not_for: says },
      ["s fails at wire-schema-valid (FAILURE): has none"],
    ],
    [
      "a check that no longer passes",
      [failure],
      { not_for: says, passes: ["b"] },
      ["s no longer passes b"],
    ],
    ["a part that is missing", [failure, { ...success, id: "b" }], { all_but: { a: says } }, []],
    [
      "a part that works",
      [success],
      { all_but: { a: says } },
      ["s no longer fails at a, though there is none"],
    ],
    [
      "a part that fails for another reason",
      [other],
      { all_but: { a: says } },
      ["s fails at a (FAILURE): broken"],
    ],
    ["a scenario that is not listed", [success], undefined, ["s is not listed"]],
    ["a scenario that was not run", undefined, "applies", ["s is listed and was not run"]],
  ] as const)("reports %s correctly", (_what, checks, expectation, expected) => {
    const outcome = new Map(checks === undefined ? [] : [["s", checks]]);
    const listing = expectation === undefined ? {} : { s: expectation };
    expect(surprisesIn(outcome, listing)).toEqual(expected);
  });
});
