/** The seller's logo and accent colour (spec 7.3): the accepted values, and what issued documents keep of them. */
import { createHash, randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { jpeg, png, pngOf } from "../../../../test/support/documents/pictures.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { readPng } from "../../../domain/base/image.ts";

const world = useWorld();

const INVALID = "422 VALIDATION_FAILED";
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const put = (bytes: Buffer) =>
  world.rest("PUT /configuration/logo", { content: bytes.toString("base64") });
const drawn = async (id: string) => (await world.rest(`GET /invoices/${id}/pdf`)).body as Buffer;
const sellerNow = async () => (await world.done("GET /configuration")).seller;

describe("the logo", () => {
  it("is returned as it was sent, until it is removed", async () => {
    expect(refusal(await world.rest("GET /configuration/logo"))).toBe("404 NOT_FOUND");
    const picture = png(60, 20);
    const logo = { sha256: hashOf(picture), content_type: "image/png", width: 60, height: 20 };
    const { status, body } = await put(picture);
    expect([status, body]).toEqual([200, { object: "logo", ...logo }]);
    expect((await sellerNow()).logo).toEqual(logo);
    const read = await world.rest("GET /configuration/logo");
    const { headers, body: bytes } = read;
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
      "image/png",
      "nosniff",
    ]);
    expect(bytes.equals(picture)).toBe(true);

    await world.done("PATCH /configuration", { seller: { name: "Nordlys" } });
    const configuration = await world.done("GET /configuration");
    expect(configuration.seller).toMatchObject({ name: "Nordlys", logo });
    const { updated_at: _, ...back } = configuration;
    expect(await world.done("PATCH /configuration", back)).toEqual(configuration);

    await put(jpeg);
    expect((await sellerNow()).logo).toMatchObject({ content_type: "image/jpeg", width: 48 });
    expect((await world.rest("DELETE /configuration/logo")).status).toBe(204);
    expect(await sellerNow()).not.toHaveProperty("logo");
    expect(refusal(await world.rest("DELETE /configuration/logo"))).toBe("404 NOT_FOUND");
  });

  it("may have half a million pixels", async () => {
    expect((await put(png(1000, 500, { kind: 2 }))).status).toBe(200);
  });

  it("is recorded as a change of the configuration", async () => {
    await put(png(5, 5));
    const { data } = await world.done("GET /audit-events?limit=1");
    expect(data[0]).toMatchObject({
      resource_type: "configuration",
      after: { seller: { logo: { width: 5 } } },
    });
  });

  const bomb = png(20, 20, { data: deflateSync(Buffer.alloc(50_000_000)) });
  it.each<[string, Json, string]>([
    ["nothing", {}, "content required"],
    ["invalid base64", { content: "data:image/png;base64,AAAA" }, "content invalid_format"],
    ["a value that is not a text", { content: 12 }, "content invalid_type"],
    ["a text file", { content: Buffer.from("hello").toString("base64") }, "content invalid_format"],
    [
      "a script declared as a picture",
      { content: Buffer.from("<svg/>").toString("base64") },
      "content invalid_format",
    ],
    [
      "a PNG without pixels",
      { content: png(9, 9, { data: Buffer.from([1]) }).toString("base64") },
      "content invalid_format",
    ],
    [
      "a PNG that unpacks without an end",
      { content: bomb.toString("base64") },
      "content invalid_format",
    ],
    [
      "a PNG with fewer pixels than it claims",
      { content: png(9, 9, { data: deflateSync(Buffer.alloc(100)) }).toString("base64") },
      "content invalid_format",
    ],
    [
      "a PNG whose rows have an unknown filter",
      { content: png(2, 1, { data: deflateSync(Buffer.alloc(9, 9)) }).toString("base64") },
      "content invalid_format",
    ],
    [
      "half of a PNG",
      { content: png(20, 20).subarray(0, 60).toString("base64") },
      "content invalid_format",
    ],
    [
      "half of a JPEG",
      { content: jpeg.subarray(0, jpeg.length / 2).toString("base64") },
      "content invalid_format",
    ],
    [
      "a picture that is too wide",
      { content: png(2001, 2, { kind: 2 }).toString("base64") },
      "content too_large",
    ],
    [
      "a picture with too many pixels",
      { content: png(1001, 500, { kind: 2 }).toString("base64") },
      "content too_large",
    ],
    [
      "a picture with too many bytes",
      { content: randomBytes(300_001).toString("base64") },
      "content too_large",
    ],
    ["a text of too many characters", { content: "A".repeat(800_001) }, "content too_long"],
  ])("cannot be %s", async (_what, body, fault) => {
    expect(refusal(await world.rest("PUT /configuration/logo", body))).toBe(`${INVALID} ${fault}`);
  });

  it("is set by keys that may write, for their own account only", async () => {
    const { read } = world.account.keys;
    const body = { content: png(2, 2).toString("base64") };
    expect(refusal(await world.rest("PUT /configuration/logo", body, read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
    await put(png(3, 3));
    const { keys } = await world.openAnother();
    expect(refusal(await world.rest("GET /configuration/logo", undefined, keys.read))).toBe(
      "404 NOT_FOUND",
    );
    // Its hash does not work either: sending the logo of a response back sets none.
    const { logo } = await sellerNow();
    const named = await world.rest("PATCH /configuration", { seller: { logo } }, keys.read_write);
    expect(named.body.seller).not.toHaveProperty("logo");
  });
});

describe("the accent colour", () => {
  it("is stored in lower case, shown when there is one, and removed", async () => {
    const set = (accent_color: unknown) =>
      world.rest("PATCH /configuration", { seller: { accent_color } });
    expect((await set("#0B5B49")).body.seller.accent_color).toBe("#0b5b49");
    expect(refusal(await set("green"))).toBe(`${INVALID} seller.accent_color invalid_format`);
    expect((await set(null)).body.seller).not.toHaveProperty("accent_color");
  });
});

describe("an issued document", () => {
  it("keeps the logo with which it was issued, whatever happens to the logo later", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Acme" });
    const { id: product_id } = await world.done("POST /products", { name: "P", default_price: 9 });
    const issued = async () => {
      const lines = [{ product_id, recognition_method: "value" }];
      const draft = await world.done("POST /invoices", { customer_id, auto_send: false, lines });
      return (await world.done(`POST /invoices/${draft.id}/issue`)).id;
    };
    const pdf = async (id: string) => (await world.rest(`GET /invoices/${id}/pdf`)).body;
    const pictures = (bytes: Buffer) =>
      [...bytes.toString("latin1").matchAll(/\/Width (\d+)/g)].map(([, width]) => Number(width));
    const [first, second] = [png(40, 10, { kind: 2 }), png(50, 10, { kind: 2 })];

    await put(first);
    const seen = await issued();
    const unseen = await issued();
    const before = await pdf(seen);
    await put(second);
    const later = await issued();
    await world.done("PATCH /configuration", { seller: null });
    const bare = await issued();

    expect(pictures(before)).toEqual([40]);
    expect((await pdf(seen)).equals(before)).toBe(true);
    expect(pictures(await pdf(unseen))).toEqual([40]);
    expect(pictures(await pdf(later))).toEqual([50]);
    expect(pictures(await pdf(bare))).toEqual([]);
  });

  it("prints the logo no larger than needed on paper, normalized when it was set", async () => {
    const customer = await world.done("POST /customers", { name: "Acme" });
    const { id } = await world.done("POST /invoices", { customer_id: customer.id, lines: [] });
    // Noise of four random bits, which compresses well as sent.
    const rows = Buffer.alloc(700 * 2801);
    for (let at = 0; at < rows.length; at += 1) rows[at] = at % 2801 === 0 ? 1 : at % 89 ? 0 : at;
    const noise = pngOf({ width: 700, height: 700, depth: 8, kind: 6 }, deflateSync(rows));
    await put(noise);
    const now = await drawn(id);
    expect(now.includes("/Width 235")).toBe(true);
    expect(now.length).toBeLessThan(300_000);
    expect((await world.rest("GET /configuration/logo")).body.equals(noise)).toBe(true);
    const [row] = await world.sql("select plain from seller_logos where sha256 = $1", [
      createHash("sha256").update(noise).digest(),
    ]);
    expect(readPng(row.plain)).toMatchObject({ width: 235, height: 235 });

    // The same pixels in a file stored before pictures were normalized: the same page.
    await put(
      pngOf({ width: 700, height: 700, depth: 8, kind: 6 }, deflateSync(rows, { level: 1 })),
    );
    await world.sql("alter table seller_logos disable trigger user");
    await world.sql("update seller_logos set plain = null");
    await world.sql("alter table seller_logos enable trigger user");
    for (const _time of [1, 2]) expect((await drawn(id)).equals(now)).toBe(true);

    await put(jpeg);
    expect((await drawn(id)).includes(jpeg)).toBe(true);
    expect(await world.sql("select 1 from seller_logos where plain is not null")).toEqual([]);
  });

  it("cannot lose its logo in the database", async () => {
    const { message } = await world.sql("delete from seller_logos").then(
      () => new Error("deleted"),
      (error: Error) => error,
    );
    expect(message).toContain("append-only");
  });
});
