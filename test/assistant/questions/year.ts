/**
 * Plays the year of the studio through the API, month by month on the clock of a sandbox: from January 2026 to the morning of
 * Tuesday 10 November. January to August are closed, September is booked and has changed since, and October is still open.
 */
import type { OpenedAccount } from "../../../src/features/access/accounts/create.ts";
import { CONFIGURATION } from "../../../src/features/overview/studio/firm.ts";
import {
  handOver,
  invoiceResponse,
  messageStatus,
  status,
} from "../../support/einvoice/answers.ts";
import { connectEinvoices } from "../../support/einvoice/connect-einvoices.ts";
import { userByOperator } from "../../support/world/people.ts";
import { ROLES } from "../../support/world/studio.ts";
import type { Json, World } from "../../support/world/world.ts";
import {
  CUSTOMERS,
  type FirmLine,
  PEOPLE,
  PRODUCTS,
  PROJECTS,
  type Project,
  RETAINERS,
  type Retainer,
} from "./firm.ts";

export const TODAY = "2026-11-10";
/** The last month that is closed, and the month that is booked without a lock. */
const CLOSED = "2026-08";
const BOOKED = "2026-09";
/** From this month on invoices are sent by mail. */
const SENT_FROM = "2026-10";
const MONTHS = Array.from({ length: 11 }, (_, at) => `2026-${`${at + 1}`.padStart(2, "0")}`);

export interface Year {
  readonly account: OpenedAccount;
  /** Calls of the API with the account's key; throws unless the answer is a success. */
  done(call: string, body?: unknown): Promise<Json>;
  /** The ids of people, customers, products and retainers, by `person sofie`, and of projects by `project Webshop`. */
  idOf(kind: Kind, key: string): string;
}

/** `line` is the first line of a project, or of a retainer by its external id; `number` is that of a project's invoice. */
type Kind = "person" | "customer" | "product" | "retainer" | "project" | "line" | "number";

/** Opens a sandbox account in which the year has been played. */
export async function playYear(world: World): Promise<Year> {
  const account = await world.openAnother({ sandbox: true });
  const ids = new Map<string, string>([["person owner", account.admin.user_id]]);
  const year: Year = {
    account,
    done: (call, body) => world.done(call, body, account.keys.read_write),
    idOf(kind, key) {
      const id = ids.get(`${kind} ${key}`);
      if (id === undefined) throw new Error(`the year has no ${kind} ${key}`);
      return id;
    },
  };
  const player = { ...year, ids };
  await putClock(year, "2026-01-01");
  await openFirm(world, player);
  for (const [at, month] of MONTHS.entries()) {
    const before = MONTHS[at - 1];
    if (before !== undefined) {
      await putClock(year, `${month}-01`);
      await work(player, before);
    }
    await Promise.all(RETAINERS.filter(beginsIn(month)).map((one) => makeRetainer(player, one)));
    if (month === SENT_FROM) await year.done("PATCH /configuration", { default_auto_send: true });
    await schedule(player, month);
    if (before !== undefined) await endMonth(player, before);
    const begun = PROJECTS.filter(({ begins }) => begins.startsWith(month));
    await Promise.all(begun.map((project) => makeProject(player, project)));
    if (RETAINERS.some(isDueInMiddle(month)) && `${month}-15` < TODAY) {
      await putClock(year, `${month}-15`);
      await year.done("POST /scheduler-runs");
    }
  }
  await putClock(year, TODAY);
  await work(player, TODAY.slice(0, 7));
  await sendToMinistry(world, player);
  return year;
}

interface Player extends Year {
  readonly ids: Map<string, string>;
}

function putClock({ done }: Year, day: string): Promise<Json> {
  return done("PUT /test-clock", { now: `${day}T08:30:00Z` });
}

