/** The lists of drafts, issued invoices and credit notes in both languages: content, search and permissions. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const { world, customer, draft, issued, fullCredit, credited, line } = useSales({
  knows_origin: true,
});
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const ISSUED = "/invoices?tab=issued";
const NOTES = "/invoices?tab=credit-notes";

describe("the lists of invoices", () => {
  it("are tabs of one page, the drafts first", async () => {
    await draft([1250.5], { title: "Only a draft", issue_date: "2026-03-04" });
    const danish = await admin.get("/invoices", { "accept-language": "da" });
    expect(danish.html).toContain("<h1>Fakturaer</h1>");
    expect(danish.html).toMatch(
      /<a href="\/invoices\?tab=drafts" aria-current="page">Kladder<\/a>/,
    );
    for (const cell of ["Only a draft", "1.250,50", "1.563,13", "4. mar. 2026", "Acme A/S"]) {
      expect(danish.html).toContain(cell);
    }
    expect((await admin.get(ISSUED)).html).not.toContain("Only a draft");
  });

  it("show number, customer, title, date, amounts, delivery and credited amount", async () => {
    const invoice = await issued([2000], { title: "Half credited", auto_send: true });
    await credited(
      fullCredit(invoice, {
        kind: "partial",
        lines: [{ invoice_line_id: invoice.lines[0].id, amount: 400 }],
      }),
    );
    const { html } = await admin.get(`${ISSUED}&q=Half`);
    const row = html.slice(html.indexOf("<tbody>"), html.indexOf("</tbody>"));
    const number = String(invoice.ledger_invoice_number);
    for (const cell of [
      number,
      "Half credited",
      "2,000.00",
      "2,500.00",
      "Written to a file",
      "500.00",
    ])
      expect(row).toContain(cell);
    expect(row).toContain("Not paid yet");
    expect(row).not.toMatch(/overdue/i);
    const notes = await admin.get(NOTES);
    expect(notes.html).toContain(`href="/invoices/${invoice.id}"`);
    expect(notes.html).toContain("400.00");
  });

  it("are filtered by the text, customer and period in the URL", async () => {
    const other = await world.done("POST /customers", { name: `<b>Other</b> & sons` });
    await issued([10], { title: "Of others", customer_id: other.id, issue_date: "2026-03-09" });
    await issued([11], { title: "Of Acme", issue_date: "2026-03-10" });
    const ofOther = await admin.get(`${ISSUED}&customer=${other.id}`);
    expect(ofOther.html).toContain("Of others");
    expect(ofOther.html).toContain("&lt;b>Other");
    expect(ofOther.html).not.toContain("<b>Other");
    expect(ofOther.html).not.toContain("Of Acme");
    const late = await admin.get(`${ISSUED}&issued_from=2026-03-10&issued_to=2026-03-10`);
    expect(late.html).toContain("Of Acme");
    expect(late.html).not.toContain("Of others");
    expect((await admin.get(`${ISSUED}&q=no-such-invoice`)).html).toContain("Nothing matches");
    expect((await admin.get(`${ISSUED}&customer=x&issued_from=y`)).status).toBe(200);
  });

  it("link to older documents with the same filters", async () => {
    for (let n = 0; n < 26; n += 1) await draft([n + 1], { title: `Many ${n}.` });
    const first = await admin.get("/invoices?q=Many");
    const next = /href="(\/invoices\?[^"]+)" rel="next"/.exec(first.html)?.[1] ?? "";
    const second = await admin.get(next.replaceAll("&amp;", "&"));
    expect(first.html).toContain(">Many 25.<");
    expect(first.html).not.toContain(">Many 0.<");
    expect(second.html).toContain(">Many 0.<");
    expect(second.html).not.toContain('rel="next"');
  });

  it("send the same number of statements for any number of drafts", async () => {
    await draft([1], { title: "Counted alone" });
    const one = await statementsOf(() => admin.get("/invoices?q=Counted+alone"));
    const many = await statementsOf(() => admin.get("/invoices?q=Many"));
    expect(many).toBe(one);
    // Includes the statements that begin and end the transaction.
    expect(many).toBeLessThanOrEqual(15);
  });

  it("refuse an invalid cursor, and one of another order", async () => {
    expect((await admin.get("/invoices?cursor=nonsense")).status).toBe(422);
    const next = /cursor=([^"]+)" rel="next"/.exec((await admin.get("/invoices?q=Many")).html)?.[1];
    expect((await admin.get(`/invoices?q=Many&cursor=${next}`)).status).toBe(200);
    expect((await admin.get(`${ISSUED}&cursor=${next}`)).status).toBe(422);
    const forged = Buffer.from(`2|number|${customer.id}|'; drop`).toString("base64url");
    expect((await admin.get(`${ISSUED}&cursor=${forged}`)).status).toBe(422);
  });

  it("show an invoice without a title by its first line", async () => {
    await draft([], {
      external_id: "no-title",
      lines: [line(1, { description_override: "Only line" })],
    });
    const { html } = await admin.get("/invoices?q=no-title");
    expect(html).toMatch(/<a href="\/invoices\/[0-9a-f-]+">Only line<\/a>/);
  });
});

describe("what is earned so far", () => {
  it("is shown to admins with drafts and issued invoices, and is that of the API", async () => {
    const by_hours = line(1, {
      recognition_method: "hours",
      agreed_value: undefined,
      hourly_rate: 800,
    });
    const one = await draft([], { title: "Earned draft", lines: [by_hours] });
    await world.done("POST /work-registrations", {
      line_id: one.lines[0].id,
      user_id: world.account.admin.user_id,
      date: "2026-03-02",
      hours: 2.5,
    });
    const year = { service_from: "2026-01-01" };
    const whole = line(1200, { ...year, service_to: "2026-12-31" });
    const two = await issued([], {
      title: "Earned issued",
      issue_date: "2026-01-02",
      lines: [whole],
    });
    const textOf = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    const drafts = await admin.get("/invoices?q=Earned+draft");
    expect(textOf(drafts.html)).toContain("Earned so far 2,000.00");
    const { lines } = await world.done(`GET /invoices/${two.id}/recognition`);
    const [{ earned_to_date }] = lines;
    expect(earned_to_date).toBe(300);
    const shown = await admin.get(`${ISSUED}&q=Earned+issued`);
    expect(textOf(shown.html)).toContain("Earned so far 300.00");
    expect(shown.html).toContain('<rect class="c1" width="25"');
    const { browser: standard } = await oauth.person();
    expect((await standard.get("/invoices")).html).not.toContain("Earned so far");
  });
});

describe("the order of a list", () => {
  const numbersIn = (html: string) =>
    [...html.matchAll(/<a href="\/invoices\/[0-9a-f-]+">(\d+)<\/a>/g)].map(([, n]) => Number(n));
  /** The numbers on all pages of a list. */
  const allOf = async (address: string): Promise<number[]> => {
    const numbers: number[] = [];
    for (let next: string | undefined = address; next !== undefined; ) {
      const { html, status } = await admin.get(next);
      expect(status).toBe(200);
      numbers.push(...numbersIn(html));
      next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    return numbers;
  };

  it("is by number, newest first, and by each column in both ways over all pages", async () => {
    const zeta = await world.done("POST /customers", { name: "zeta" });
    const made: { number: number; day: string; name: string; amount: number }[] = [];
    for (let n = 0; n < 55; n += 1) {
      const [day, amount] = [
        `2026-02-${String(1 + ((n * 7) % 5)).padStart(2, "0")}`,
        100 + (n % 3),
      ];
      const is_zeta = n % 2 === 0;
      const invoice = await issued([amount], {
        title: "Sorted",
        issue_date: day,
        ...(is_zeta ? { customer_id: zeta.id } : {}),
      });
      const number = invoice.ledger_invoice_number as number;
      made.push({ number, day, amount, name: is_zeta ? "zeta" : "acme a/s" });
    }
    const all = `${ISSUED}&q=Sorted`;
    const newest = made.map(({ number }) => number).sort((a, b) => b - a);
    expect(await allOf(all)).toEqual(newest);
    expect(await allOf(`${all}&sort=number`)).toEqual([...newest].reverse());
    for (const [sort, key] of [
      ["day", "day"],
      ["amount", "amount"],
      ["customer", "name"],
    ] as const) {
      const keyOf = new Map(made.map((one) => [one.number, one[key]]));
      const ascending = await allOf(`${all}&sort=${sort}`);
      expect(new Set(ascending).size).toBe(55);
      const keys = ascending.map((number) => keyOf.get(number) ?? "");
      expect(keys).toEqual([...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      expect(await allOf(`${all}&sort=-${sort}`)).toEqual([...ascending].reverse());
    }
  });

  it("is chosen in the heads, which say what it is", async () => {
    const { html } = await admin.get(`${ISSUED}&sort=-amount`);
    expect(html).toMatch(
      /<th scope="col" aria-sort="descending" class="num"|class="num" aria-sort="descending"/,
    );
    expect(html).toContain('href="/invoices?tab=issued&amp;sort=amount"');
    expect(html).toContain('href="/invoices?tab=issued&amp;sort=customer"');
    const drafts = await admin.get("/invoices?sort=-amount");
    expect(drafts.html).not.toContain("aria-sort");
  });

  it("of drafts is that of their last change", async () => {
    const [first, second] = [
      await draft([1], { title: "Turn A" }),
      await draft([1], { title: "Turn B" }),
    ];
    const order = async () =>
      [...(await admin.get("/invoices?q=Turn")).html.matchAll(/>Turn ([AB])</g)].map(
        ([, one]) => one,
      );
    expect(await order()).toEqual(["B", "A"]);
    await world.done(`PATCH /invoices/${first.id}`, { title: "Turn A", auto_send: true });
    expect(second).toBeDefined();
    expect(await order()).toEqual(["A", "B"]);
  });

  it("of credit notes is by number, too", async () => {
    const notes = [
      await credited(fullCredit(await issued([10]))),
      await credited(fullCredit(await issued([20]))),
    ];
    for (const sort of ["", "&sort=day", "&sort=-customer", "&sort=amount"]) {
      const { html, status } = await admin.get(`${NOTES}${sort}`);
      expect([sort, status]).toEqual([sort, 200]);
      for (const note of notes) expect(html).toContain(`/credit-notes/${note.id}`);
    }
  });
});

describe("the filters of a list", () => {
  it("find amounts, currencies, states of delivery and people", async () => {
    const { browser: _, user_id } = await oauth.person();
    const assigned = line(10, { assignees: [{ user_id }] });
    const one = await world.done("POST /invoices", {
      customer_id: customer.id,
      title: "Filtered one",
      issue_date: "2026-03-01",
      auto_send: false,
      lines: [assigned],
    });
    await world.done(`POST /invoices/${one.id}/issue`);
    await issued([4321.5], { title: "Filtered two", auto_send: true });
    const shown = async (filters: string) => {
      const { html } = await admin.get(`${ISSUED}&${filters}`);
      return ["Filtered one", "Filtered two"].filter((title) => html.includes(`>${title}<`));
    };
    expect(await shown("q=4321.50")).toEqual(["Filtered two"]);
    expect(await shown("q=5.401,88")).toEqual(["Filtered two"]);
    expect(await shown(`user=${user_id}`)).toEqual(["Filtered one"]);
    expect(await shown("q=Filtered&delivery_state=none")).toEqual(["Filtered one"]);
    expect(await shown("q=Filtered&delivery_state=written_to_outbox")).toEqual(["Filtered two"]);
    expect(await shown("q=Filtered&delivery_state=failed_permanent")).toEqual([]);
    expect(await shown("q=Filtered&currency=DKK")).toEqual(["Filtered one", "Filtered two"]);
    expect(await shown("q=Filtered&currency=EUR")).toEqual([]);
    const notes = await admin.get(
      `${NOTES}&q=1.000,00&currency=DKK&delivery_state=none&user=${user_id}`,
    );
    expect(notes.status).toBe(200);
  });

  it("take a customer by id, or by the name that a person without scripts types", async () => {
    const one = await world.done("POST /customers", { name: "Chosen & Co" });
    await world.done("POST /customers", { name: "Chosen Twin" });
    await issued([10], { title: "Of the chosen", customer_id: one.id });
    await issued([10], { title: "Of Acme, not chosen" });
    const shown = async (customer_text: string) => {
      const query = new URLSearchParams({ tab: "issued", q: "chosen", customer: customer_text });
      const { html } = await admin.get(`/invoices?${query}`);
      const titles = ["Of the chosen", "Of Acme, not chosen"].filter((title) =>
        html.includes(`>${title}<`),
      );
      return { html, titles };
    };
    for (const text of [one.id, "chosen & co", "Chosen &"]) {
      const { html, titles } = await shown(text);
      expect([text, titles]).toEqual([text, ["Of the chosen"]]);
      expect(html).toContain(`customer=${one.id}`);
      expect(html).toMatch(/name="customer"[^>]*value="Chosen &amp; Co"/);
    }
    const several = await shown("chosen");
    expect(several.titles).toHaveLength(2);
    expect(several.html).toContain("“chosen” does not name one customer. Choose one.");
    const found = await admin.act("/app/invoices/customers", { q: "chosen" }, await proofOf(admin));
    expect(found.body).toEqual([
      { id: one.id, label: "Chosen & Co" },
      expect.objectContaining({ label: "Chosen Twin" }),
    ]);
    const { browser: standard } = await oauth.person();
    const none = await standard.act("/app/invoices/customers", { q: "" }, await proofOf(standard));
    expect(none.body).toEqual([]);
  });

  it("offer people to admins only", async () => {
    const { browser: standard } = await oauth.person();
    expect((await admin.get(ISSUED)).html).toContain('<select class="input" name="user">');
    const { html } = await standard.get(ISSUED);
    expect(html).not.toContain('name="user"');
    expect(html).toContain('<select class="input" name="currency">');
  });
});

describe("access to the lists of invoices", () => {
  it("is refused to visitors and limited to their assignments for standard users", async () => {
    await draft([1], { title: "Guarded" });
    const { browser: standard } = await oauth.person();
    expect((await openBrowser(world).get("/invoices")).html).toContain("<h1>Sign in</h1>");
    const shown = await standard.get("/invoices");
    expect(shown.status).toBe(200);
    expect(shown.html).not.toContain("Guarded");
  });

  it("excludes the documents of other accounts", async () => {
    const other = await world.openAnother();
    const key = other.keys.read_write;
    const others = await world.done("POST /customers", { name: "Foreign" }, key);
    await world.done("POST /invoices", { customer_id: others.id, title: "Foreign title" }, key);
    for (const path of ["/invoices", `/invoices?customer=${others.id}`]) {
      expect((await admin.get(path)).html).not.toContain("Foreign");
    }
    expect(customer.id).not.toBe(others.id);
  });

  it("shows admins the number of drafts in the sidebar, at most 99+", async () => {
    const around = async (browser: Browser) =>
      /href="\/invoices"[^>]*>.*?<\/a>/s.exec((await browser.get("/customers")).html)?.[0] ?? "";
    const { browser: standard } = await oauth.person();
    for (let n = 0; n < 100; n += 1) await draft([], { title: `Waits ${n}` });
    expect(await around(standard)).not.toContain("count");
    expect(await around(admin)).toMatch(/<span class="count">99\+<span class="unseen"> /);
  });
});
