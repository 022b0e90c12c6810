/** The instructions at the start of a conversation: which day it is, how to work with the tools, and what people do on pages. */
import { addToMonth, type Month, monthOf } from "../../domain/base/calendar.ts";
import { seesAccount } from "../../domain/base/visibility.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { dayOf, todayText } from "./day-words.ts";

/** How to work with the tools, in every conversation. */
export const INSTRUCTIONS = `Matchbook invoices work and retainers and recognises revenue. Read with the list_* and get_*
tools. To change anything, call a plan_* tool, explain to the person what the plan does, and call commit with its
plan_id when they have agreed. Only commit changes anything. Every plan_* tool answers with plan_id, kind, summary,
changes (field, before, after), effects, warnings, expires_at and url, the page of the plan. Amounts are net of VAT.
Days are YYYY-MM-DD, today or yesterday.`;

/** The pages for what no tool does, by what people do there. `{month}` is the last month that is over. */
export const PAGES: Readonly<Record<string, string>> = {
  "close a month": "/close/{month}",
  "cancel a retainer": "/retainers",
  "record a payment": "/payments/new",
  "book lines of the bank": "/bank",
  "send reminders": "/reminders",
  "invite people and change their roles": "/people",
  "change the company and its bank account": "/settings/company",
  "change terms of payment, sending and other configuration": "/settings/invoicing",
};

/** Returns the instructions for the assistant of a person. Pages that are for admins alone have an address only for admins. */
export async function instructionsFor(cx: PersonReader, base_url: string): Promise<string> {
  const day = await dayOf(cx);
  const is_admin = seesAccount(cx.caller.person.role);
  return `${todayText(day)}\n${INSTRUCTIONS}\n${is_admin ? pagesText(base_url, addToMonth(monthOf(day.today), -1)) : FOR_ADMINS}`;
}

function pagesText(base_url: string, month: Month): string {
  const pages = Object.entries(PAGES).map(
    ([what, path]) => `${what} (${base_url}${path.replace("{month}", month)})`,
  );
  return `No tool does the following; give the person the address, where they do it themselves: ${pages.join(", ")}.`;
}

const FOR_ADMINS =
  "No tool closes months, cancels retainers, records payments, sends reminders, or changes people or configuration: admins do it on pages.";