/** Makes configuration, people, products and customers. */
async function openFirm(world: World, { done, ids, account }: Player): Promise<void> {
  const { seller } = CONFIGURATION;
  await done("PATCH /configuration", { default_auto_send: false, account_roles: ROLES, seller });
  await done(`PATCH /users/${account.admin.user_id}`, { name: "Anna Holm" });
  await done("PUT /exchange-rates/EUR/2025-12-28", { rate: 7.46 });
  const make = async (kind: string, key: string, made: Promise<Json>) =>
    ids.set(`${kind} ${key}`, (await made).id);
  await Promise.all([
    ...Object.entries(PEOPLE).map(([key, { name, role }]) => {
      const email = `${key}@nordlys.example`;
      const made =
        role === "admin"
          ? userByOperator(world, { name, email }, account.account_id)
          : done("POST /users", { name, email, external_id: key });
      return make("person", key, made);
    }),
    ...Object.entries(PRODUCTS).map(([key, product]) =>
      make(
        "product",
        key,
        done("POST /products", { external_id: key, account_number: 1010, ...product }),
      ),
    ),
    ...Object.entries(CUSTOMERS).map(([key, customer]) => {
      const address = { street: "Havnegade 1", zip_code: "8000", city: "Aarhus C" };
      const email = `faktura@${key}.example`;
      const body = { external_id: key, email, ...address, ...customer };
      return make("customer", key, done("POST /customers", body));
    }),
  ]);
}

function beginsIn(month: string): (retainer: Retainer) => boolean {
  return ({ from, active_from }) => (active_from ?? from.slice(0, 7)) === month;
}

function isDueInMiddle(month: string): (retainer: Retainer) => boolean {
  return ({ from }) => from.endsWith("-15") && from <= `${month}-15`;
}

async function makeRetainer(player: Player, retainer: Retainer): Promise<void> {
  const { customer, frequency, mode, from, to, lines } = retainer;
  const { id } = await player.done("POST /recurring-series", {
    external_id: `S-${customer}`,
    customer_id: player.idOf("customer", customer),
    frequency,
    start_date: from,
    end_date: to ?? null,
    issue_timing: { mode },
    lines: lines.map((line) => lineFrom(player, line)),
  });
  player.ids.set(`retainer ${customer}`, id);
  const [line] = (await player.done(`GET /recurring-series/${id}/lines`)).data;
  player.ids.set(`line S-${customer}`, line.line_id);
  await player.done(`POST /recurring-series/${id}/activate`, { past_periods: "keep" });
}

async function makeProject(
  player: Player,
  { customer, title, issued, is_sent, lines }: Project,
): Promise<void> {
  const { id, lines: made } = await player.done("POST /invoices", {
    external_id: title,
    customer_id: player.idOf("customer", customer),
    title,
    issue_date: issued ?? null,
    auto_send: is_sent ?? null,
    lines: lines.map((line, at) => ({
      ...lineFrom(player, line),
      ...(at === 0 && { description_override: title }),
    })),
  });
  player.ids.set(`project ${title}`, id);
  player.ids.set(`line ${title}`, made[0].id);
}

function lineFrom(player: Player, line: FirmLine): Json {
  const { product, method, price, people = [], budget_hours, service } = line;
  return {
    product_id: player.idOf("product", product),
    recognition_method: method,
    ...(method === "hours" ? { hourly_rate: price } : { agreed_value: price }),
    ...(budget_hours && { budget_hours }),
    ...(service && { service_from: service[0], service_to: service[1] }),
    assignees: people.map((person) => ({ user_id: player.idOf("person", person) })),
  };
}

const HOURS = [3.5, 5, 6.25, 4, 2.75, 4.5, 5.75] as const;

/** Registers the hours of a month: each week on two days, for everything that is measured by work. */
async function work({ done, idOf }: Player, month: string): Promise<void> {
  const measured = [
    ...PROJECTS.map(({ title, ...project }) => ({ name: title, ...project })),
    ...RETAINERS.map(({ customer, from, lines }) => ({
      name: `S-${customer}`,
      begins: from,
      lines,
    })),
  ].filter(({ lines: [first] }) => first?.method === "hours" || first?.method === "progress");
  const is_detailed = month >= SENT_FROM;
  const weekdays = (at: number) => [1 + (at % 3), ...(is_detailed ? [4 + (at % 2)] : [])];
  const registered = measured.flatMap(({ name, begins, lines: [line], ...project }, at) => {
    const issued = "issued" in project ? project.issued : undefined;
    return daysOf(month)
      .filter((day) => day >= begins && day < (issued ?? TODAY) && day < TODAY)
      .filter((day) => weekdays(at).includes(new Date(day).getUTCDay()))
      .map((date, week) => ({
        line_id: idOf("line", name),
        user_id: idOf("person", line?.people?.[week % line.people.length] ?? "owner"),
        date,
        hours: HOURS[(2 * at + week + Number(month.slice(5))) % HOURS.length],
      }));
  });
  await Promise.all(registered.map((one) => done("POST /work-registrations", one)));
}

