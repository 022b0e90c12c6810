/**
 * The nodes for n8n, packed and installed into an empty folder: the actions run by the engine of n8n, the trigger with its methods and
 * with deliveries, all against the real program.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { installN8n } from "../support/clients/install-client.ts";
import { type N8n, openN8n } from "../support/clients/n8n.ts";
import { useRealProgram } from "../support/clients/real-program.ts";
import { isSkippedWithout } from "../support/run/needs.ts";
import type { Json } from "../support/world/world.ts";

const ENGINE = join(packageRoot, "clients/n8n/node_modules/n8n-workflow");
/** Waits half a minute at most: an event that is refused comes again after five seconds. */
const untilTrue = (check: () => boolean) => expect.poll(check).toBe(true);
const TODAY = new Date().toISOString().slice(0, 10);

describe.skipIf(isSkippedWithout(existsSync(ENGINE)))(
  "the nodes for n8n (needs their packages: npm ci --prefix clients/n8n --ignore-scripts)",
  () => {
    const service = useRealProgram();
    const { done } = service;
    let folder: string;
    let n8n: N8n;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "matchbook-n8n-"));
      await installN8n(folder);
      // With a slash at the end, as people type addresses.
      n8n = await openN8n(folder, () => ({ baseUrl: `${service.origin}/`, apiKey: service.key }));
    });
    afterAll(async () => {
      await n8n?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Runs an operation on one item. */
    const act = async (call: string, parameters: Json = {}, item: Json = {}): Promise<Json> => {
      const [resource = "", operation = ""] = call.split(".");
      const [answer] = await n8n.act({ resource, operation, ...parameters }, [item]);
      return answer;
    };

    describe("the package", () => {
      it("has the icons of its nodes, and needs no other package", async () => {
        const installed = join(folder, "node_modules/n8n-nodes-matchbook");
        const { dependencies } = JSON.parse(
          await readFile(join(installed, "package.json"), "utf8"),
        );
        expect(dependencies).toBeUndefined();
        expect(await readdir(installed)).not.toContain("nodes");
        for (const { description } of [n8n.loaded.Matchbook, n8n.loaded.MatchbookTrigger]) {
          const name = description.displayName.replace(" ", "");
          const icon = join(installed, "dist/nodes", name, description.icon.replace("file:", ""));
          expect(await readFile(icon, "utf8")).toContain("<svg");
        }
      });

      it("tests credentials by asking for the key", async () => {
        const baseUrl = service.origin;
        const answer = await n8n.testCredentials({ baseUrl, apiKey: service.key });
        expect(answer).toMatchObject({ object: "api_key", scope: "read_write" });
        await expect(n8n.testCredentials({ baseUrl, apiKey: "mbk_wrong" })).rejects.toThrow(/401/);
      });

      it("has an action for each operation of the document that takes and answers JSON or a PDF", async () => {
        const { properties } = n8n.loaded.Matchbook.description;
        const [{ options: resources }] = properties;
        expect(resources.map(({ value }: Json) => value)).toEqual(
          expect.arrayContaining(["customers", "products", "invoices", "credit_notes"]),
        );
        const choices = properties.filter(({ name }: Json) => name === "operation");
        const found: string[] = choices.flatMap(({ options, displayOptions }: Json) =>
          options.map(
            ({ value, routing: { request } }: Json) =>
              `${displayOptions.show.resource}.${value} ${request.method} ${request.url}`,
          ),
        );
        const { paths } = JSON.parse(
          await readFile(join(packageRoot, "docs/openapi.json"), "utf8"),
        );
        for (const one of found) {
          const [id, method = "", url = ""] = one.split(/ (\w+) /);
          const path = url.replace(/^=/, "").replace(/\{\{.*?\.(\w+)\) \}\}/g, "{$1}");
          expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(id);
        }
        expect(found.length).toBeGreaterThan(80);
      });
    });

    describe("the actions", () => {
      it("sell something from customer to payment", async () => {
        const customer = await act("customers.create", {
          name: "Acme ApS",
          fields: { external_id: "a/b?c=ø", city: "Odense" },
        });
        const found = await act("customers.get", { ref: "ext:a/b?c=ø" });
        expect(found).toMatchObject({ id: customer.id, city: "Odense" });
        expect(
          await act("customers.update", { ref: customer.id, fields: { city: "" } }),
        ).toMatchObject({ city: null, name: "Acme ApS" });
        const product = await act("products.create", {
          name: "Design",
          fields: { default_price: 800 },
        });
        const line = { product_id: product.id, recognition_method: "on_issue" };
        const draft = await act(
          "invoices.create",
          {
            customer_id: "={{ $json.customer }}",
            fields: {
              lines: JSON.stringify([line]),
              currency: "DKK",
              auto_send: false,
              title: "={{ $json.title }}",
            },
          },
          { customer: customer.id, title: "From n8n" },
        );
        expect(draft).toMatchObject({ status: "draft", title: "From n8n", auto_send: false });
        const issued = await act("invoices.issue", { ref: draft.id });
        expect(issued).toMatchObject({ status: "issued", ledger_invoice_number: 1 });
        const { binary } = await act("invoices.get_pdf", { ref: draft.id });
        expect(Buffer.from(binary.data.data, "base64").toString("latin1", 0, 5)).toBe("%PDF-");
        const payment = await act("payments.create", {
          ...{ external_id: "bank-1", date: TODAY, amount: 1_000 },
          fields: { allocations: JSON.stringify([{ invoice: draft.id }]) },
        });
        expect(payment).toMatchObject({ object: "payment", unallocated: 0 });
        const credit = await act("credit_notes.create", {
          ...{ external_id: "c-1", invoice: draft.id, kind: "full", credit_date: TODAY },
        });
        expect(credit).toMatchObject({ object: "credit_note" });
      });

      it("register hours, and delete a draft", async () => {
        const { id: customer_id } = await act("customers.create", { name: "Acme ApS" });
        const { id: product_id } = await act("products.create", { name: "Work" });
        const { id: user_id } = await act("users.create", { name: "Bo", email: "bo@a.example" });
        const line = { product_id, recognition_method: "hours", hourly_rate: 900 };
        const lines = JSON.stringify([line]);
        const draft = await act("invoices.create", { customer_id, fields: { lines } });
        const hours = await act("work_registrations.create", {
          ...{ line_id: draft.lines[0].id, user_id, hours: 1.25 },
          fields: { billable: false, note: "Sketches" },
        });
        expect(hours).toMatchObject({ hours: 1.25, billable: false, note: "Sketches" });
        expect(await act("work_registrations.delete", { ref: hours.id })).toEqual({
          success: true,
        });
        expect(await act("invoices.delete", { ref: draft.id })).toEqual({ success: true });
        const series = await act("recurring_series.create", {
          ...{ customer_id, frequency: "monthly", start_date: "2026-01-01" },
          fields: { lines, issue_timing: '{"mode":"end-of-period"}' },
        });
        expect(series).toMatchObject({ status: "draft", issue_timing: { mode: "end-of-period" } });
      });

      it("return one page, or all that a filter finds", async () => {
        const rows = Array.from({ length: 103 }, (_, at) => ({
          external_id: `p${at}`,
          name: `P ${at}`,
        }));
        for (const row of rows) await done("POST /products", row);
        await done("POST /products", { name: "Other" });
        const list = { resource: "products", operation: "list" };
        expect(await n8n.act({ ...list, limit: 5 })).toHaveLength(5);
        expect(await n8n.act({ ...list, returnAll: true })).toHaveLength(104);
        const filters = { search: "P" };
        const found = await n8n.act({ ...list, returnAll: true, filters });
        expect(new Set(found.map(({ id }) => id)).size).toBe(103);
      });

      it("run once for each item, and do nothing twice when n8n repeats them", async () => {
        const create = { resource: "customers", operation: "create", name: "={{ $json.name }}" };
        const items = [{ name: "One" }, { name: "Two" }];
        const idsOf = async (place: Json) =>
          (await n8n.act(create, items, place)).map(({ id }) => id);
        const first = await idsOf({ execution: "7" });
        expect(new Set(first).size).toBe(2);
        expect(await idsOf({ execution: "7" })).toEqual(first);
        // A loop runs the node again in the same execution.
        const next = await idsOf({ execution: "7", run: 1 });
        const other = await idsOf({ execution: "8" });
        expect(new Set([...first, ...next, ...other]).size).toBe(6);
      });

      it("fail with the code and the fields of a refusal", async () => {
        const wrong = act("customers.create", { name: "X", fields: { email: "no address" } });
        await expect(wrong).rejects.toMatchObject({
          message: expect.stringContaining("VALIDATION_FAILED"),
          description: expect.stringMatching(/^email: [\s\S]*\nRequest /),
          httpCode: "422",
        });
        await expect(act("invoices.get_pdf", { ref: "ext:none" })).rejects.toThrow("NOT_FOUND");
      });
    });

    describe("the trigger", () => {
      const endpoints = async (): Promise<Json[]> => (await done("GET /webhook-endpoints")).data;
      const customerIn = (events: readonly Json[], name: string) => () =>
        events.some(({ data }) => data.resource.name === name);

      it("has one endpoint however often it is published, which follows the node", async () => {
        const trigger = n8n.openTrigger("node-1");
        await trigger.publish(["customer.created"]);
        await trigger.publish(["customer.created"]);
        await trigger.create(["customer.created"]);
        const [endpoint, ...others] = await endpoints();
        expect(others).toEqual([]);
        expect(endpoint).toMatchObject({
          ...{ external_id: "n8n-w1-node-1", url: trigger.url, description: "n8n: Orders" },
          ...{ event_types: ["customer.created"], status: "enabled" },
        });
        await trigger.publish(["customer.*", "product.created"]);
        const [changed] = await endpoints();
        expect(changed.id).toBe(endpoint.id);
        expect(changed.event_types).toEqual(["customer.*", "product.created"]);

        await done("POST /customers", { external_id: "acme", name: "Acme ApS" });
        await untilTrue(customerIn(trigger.events, "Acme ApS"));
        await done("PATCH /customers/ext:acme", { name: "Acme A/S" });
        await untilTrue(customerIn(trigger.events, "Acme A/S"));
        expect(trigger.events.map(({ type }) => type)).toEqual([
          "customer.created",
          "customer.updated",
        ]);
        expect(trigger.statuses).toEqual([200, 200]);

        // A person has stopped it meanwhile: who publishes the workflow wants events again.
        await done("POST /webhook-endpoints/ext:n8n-w1-node-1/pause");
        await trigger.publish(["customer.*", "product.created"]);
        expect(await endpoints()).toMatchObject([{ status: "enabled" }]);
        await trigger.switchOff();
        expect(await endpoints()).toEqual([]);
        await trigger.switchOff();
        expect(JSON.stringify(trigger.static_data)).not.toContain("whsec_");
      });

      it("has one endpoint when two publications overlap", async () => {
        const trigger = n8n.openTrigger("node-6");
        const types = ["customer.created"];
        await Promise.all([trigger.publish(types), trigger.publish(types), trigger.publish(types)]);
        expect(await endpoints()).toHaveLength(1);
        await done("POST /customers", { name: "Acme ApS" });
        await untilTrue(customerIn(trigger.events, "Acme ApS"));
        expect(trigger.statuses).toEqual([200]);
        await trigger.switchOff();
      });

      it("takes what is signed with its secret, and refuses what is forged or old", async () => {
        const trigger = n8n.openTrigger("node-2");
        await trigger.publish(["customer.created"]);
        const [secret = ""] = /whsec_[^"]+/.exec(JSON.stringify(trigger.static_data)) ?? [];
        const statusOf = async (
          fields: { body?: string; seconds?: number; headers?: Record<string, string> } = {},
        ) => {
          const at = new Date(Date.now() - (fields.seconds ?? 0) * 1_000);
          const signed = {
            "webhook-id": "a",
            "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
            "webhook-signature": new Webhook(secret).sign("a", at, '{"id":"a"}'),
          };
          const { body = '{"id":"a"}', headers = signed } = fields;
          return (await fetch(trigger.url, { method: "POST", body, headers })).status;
        };
        expect(await statusOf()).toBe(200);
        expect(await statusOf({ seconds: 290 })).toBe(200);
        expect(await statusOf({ seconds: 310 })).toBe(401);
        expect(await statusOf({ seconds: -310 })).toBe(401);
        expect(await statusOf({ body: '{"id":"b"}' })).toBe(401);
        expect(await statusOf({ headers: {} })).toBe(401);
        expect(trigger.events).toEqual([{ id: "a" }, { id: "a" }]);
        await trigger.switchOff();
      });

      it("replaces a secret that is lost when events come", async () => {
        const trigger = n8n.openTrigger("node-3");
        await trigger.publish(["customer.created"]);
        for (const name of Object.keys(trigger.static_data)) delete trigger.static_data[name];
        await trigger.publish(["customer.created"]);
        await Promise.all(["One", "Two"].map((name) => done("POST /customers", { name })));
        await untilTrue(() => trigger.events.length === 2);
        const names = trigger.events.map(({ data }) => data.resource.name);
        expect(names.sort()).toEqual(["One", "Two"]);
        expect(trigger.statuses).toEqual(expect.arrayContaining([503, 200, 200]));
        await done("POST /customers", { name: "Three" });
        await untilTrue(customerIn(trigger.events, "Three"));
        expect(await endpoints()).toHaveLength(1);
        await trigger.switchOff();
      });

      it("listens for a test event beside the published workflow", async () => {
        const published = n8n.openTrigger("node-4");
        const test = n8n.openTrigger("node-4", "manual");
        await published.publish(["customer.created"]);
        await test.publish(["customer.created"]);
        await done("POST /customers", { name: "Acme ApS" });
        await untilTrue(() => published.events.length + test.events.length === 2);
        await test.switchOff();
        expect(await endpoints()).toMatchObject([{ url: published.url }]);
        await published.switchOff();
      });

      it("offers the types of the installation", async () => {
        const offered = (await n8n.openTrigger("node-5").eventTypes()).map(({ value }) => value);
        expect(offered).toEqual(
          expect.arrayContaining(["*", "invoice.issued", "customer.created"]),
        );
        await expect(n8n.openTrigger("node-5").publish(["comet.seen"])).rejects.toMatchObject({
          description: expect.stringContaining("event_types[0]"),
        });
      });
    });
  },
);
