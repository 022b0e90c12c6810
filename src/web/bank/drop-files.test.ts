/** Files of the bank on the bank page: by the action of its island and by the form without scripts, in both languages. */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../test/support/bank/camt.ts";
import {
  type Browser,
  openBrowser,
  type PageReply,
  proofOf,
  textOf,
} from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { csrfToken } from "../../platform/security/sessions/csrf.ts";

const FILES = "/bank/files";
const DANISH = { "accept-language": "da" };
const CSV = "Dato;Navn;Tekst;Beløb\n02-03-2026;Nordlys ApS;Faktura 47;1.250,00\n";

let admin: Browser;
let standard: Browser;
let bank: Json;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
  [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
});

/** Posts the form without scripts, as browsers send it. */
function upload(
  content: string,
  { browser = admin, headers = {}, fields = {} }: Json = {},
): Promise<PageReply> {
  const csrf = csrfToken(browser.cookie() ?? "", FILES);
  const named = Object.entries({ csrf, ...fields }).map(
    ([name, value]) => `--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--b0\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${content}\r\n`;
  return browser.post(FILES, `${named.join("")}${file}--b0--\r\n`, {
    "content-type": "multipart/form-data; boundary=b0",
    ...headers,
  });
}

/** Sends a file as the island does. */
async function drop(content: string | Buffer, query = "", browser = admin) {
  const proof = await proofOf(browser);
  const reply = await browser.post(`/app/bank/files${query}`, content.toString(), {
    "content-type": "text/csv",
    "x-csrf": proof,
  });
  return { status: reply.status, body: JSON.parse(reply.html) as Json };
}

const lines = async (): Promise<Json[]> => (await world.done("GET /bank-lines?limit=100")).data;
const [month] = ["2026-01"];
const statement = (day: string, amount: string, more = {}) =>
  camt({ entries: [{ amount, day: `${month}-${day}`, text: "Rent" }], ...more });

describe("a file without scripts", () => {
  it("is read, and the page shows what it brought", async () => {
    const reply = await upload(statement("02", "100.00"));
    expect([reply.status, reply.location]).toEqual([
      303,
      expect.stringMatching(/^\/bank\?brought=/),
    ]);
    const page = textOf(await admin.get(reply.location ?? ""));
    expect(page).toContain("What the file brought");
    expect(page).toContain("1 new line.");
    const danish = textOf(await admin.get(reply.location ?? "", DANISH));
    expect(danish).toContain("Hvad filen gav");
    expect(danish).toContain("1 ny linje.");
  });

  it("says that it was read before, and what of it is known", async () => {
    const again = await upload(statement("02", "100.00"));
    expect(again.location).toContain("&known=1");
    expect(textOf(await admin.get(again.location ?? ""))).toContain("read before: nothing new");
    const entries = ["100.00", "200.00"].map((amount) => ({
      amount,
      day: "2026-01-02",
      text: "Rent",
    }));
    const more = await upload(camt({ entries }));
    expect(textOf(await admin.get(more.location ?? ""))).toContain(
      "1 new line, 1 were read before",
    );
  });

  it("warns of a gap between statements", async () => {
    const at = (day: string, opening: string, closing: string) =>
      statement(day, "100.00", {
        opening: [`2026-01-${day}`, opening],
        closing: [`2026-01-${day}`, closing],
      });
    await upload(at("10", "1000.00", "1100.00"));
    const later = await upload(at("20", "5000.00", "5100.00"));
    const page = textOf(await admin.get(later.location ?? ""));
    expect(page).toContain("one may be missing");
    expect(page).toContain("Balance from DKK 5,000.00 to DKK 5,100.00.");
    expect(textOf(await admin.get("/bank?tab=statements"))).toContain("Gap");
    expect(textOf(await admin.get("/bank?tab=statements", DANISH))).toContain("Hul");
  });

  it.each([
    ["no statement", "<a/>", "neither a camt.053 statement nor a CSV"],
    [
      "a statement of another account",
      statement("03", "1.00", { iban: "DE89370400440532013000" }),
      "whose number is not known here. Enter",
    ],
    [
      "balances that do not add up",
      statement("03", "1.00", { opening: ["2026-01-03", "1.00"], closing: ["2026-01-03", "9.00"] }),
      "do not add up",
    ],
    ["an entity", '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "neither a camt.053"],
    ["a cut file", statement("03", "1.00").slice(0, 400), "neither a camt.053"],
  ])(
    "is refused with a clear sentence, and nothing is stored: %s",
    async (_case, content, said) => {
      const before = await lines();
      const page = await upload(content);
      expect(page.status).toBe(422);
      expect(textOf(page)).toContain(said);
      expect(textOf(page)).toContain("Nothing of it was stored.");
      expect(textOf(await upload(content, { headers: DANISH }))).toContain("blev ikke indlæst");
      expect(await lines()).toEqual(before);
    },
  );

  it("is asked for where none was chosen", async () => {
    const page = await upload("");
    expect([page.status, textOf(page).includes("Choose a file first.")]).toEqual([422, true]);
  });

  it("needs the token of its form, an admin and an own origin", async () => {
    const forged = await upload(statement("04", "1.00"), { fields: { csrf: "forged" } });
    expect(forged.status).toBe(400);
    const foreign = { "sec-fetch-site": "cross-site" };
    expect((await upload(statement("04", "1.00"), { headers: foreign })).status).toBe(400);
    expect((await upload(statement("04", "1.00"), { browser: standard })).status).toBe(404);
    const stranger = openBrowser(world);
    expect((await upload(statement("04", "1.00"), { browser: stranger })).status).toBe(401);
    expect((await lines()).some(({ date }) => date === "2026-01-04")).toBe(false);
  });

  it("is refused above 10 MB", async () => {
    expect((await upload("x".repeat(10_100_000))).status).toBe(400);
    expect((await drop("x".repeat(10_000_001))).status).toBe(400);
  });

  it("of 10 MB of rubbish is refused within two seconds", async () => {
    const begun = performance.now();
    const page = await upload(`<${"a".repeat(9_900_000)}`);
    expect([page.status, performance.now() - begun < 4_000]).toEqual([422, true]);
  });
});

describe("a CSV of a bank account without a profile", () => {
  it("shows its first rows under guessed heads, which are kept and corrected", async () => {
    const asked = await upload(CSV);
    expect(asked.status).toBe(422);
    expect(textOf(asked)).toContain("What are the columns of this file?");
    expect(textOf(await upload(CSV, { headers: DANISH }))).toContain("Hvad er kolonnerne i filen?");
    const chosen = [...asked.html.matchAll(/name="column_(\d)"[\s\S]*?<\/select>/g)].map(
      ([select = ""]) => /value="([a-z_]+)" selected/.exec(select)?.[1],
    );
    expect(chosen).toEqual(["date", "counterparty", "text", "amount"]);
    expect(await lines()).not.toContainEqual(expect.objectContaining({ text: "Faktura 47" }));
    const fields = {
      ...{ delimiter: ";", encoding: "utf-8", has_header: "true", skip_lines: "0", decimal: "," },
      ...{ date_format: "dd-MM-yyyy", head_0: "Dato", head_1: "Navn", head_2: "Tekst" },
      ...{ head_3: "Beløb", column_1: "counterparty", column_2: "text", column_3: "amount" },
    };
    const refused = await admin.submit(asked, "/bank/profile", { ...fields, column_0: "" });
    expect([refused.status, textOf(refused).includes("which column has the date")]).toEqual([
      422,
      true,
    ]);
    const kept = await admin.submit(asked, "/bank/profile", { ...fields, column_0: "date" });
    expect([kept.status, kept.location]).toEqual([303, "/bank"]);
    const { csv_profile } = await world.done(`GET /bank-accounts/${bank.id}`);
    expect(csv_profile.columns).toMatchObject({
      date: "Dato",
      counterparty: "Navn",
      amount: "Beløb",
    });
    const read = await upload(CSV);
    expect(read.location).toContain("brought=");
    expect(await lines()).toContainEqual(
      expect.objectContaining({
        text: "Faktura 47",
        amount: 1250,
        counterparty: { name: "Nordlys ApS", account: null },
      }),
    );
  });

  it("asks again where a cell cannot be read, with its row", async () => {
    const page = await upload("Dato;Navn;Tekst;Beløb\n32-03-2026;A;B;1,00\n");
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain("Some cells cannot be read");
    expect(textOf(page)).toContain("Line 2");
  });

  it("asks about a file that has other columns as about a first one", async () => {
    const other = "\ufeffBogføringsdato;Beløb;Beskrivelse;Saldo\n2026/04/02;-29,00;Gebyr;1,00\n";
    const page = await upload(other);
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain("This file has other columns than those before.");
    expect(textOf(page)).not.toContain("Some cells cannot be read");
    const chosen = [...page.html.matchAll(/name="column_(\d)"[\s\S]*?<\/select>/g)].map(
      ([select = ""]) => /value="([a-z_]+)" selected/.exec(select)?.[1],
    );
    expect(chosen).toEqual(["date", "amount", "text", "balance"]);
    const danish = textOf(await upload(other, { headers: DANISH }));
    expect(danish).toContain("Filen har andre kolonner end de tidligere.");
    const { asks } = (await drop(other)).body;
    expect(asks).toMatchObject({ is_changed: true, faults: [] });
  });

  it("shows markup in a cell as text", async () => {
    const page = await upload("Dato;Tekst\n02-03-2026;<img src=x onerror=alert(1)>\n");
    expect(page.status).toBe(422);
    expect(page.html).toContain("&lt;img src=x");
    expect(page.html).not.toContain("<img");
  });
});

describe("the action of dropped files", () => {
  it("answers what was brought, and the same for the same bytes", async () => {
    const first = await drop(statement("05", "300.00"));
    expect(first).toEqual({ status: 200, body: { brought: expect.any(String), is_new: true } });
    const again = await drop(statement("05", "300.00"));
    expect(again.body).toEqual({ ...first.body, is_new: false });
  });

  it("answers the guessed profile, and reads the file once this is kept", async () => {
    const made = await world.done("POST /bank-accounts", { name: "Second", ledger_account: 6486 });
    const query = `?bank_account=${made.id}`;
    const asked = await drop(CSV, query);
    const { asks } = asked.body;
    expect(asks).toMatchObject({ bank_account: made.id, faults: [], profile: { delimiter: ";" } });
    expect(asks.is_changed).toBe(false);
    const proof = await proofOf(admin);
    const kept = { bank_account: made.id, profile: asks.profile };
    expect((await admin.act("/app/bank/profile", kept, proof)).status).toBe(200);
    expect((await drop(CSV, query)).body).toMatchObject({ is_new: true });
  });

  it("answers a refusal on the file, and an unknown bank account as absent", async () => {
    const { status, body } = await drop("<a/>");
    expect([status, body.error.field_errors[0].field]).toEqual([422, "file"]);
    const unknown = "?bank_account=00000000-0000-4000-8000-000000000000";
    expect((await drop(CSV, unknown)).status).toBe(404);
  });

  it("is for admins alone, with the proof of their page", async () => {
    expect((await drop(CSV, "", standard)).status).toBe(404);
    const headers = { "content-type": "text/csv", "x-csrf": "forged" };
    expect((await admin.post("/app/bank/files", CSV, headers)).status).toBe(400);
  });

  it("imports two files at once, each line once", async () => {
    const entry = (amount: string) => ({ amount, day: "2026-01-06", text: "Both" });
    const files = [
      [entry("1.00"), entry("2.00")],
      [entry("2.00"), entry("3.00")],
    ];
    await Promise.all(files.map((entries) => drop(camt({ entries }))));
    const both = (await lines()).filter(({ text }) => text === "Both");
    expect(both.map(({ amount }) => amount).sort()).toEqual([1, 2, 3]);
  });
});

describe("the bank page", () => {
  it("does not exist for standard users", async () => {
    expect((await standard.get("/bank")).status).toBe(404);
    expect((await standard.get("/today")).html).not.toContain('href="/bank"');
    expect((await admin.get("/today")).html).toContain('href="/bank"');
  });

  it("shows the open lines, escaped, and finds them", async () => {
    const entries = [{ amount: "1.50", day: "2026-01-07", text: "<b>bold</b> & co" }];
    await drop(
      camt({ entries: entries.map((one) => ({ ...one, text: "&lt;b&gt;bold&lt;/b&gt;" })) }),
    );
    const page = await admin.get("/bank?q=bold");
    expect(page.html).toContain("&lt;b>bold&lt;/b>");
    expect(page.html).not.toContain("<b>bold");
    expect(textOf(await admin.get("/bank?q=nothing-like-it"))).toContain("No line matches");
  });
});
