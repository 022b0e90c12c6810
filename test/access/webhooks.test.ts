/** Webhooks in a real browser: an endpoint is added, tested, fails, recovers and gets events again, over a real receiver. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { startDispatcher, until } from "../support/webhooks/dispatch.ts";
import { openReceiver, type Receiver } from "../support/webhooks/receivers.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const WEBHOOKS = "/settings/developer/webhooks";

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const world = useWorld({
      knows_origin: true,
      environment: { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" },
    });
    const chromium = useChromium(world);
    let cookie: string | null;
    let receiver: Receiver;
    let dispatching: { stop(): Promise<void> } | undefined;
    let status = 200;

    beforeAll(async () => {
      cookie = (await openConsent(world).signedInAdmin()).cookie();
      receiver = await openReceiver({
        answer: (_request, response) => response.writeHead(status).end("said by the receiver"),
      });
    });
    afterAll(async () => {
      await dispatching?.stop();
      await receiver?.close();
    });

    const endpoint = async (): Promise<Json> =>
      (await world.done("GET /webhook-endpoints")).data[0];
    const idsOf = (type: string) =>
      receiver.requests
        .map(({ body }) => JSON.parse(body))
        .filter((event) => event.type === type)
        .map(({ id }) => id);

    it("an admin adds an endpoint, sends a test, sees it fail and recover, and replays", async () => {
      const page = await chromium.open(cookie);
      await page.goto(WEBHOOKS);
      await page.getByRole("link", { name: "Add…" }).click();
      await page.getByRole("textbox", { name: "Address (URL)" }).fill("http://10.0.0.1/");
      await page.locator("summary", { hasText: /^Customer/ }).click();
      await page.getByRole("checkbox", { name: "created" }).first().check();
      await page.getByRole("button", { name: "Add the webhook" }).click();
      await page.getByText("Only https to a public address").waitFor();
      // What was chosen is kept with the refusal.
      await page.getByRole("checkbox", { name: "created", checked: true }).waitFor();
      await page.getByRole("textbox", { name: "Address (URL)" }).fill(receiver.url);
      await page.getByRole("button", { name: "Add the webhook" }).click();
      await alive(page);
      expect(await page.locator("#new-secret").textContent()).toMatch(/^\s*whsec_/);
      expect((await endpoint()).event_types).toEqual(["customer.created"]);

      await page.getByRole("link", { name: "Back to the webhooks" }).click();
      await page.getByText("Customer: created").waitFor();
      await page.waitForLoadState("networkidle");
      await page.getByRole("link", { name: /^Send a test to/ }).click();
      const dialog = page.getByRole("dialog", { name: /^Send a test to/ });
      await dialog.getByRole("button", { name: "Send now" }).click();
      await page
        .getByRole("heading", { level: 1, name: "Delivery of Customer: created" })
        .waitFor();
      await page.getByText("said by the receiver").waitFor();
      await page.getByRole("region", { name: "Answer" }).getByText("200").waitFor();
      expect(idsOf("customer.created")).toEqual([expect.stringMatching(/^test_/)]);

      status = 503;
      dispatching = startDispatcher(world.services, { chance: () => 0.5 });
      for (let n = 0; n < 7; n += 1) await world.done("POST /customers", { name: `Many ${n}` });
      await until("the endpoint fails", async () => (await endpoint()).status === "failing");
      await page.goto(WEBHOOKS);
      await page.getByText(/Fails since .*: 503; 7 events wait/).waitFor();
      await page.goto("/today");
      await page.getByRole("link", { name: /^Open webhook: Webhooks to 127\.0\.0\.1/ }).click();
      await page.getByRole("link", { name: "Customer: created" }).last().waitFor();
      await page.getByRole("row").filter({ hasText: "503" }).getByRole("link").first().click();
      await page.getByText("said by the receiver").waitFor();

      status = 200;
      world.clock.set(new Date(Date.parse(world.clock.now()) + 120_000).toISOString());
      await until("the others follow", async () => (await endpoint()).backlog === 0);
      const sent = new Set(idsOf("customer.created").filter((id) => !id.startsWith("test_")));
      expect(sent.size).toBe(7);
      await page.getByRole("link", { name: "Back to the webhook" }).click();
      await page.getByText("Last sent").waitFor();

      const before = receiver.requests.length;
      await page.waitForLoadState("networkidle");
      await page.getByRole("link", { name: "Replay…" }).click();
      const replay = page.getByRole("dialog", { name: /^Replay events to/ });
      await replay.getByRole("combobox", { name: "Which events" }).selectOption("all");
      await replay.getByRole("button", { name: "Replay" }).click();
      await page.getByText("7 events are sent again.").waitFor();
      await until("they are sent again", () => receiver.requests.length === before + 7);
      expect(new Set(idsOf("customer.created").slice(-7))).toEqual(sent);
    });
  },
);
