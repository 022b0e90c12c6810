/** Every page in both languages: Danish pages are in Danish, except names, code, and words that are the same in both. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  openBrowser,
  type PageReply,
} from "../../../test/support/browser/browser.ts";
import { everyPage, unvisited, type Visit } from "../../../test/support/browser/every-page.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { ROLES } from "../../../test/support/world/studio.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { standardChart } from "../../ledger/connectors/builtin/chart.ts";
import { momentOf } from "../parts/format.ts";
import { daRefusals } from "./da-refusals.ts";

let oauth: ReturnType<typeof openConsent>;
let visits: readonly Visit[];
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  visits = await everyPage(world);
});

/** Words that are the same in both languages. */
const SAME = [
  "Matchbook",
  "Status",
  "Reference",
  "Plan",
  "plan",
  "hours",
  "logo",
  "note",
  "–",
  "parts",
  "Note",
  "E-mail",
  "PDF",
  "EN 16931",
  "Peppol BIS Billing",
  "OIOUBL",
  "Factur-X",
  "Format",
  "Peppol BIS 3",
  "English",
  "Dansk",
];

/** The accounts of a new chart, and those that are added to it, have Danish names in both languages. */
const CHART: ReadonlySet<string> = new Set([
  ...standardChart.map(({ name }) => name),
  ...Object.values(ROLES).map((number) => `Konto ${number}`),
]);

