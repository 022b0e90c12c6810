/** All actions of pages: the permitted users and origins, and the answer to invalid input. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, proofOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { actions } from "../pages.ts";

const world = useWorld({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const NOTHING = "nothing that an action takes";

describe.each(actions.map(({ path }) => path))("%s", (path) => {
  it("is refused without a session", async () => {
    const answer = await openBrowser(world).act(path, {}, "x");
    expect([answer.status, answer.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  it("is refused without the CSRF proof of the session", async () => {
    const others = await proofOf(standard);
    for (const proof of ["", "x", others]) {
      const answer = await admin.act(path, {}, proof);
      expect([answer.status, answer.body.error.code]).toEqual([400, "MALFORMED_REQUEST"]);
    }
  });

  it("is refused from another site", async () => {
    const answer = await admin.act(path, {}, await proofOf(admin), {
      "sec-fetch-site": "cross-site",
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, "MALFORMED_REQUEST"]);
  });
});

// The body of an action that takes a file is a file: `drop-files.test.ts` has its own cases.
describe.each(
  actions.filter(({ content_types }) => content_types === undefined).map(({ path }) => path),
)("%s", (path) => {
  it("refuses invalid input with the errors of the fields", async () => {
    const answer = await admin.act(path, { [NOTHING]: 1 }, await proofOf(admin));
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(answer.body.error.field_errors.length).toBeGreaterThan(0);
  });
});

describe.each(actions.filter(({ access }) => access === "admin").map(({ path }) => path))(
  "%s",
  (path) => {
    it("is refused to standard users", async () => {
      const answer = await standard.act(path, {}, await proofOf(standard));
      expect([answer.status, answer.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    });
  },
);

it("gives each action its own path below /app/", () => {
  const paths = actions.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.every((path) => path.startsWith("/app/"))).toBe(true);
});
