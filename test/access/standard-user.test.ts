/**
 * The day of a person who is not an admin, in a real browser: their hours, their resources, what they issue, and nothing else.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { alive, useChromium } from "../support/browser/alive.ts";
import { lacksChromium } from "../support/browser/chromium.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";

const WINDOWS = [
  ["a desk", { viewport: { width: 1280, height: 800 } }],
  ["a telephone", { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }],
] as const;

describe.skipIf(lacksChromium)(
  "in Chromium (needs a browser in a usual place or named by CHROMIUM_PATH)",
  () => {
    const { world, at, hours, invoice, customer, product } = useWork({ knows_origin: true });
    const chromium = useChromium(world);
    let oauth: ReturnType<typeof openConsent>;
    let other_customer: Json;
    let others: Json;
    beforeAll(async () => {
      at("2026-11-22");
      oauth = openConsent(world);
      other_customer = await world.done("POST /customers", { name: "Elsewhere ApS" });
      others = await world.done("POST /invoices", {
        customer_id: other_customer.id,
        title: "Of another user",
        lines: [{ product_id: product.id, recognition_method: "on_issue", agreed_value: 10 }],
      });
    });

    it.each(WINDOWS)("a standard user works through their day, at %s", async (_name, options) => {
      const { user_id } = await oauth.person();
      const { email } = await world.done(`GET /users/${user_id}`);
      const mine = { assignees: [{ user_id }], hourly_rate: 1000 };
      const own = await invoice([hours(mine)], { title: "Own invoice", auto_send: false });

      const page = await chromium.open(null, options);
      const fits = async () =>
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
      await page.goto("/sign-in");
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(oauth.password);
      await page.getByRole("button", { name: "Sign in" }).click();

      // The person starts on the page of their hours.
      await page.waitForURL(/\/hours\/2026-W47$/);
      await alive(page);
      const places = page.locator(".nav a");
      expect(new Set(await places.allTextContents())).toEqual(
        new Set([
          ...["Today", "My work", "Customers", "Invoices", "Retainers", "Products", "Revenue"],
          ...["Assistants", "Activity"],
        ]),
      );
      if ("isMobile" in options) await page.getByRole("button", { name: /^Fri 20/ }).tap();
      await page.locator('input.hour[data-row="0"][data-days="4"]').click();
      await page.keyboard.type("2.5");
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: "All saved" }).waitFor();
      await fits();

      // The pages show the person's own resources and no others.
      for (const [path, seen, unseen] of [
        ["/today", customer.name, "Of another user"],
        ["/customers", customer.name, "Elsewhere"],
        ["/invoices", "Own invoice", "Of another user"],
      ] as const) {
        await page.goto(path);
        const text = await page.locator("main").textContent();
        expect(text, path).toContain(seen);
        expect(text, path).not.toContain(unseen);
        await fits();
      }
      await page.goto("/search?q=Elsewhere");
      expect(await page.getByRole("link", { name: /Elsewhere/ }).count()).toBe(0);
      // A refusal does not depend on the size of the window, so one window suffices.
      const forged =
        "isMobile" in options
          ? []
          : ([
              [`/invoices/${others.id}`, 404],
              [`/invoices/${others.id}/pdf`, 404],
              [`/invoices/${others.id}/issue`, 404],
              [`/customers/${other_customer.id}`, 404],
              [`/hours/2026-W47?user=${world.account.admin.user_id}`, 404],
              ["/products/new", 404],
              ["/hours/team", 404],
              [`/customers/${customer.id}/edit`, 403],
            ] as const);
      for (const [path, status] of forged) {
        expect([path, (await page.request.get(path)).status()]).toEqual([path, status]);
      }

      // The person creates a draft, which begins with a line of theirs, and sees what the customer gets, but not the books.
      await page.goto("/invoices");
      await page.getByRole("link", { name: "New invoice" }).click();
      await page.getByLabel("What is it for?").selectOption({ label: product.name });
      await page.getByRole("button", { name: `Start an invoice for ${customer.name}` }).click();
      await alive(page);
      await page.getByLabel("Price, Line 1").fill("400");
      await page.getByText("Saved", { exact: true }).waitFor();
      expect(await page.getByRole("tab").allTextContents()).toEqual(["Paper", "E-mail"]);
      await page.getByRole("button", { name: "Remove line 1" }).click();
      await page.getByText("None of the lines is assigned to you").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      await fits();
      const begun = await world.done(`GET /invoices/${page.url().split("/").at(-1)}`);
      expect(begun.lines).toMatchObject([{ agreed_value: 400, assignees: [{ user_id }] }]);

      // The person issues their own invoice as it was shown.
      await page.goto("/invoices");
      expect(await page.getByRole("checkbox", { name: /^Select (?!all)/ }).count()).toBe(2);
      await page.getByRole("link", { name: "Own invoice", exact: true }).click();
      await page.getByRole("link", { name: "Issue…" }).click();
      await page.getByRole("button", { name: /^Issue DKK 3,125.00/ }).click();
      await page.getByText("Booked").first().waitFor();
      await fits();
      expect(await page.getByRole("button", { name: /Send/ }).count()).toBe(0);
      // The person credits it, without seeing what others earn.
      await page.getByRole("link", { name: "Credit…" }).click();
      await alive(page);
      await page.getByRole("button", { name: "The whole invoice" }).click();
      await page.getByText("Only admins see the effect on revenue.").waitFor();
      await fits();
      const issued = await world.done(`GET /invoices/${own.id}`);
      expect(issued.status).toBe("issued");
    });
  },
);