function daysOf(month: string): string[] {
  const days = new Date(
    Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0),
  ).getUTCDate();
  return Array.from({ length: days }, (_, at) => `${month}-${`${at + 1}`.padStart(2, "0")}`);
}

/** The invoice that is not paid, and the customer who has paid half of what was due last. */
const [NOT_PAID, HALF_PAID] = ["Accessibility review", "solvang"] as const;
/** The last month whose invoices are paid. */
const PAID_THROUGH = "2026-10";

/** Pays the invoices that are due in a month or before, on their due dates. */
async function payDue({ done, idOf, ids }: Player, month: string): Promise<void> {
  const { data } = await done("GET /open-items?kind=invoice&state=open&limit=100");
  for (const {
    document_id,
    number,
    customer_id,
    due_date,
    open,
    currency,
    functional_open,
  } of data) {
    if (due_date > `${month}-31` || document_id === ids.get(`project ${NOT_PAID}`)) continue;
    const is_half = month === PAID_THROUGH && customer_id === idOf("customer", HALF_PAID);
    const share = is_half ? 2 : 1;
    await done("POST /payments", {
      external_id: `payment-${number}`,
      date: due_date,
      amount: open / share,
      currency,
      ...(currency !== "DKK" && { bank_amount: functional_open / share }),
      allocations: [{ invoice: document_id }],
    });
  }
}

/** What happens to the month that is booked: a credit note that is dated in it, and hours that are registered late. */
async function changeBooked({ done, idOf }: Player): Promise<void> {
  const invoice = await done(`GET /invoices/${idOf("project", "Website, phase 2")}`);
  await done("POST /credit-notes", {
    external_id: "credit-phase-2",
    invoice: invoice.id,
    kind: "partial",
    credit_date: `${BOOKED}-30`,
    lines: [{ invoice_line_id: invoice.lines[0].id, amount: 14_500 }],
  });
  await done("POST /work-registrations", {
    line_id: idOf("line", "Webshop"),
    user_id: idOf("person", "mikkel"),
    date: `${BOOKED}-29`,
    hours: 2,
    note: "Payment test",
  });
}

/** Connects the account for e-invoices and issues an invoice, which the ministry's side confirms and the ministry queries. */
async function sendToMinistry(world: World, { account, done, idOf }: Player): Promise<void> {
  await connectEinvoices(world, {}, "folder", account.account_id);
  const { id } = await done(`POST /invoices/${idOf("project", "Accessibility workshop")}/issue`);
  const { ledger_invoice_number } = await done(`GET /invoices/${id}`);
  const [delivery] = (await done(`GET /invoices/${id}/deliveries`)).data;
  const inside = status("OPStatusReason", "REF", "Which order is it?");
  const query = { code: "UQ", number: `${ledger_invoice_number}`, inside };
  const { sender: receiver } = await done("GET /einvoice/connection");
  for (const answer of [
    messageStatus(delivery.id, "AP"),
    invoiceResponse({ ...query, receiver }),
  ]) {
    const { body } = await handOver(world, answer, { key: account.keys.read_write });
    if (body.outcome !== "stored") throw new Error(JSON.stringify(body));
  }
}

/** Runs the scheduler. One of its periods fails in the last month, because the customer is not active at that moment. */
async function schedule({ done, idOf }: Year, month: string): Promise<void> {
  const failing = month === MONTHS.at(-1) ? `/customers/${idOf("customer", "museum")}` : null;
  if (failing) await done(`POST ${failing}/deactivate`);
  await done("POST /scheduler-runs");
  if (failing) await done(`POST ${failing}/activate`);
}

/** Issues the invoices of a month that is over, and books the month unless it stays open. */
async function endMonth(player: Player, month: string): Promise<void> {
  const { done, idOf } = player;
  const issued = PROJECTS.filter((project) => project.issued?.startsWith(month));
  const refs = issued.map(({ title }) => idOf("project", title));
  const { outcomes } = await done("POST /invoices/issue", { references: refs });
  const refused = outcomes.filter(({ outcome }: Json) => outcome !== "issued");
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  for (const [at, { title }] of issued.entries()) {
    player.ids.set(`number ${title}`, `${outcomes[at].ledger_invoice_number}`);
  }
  await payDue(player, month);
  if (month > BOOKED) return;
  await done("POST /period-closes", { month, lock: month <= CLOSED });
  if (month === BOOKED) await changeBooked(player);
}