/** Proper names, which are the same in all languages, and texts without a word. */
const NAMES =
  /^((Matchbook|Webhooks|Bank|DKK|DK50[ 0-9]+|Admin|Claude|Design(, new)?|Ida|assistant\.example|(Studio|Person|Invited|Assistant) \d+|Invited|First read(_write)? key|Planned ApS|Lindegaard ApS(: #3)?|Ringkøbing-Skjern Kommune|Nordlys ApS|Vestergade 12|Mette|[^ ]+@[^ ]+)( – Matchbook)?|[^a-zæøå]*)$/i;

/** All text of a page: its text nodes, and the attributes that are read out or shown. */
function textsOf({ html }: PageReply): string[] {
  const said = html
    .replaceAll(/<(?!html)(\w+) lang="en">.*?<\/\1>/gs, "")
    // Values and codes of a file are the same for all readers.
    .replaceAll(/<bdi>.*?<\/bdi>/gs, "")
    // The names of keys are the ones on the keyboard.
    .replaceAll(/<kbd>.*?<\/kbd>/gs, "")
    // Many countries have the same name in both languages.
    .replaceAll(
      /<select class="input" id="(?:seller\.|vat\.domestic_)?country(?:_key)?".*?<\/select>/gs,
      "",
    )
    // Codes of currencies are the same in both languages.
    .replaceAll(/<option value="([A-Z]{3})"[^>]*>\1<\/option>/g, "")
    // A value of a change may be what a person typed.
    .replaceAll(/<(ins|del)>.*?<\/\1>/gs, "")
    // A document and its mail are in its customer's language.
    .replaceAll(/<article class="(?:paper|mail|mail-preview)".*?<\/article>/gs, "")
    .replaceAll(/<(code|pre|svg|kbd)\b.*?<\/\1>/gs, "")
    .replaceAll(/<span class="face".*?<\/span>/gs, "");
  const attributes = [...said.matchAll(/ (?:aria-label|placeholder|title|alt)="([^"]+)"/g)];
  const texts = said.split(/<[^>]*>/).map((text) => text.trim());
  return [...texts, ...attributes.map(([, text = ""]) => text)].filter((text) => text !== "");
}

async function inBoth(get: (headers: Record<string, string>) => Promise<PageReply>) {
  const english = await get({ "accept-language": "en", accept: "text/html" });
  const danish = await get({ "accept-language": "da", accept: "text/html" });
  return { english, danish };
}

function sameIn({ english, danish }: { english: PageReply; danish: PageReply }): string[] {
  expect(danish.html).toContain('<html lang="da"');
  expect(danish.status).toBe(english.status);
  const said = new Set(textsOf(english));
  return textsOf(danish).filter(
    (text) =>
      said.has(text) &&
      !SAME.includes(text) &&
      !CHART.has(text.replace(/^\d+ /, "")) &&
      !NAMES.test(text),
  );
}

const as = ({ cookie }: Visit): Browser => {
  const browser = openBrowser(world);
  browser.setCookie(cookie);
  return browser;
};

it("visits every page", () => {
  expect(unvisited(visits)).toEqual([]);
});

it("has no English text on a Danish page", async () => {
  const found: string[] = [];
  for (const visit of visits) {
    const both = await inBoth((headers) => as(visit).get(visit.path, headers));
    for (const text of sameIn(both)) found.push(`${visit.path}: ${text}`);
  }
  expect(found).toEqual([]);
});

describe("a refusal is in the user's language", () => {
  const danish = { "accept-language": "da" };

  async function refused(path: string, fields: Readonly<Record<string, string>>, action = path) {
    const admin = await oauth.signedInAdmin();
    return inBoth(async (headers) => {
      const page = await admin.get(path, headers);
      const { csrf } = oauth.hidden(page, action);
      return admin.post(
        action,
        { ...oauth.hidden(page, action), ...fields, csrf: csrf ?? "" },
        headers,
      );
    });
  }

  it.each([
    ["/products/new", { name: "", default_price: "x" }, undefined],
    ["/customers/new", { name: "", send_method: "einvoice" }, undefined],
    ["/me/password", { password: "short", again: "short" }, undefined],
    ["/me/password", { password: "x", again: "y" }, undefined],
    ["/me/password", { password: "long enough", again: "long enough" }, undefined],
    ["/settings/developer", { name: "" }, "/settings/developer/create-key"],
    [
      "/settings/developer",
      { name: "x", scope: "read", last_day: "2020-01-31" },
      "/settings/developer/create-key",
    ],
  ] as const)("on %s for %j", async (path, fields, action) => {
    const both = await refused(path, fields, action);
    expect(both.danish.status).toBeGreaterThanOrEqual(400);
    expect(sameIn(both)).toEqual([]);
  });

  it("at a field", async () => {
    const days = { payment_condition_number_of_days: "12 dage" };
    const { english, danish: page } = await refused("/customers/new", days);
    expect(english.html).toContain("Must be a number.");
    expect(page.html).toContain(daRefusals.invalid_type);
  });

  it("for the number of another product", async () => {
    await world.done("POST /products", { name: "First", product_number: "T-1" });
    const fields = { name: "Second", product_number: "T-1" };
    const { english, danish: page } = await refused("/products/new", fields);
    expect(english.html).toContain("Another product has this product number.");
    expect(page.html).toContain(daRefusals.PRODUCT_NUMBER_TAKEN);
  });

  it("with the time to wait", async () => {
    const browser = openBrowser(world);
    for (let n = 0; n < 11; n += 1) await browser.signIn("guessed@x.example", "wrong");
    const page = await browser.get("/sign-in", danish);
    const fields = { ...oauth.hidden(page, "/sign-in"), email: "guessed@x.example", password: "x" };
    const { html } = await browser.post("/sign-in", fields, danish);
    expect(html).toContain("Det er for mange forsøg. Prøv igen om 15 minutter.");
    expect(html).toContain("Har du glemt din adgangskode?");
  });

  it("also if the browser asks for another language", async () => {
    const admin = await oauth.signedInAdmin();
    const page = await admin.get("/assistants");
    await admin.submit(page, "/me/preferences", { language: "da" });
    const { html } = await admin.get("/products/nothing", { "accept-language": "en" });
    expect(html).toContain("Der er ingen side på denne adresse.");
    await admin.submit(await admin.get("/assistants"), "/me/preferences", {
      language: "en",
    });
  });
});

it("shows a moment in the account's time zone and the user's language", async () => {
  await world.done("PATCH /configuration", { time_zone: "America/New_York" });
  const { browser } = await oauth.person();
  const both = await inBoth((headers) => browser.get("/settings/audit", headers));
  const moment = /<time class="moment" datetime="([^"]+)" title="([^"]+)">([^<]+)</;
  for (const language of ["da", "en"] as const) {
    const { html } = language === "da" ? both.danish : both.english;
    const [, at = "", exact, text] = moment.exec(html) ?? [];
    expect({ exact, text }).toEqual(momentOf(language, at, "America/New_York"));
  }
});
