/** The shell of every page: for people the navigation, on a phone as a menu. Visitors see the logo and the page. */
import type { ComponentChildren, VNode } from "preact";
import type { Month } from "../../domain/base/calendar.ts";
import type { FirstStep } from "../../features/overview/today/change-steps.ts";
import { MOST_COUNTED, type WaitingCounts } from "../../features/overview/today/count-side.ts";
import type { Person } from "../../platform/commands/context.ts";
import { dayInStyle, dayOf } from "../parts/format.ts";
import { initials } from "../parts/initials.ts";
import type { Words } from "../words/en.ts";
import { Finder, type Jump } from "./finder.tsx";
import { Form } from "./form.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { NextStep } from "./next-step.tsx";
import type { Notice } from "./notice.ts";
import { useReader } from "./reader.ts";
import type { StartPage } from "./start-page.ts";
import { WayBack } from "./way-back.tsx";

export interface Signed {
  readonly person: Person;
  readonly account_name: string;
  /** The counts next to the navigation entries. */
  readonly waiting: WaitingCounts;
  /** The month that has ended and waits for its close, `YYYY-MM`; null for a standard user and where none waits. */
  readonly ready_month: string | null;
  readonly start_page: StartPage;
  /** CSRF tokens of the shell's own forms. */
  readonly sign_out_csrf: string;
  readonly preferences_csrf: string;
  /** The CSRF token of the actions that islands send. */
  readonly actions_csrf: string;
}

export const PREFERENCES_PATH = "/me/preferences";
/** The theme of a person who has chosen none. */
export const AS_THE_SYSTEM = "system";
export const THEMES = ["light", "dark", AS_THE_SYSTEM] as const;

interface Place {
  readonly href: string;
  readonly icon: IconName;
  readonly word: keyof Words["nav"];
  /** The word of the tab on a phone, where it is shorter. */
  readonly short?: keyof Words["nav"];
  readonly admins_only?: true;
  /** For people to whom the settings are only their own changes. */
  readonly standard_only?: true;
  /** The folder whose pages belong to the place, where it is not its address. */
  readonly folder?: string;
  /** A further folder whose pages belong to the place. */
  readonly besides?: string;
  /** The count next to the navigation entry; `is_hot` where its items wait for this person alone. */
  readonly counts?: Exclude<keyof WaitingCounts, "accounts" | "example" | "month">;
  readonly is_hot?: true;
  /** Whether the month that waits for its close stands next to the entry. */
  readonly says_month?: true;
}

const WORK: readonly Place[] = [
  { href: "/today", icon: "sun-high", word: "today" },
  { href: "/hours", icon: "clock-hour-4", word: "my_work", short: "work" },
];

const BILLING: readonly Place[] = [
  { href: "/customers", icon: "building-store", word: "customers" },
  {
    href: "/invoices",
    besides: "/credit-notes",
    icon: "file-invoice",
    word: "invoices",
    counts: "drafts",
  },
  { href: "/receivables", icon: "coins", word: "receivables", admins_only: true },
  { href: "/bank", icon: "building-bank", word: "bank", admins_only: true },
  { href: "/payments", icon: "cash", word: "payments", admins_only: true },
  { href: "/reminders", icon: "hourglass-high", word: "reminders", admins_only: true },
  { href: "/retainers", icon: "repeat", word: "retainers" },
  { href: "/products", icon: "package", word: "products" },
];

const BOOKS: readonly Place[] = [
  { href: "/revenue", icon: "chart-bar", word: "revenue" },
  { href: "/close", icon: "lock-check", word: "close", admins_only: true, says_month: true },
  {
    href: "/ledger",
    icon: "book-2",
    word: "ledger",
    admins_only: true,
    counts: "in_doubt",
    is_hot: true,
  },
];

const ACCOUNT: readonly Place[] = [
  { href: "/assistants", icon: "sparkles", word: "assistants", counts: "plans", is_hot: true },
  { href: "/people", icon: "users", word: "people", admins_only: true },
  {
    href: "/settings/company",
    folder: "/settings",
    icon: "settings",
    word: "settings",
    admins_only: true,
  },
  { href: "/settings/audit", icon: "history", word: "activity", standard_only: true },
];

/** The navigation entries by group; all groups except the first have a heading. */
const GROUPS: readonly {
  readonly head: "billing" | "books" | "account" | null;
  readonly places: readonly Place[];
}[] = [
  { head: null, places: WORK },
  { head: "billing", places: BILLING },
  { head: "books", places: BOOKS },
  { head: "account", places: ACCOUNT },
];

export function Shell(props: {
  title: string;
  lead: string | VNode | null;
  actions: VNode | null;
  signed: Signed | null;
  here: string;
  at: string;
  notice: Notice | null;
  way_back: Month | null;
  next_step: FirstStep | null;
  printed_on: string | null;
  children: ComponentChildren;
}) {
  const { title, lead, actions, signed, here, at, notice, printed_on, children } = props;
  const { words, language } = useReader();
  const page = (
    <main id="main" tabIndex={-1}>
      {printed_on !== null && signed !== null && (
        <p class="print-head" aria-hidden="true">
          <span>{signed.account_name}</span>
          <span>{title}</span>
          <span>{dayOf(language, printed_on)}</span>
        </p>
      )}
      {signed !== null && <Example waiting={signed.waiting} />}
      <WayBack month={props.way_back} />
      <NextStep step={props.next_step} />
      <div class="head">
        <div>
          <h1>{title}</h1>
          {lead !== null && <p class="lead">{lead}</p>}
        </div>
        {actions !== null && <div class="row">{actions}</div>}
      </div>
      {children}
      {notice !== null && (
        <p class="toast" role="status">
          {words.notices[notice.done](notice.of ?? "")}
        </p>
      )}
    </main>
  );
  if (signed === null) {
    return (
      <div class="alone">
        <header>
          <Brand below={null} />
        </header>
        {page}
      </div>
    );
  }
  return (
    <>
      <a class="skip" href="#main">
        {words.nav.skip}
      </a>
      <div class="app">
        <header class="side">
          <Brand below={signed.account_name} />
          <Finder person={signed.person} places={jumpsOf(signed.person, words)} />
          <Places signed={signed} at={at} label={words.nav.main} />
          <Me signed={signed} here={here} />
        </header>
        {page}
        <PhoneTabs signed={signed} here={here} at={at} />
      </div>
    </>
  );
}

/** The tabs at the bottom of a phone: four places, and the rest of the navigation behind "More". */
function PhoneTabs({ signed, here, at }: { signed: Signed; here: string; at: string }) {
  const { words } = useReader();
  const shown = groupsFor(signed.person).flatMap(({ places }) => places);
  const tabs = PHONE_TABS.flatMap((href) => shown.filter((place) => place.href === href));
  return (
    <div class="tabs">
      <nav aria-label={words.nav.tabs}>
        {tabs.slice(0, MOST_TABS).map((place) => (
          <a href={place.href} {...currentIf(isOf(pathOf(at), place))}>
            <Icon name={place.icon} />
            <span>{words.nav[place.short ?? place.word]}</span>
          </a>
        ))}
      </nav>
      <details class="menu">
        <summary>
          <Icon name="menu-2" />
          <span>{words.nav.more}</span>
        </summary>
        <div>
          <Places signed={signed} at={at} label={`${words.nav.main}, ${words.nav.more}`} />
          <Me signed={signed} here={here} />
        </div>
      </details>
    </div>
  );
}

/** The places of the tabs in order; a person has the first four that their role may visit. */
const PHONE_TABS = ["/today", "/hours", "/invoices", "/revenue"];
const MOST_TABS = 4;

/** Says on every page of an example that it is one, and leads back to the person's other account. */
function Example({ waiting }: { waiting: WaitingCounts }) {
  const { words } = useReader();
  if (waiting.example === null) return null;
  return (
    <p class="example">
      <Icon name="sparkles" />
      <span>{words.welcome.example}</span>
      {waiting.accounts > 1 && <a href="/choose-account">{words.welcome.leave}</a>}
    </p>
  );
}

function pathOf(address: string): string {
  return address.split("?", 1)[0] ?? "";
}

function currentIf(is_current: boolean): { readonly "aria-current"?: "page" } {
  return is_current ? { "aria-current": "page" } : {};
}

function Brand({ below }: { below: string | null }) {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path
          d="M7.5 8.5H14a2 2 0 0 1 2 2V25a2 2 0 0 0-2-2H7.5zM24.5 8.5H18a2 2 0 0 0-2 2V25a2 2 0 0 1 2-2h6.5z"
          fill="none"
          stroke="var(--on-accent)"
          stroke-width="2"
          stroke-linejoin="round"
        />
        <circle
          cx="24"
          cy="8"
          r="4.2"
          fill="var(--ember)"
          stroke="var(--paper)"
          stroke-width="1.6"
        />
      </svg>
      <span>Matchbook{below !== null && <small>{below}</small>}</span>
    </a>
  );
}

function Places({ signed, at, label }: { signed: Signed; at: string; label: string }) {
  const { words } = useReader();
  const path = pathOf(at);
  const groups = groupsFor(signed.person);
  return (
    <nav class="nav" aria-label={label}>
      {groups.map(({ head, places }) => (
        <section>
          {head !== null && <h2>{words.nav[head]}</h2>}
          {places.map((place) => (
            <a href={place.href} {...currentIf(isOf(path, place))}>
              <Icon name={place.icon} />
              {words.nav[place.word]}
              {place.counts !== undefined && (
                <Count
                  of={words.waiting[place.counts]}
                  count={signed.waiting[place.counts]}
                  is_hot={place.is_hot ?? false}
                />
              )}
              {place.says_month && <ReadyMonth month={signed.ready_month} />}
            </a>
          ))}
        </section>
      ))}
    </nav>
  );
}

/** Shows the month that waits for its close; screen readers also hear that it is ready. */
function ReadyMonth({ month }: { month: string | null }) {
  const { words, language } = useReader();
  if (month === null) return null;
  return (
    <span class="count hot">
      {dayInStyle(language, `${month}-01`, "short_month")}
      <span class="unseen"> {words.waiting.month}</span>
    </span>
  );
}

/** Shows the number of items that wait on a page; screen readers also hear what they are. */
function Count(props: { of: (count: number) => string; count: number; is_hot: boolean }) {
  const { of, count, is_hot } = props;
  if (count === 0) return null;
  return (
    <span class={is_hot ? "count hot" : "count"}>
      {count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}
      <span class="unseen"> {of(count)}</span>
    </span>
  );
}

/** Returns the groups with the pages that the person may visit. */
function groupsFor({ role }: Pick<Person, "role">) {
  return GROUPS.map(({ head, places }) => ({
    head,
    places: places.filter((place) =>
      role === "admin" ? !place.standard_only : !place.admins_only,
    ),
  })).filter(({ places }) => places.length > 0);
}

/** Returns the entries of the navigation, for the search palette. */
export function jumpsOf(person: Pick<Person, "role">, { nav }: Words): Jump[] {
  return groupsFor(person).flatMap(({ places }) =>
    places.map(({ href, icon, word }) => ({ href, icon, text: nav[word] })),
  );
}

/** Whether the page at the path belongs to the place. */
function isOf(path: string, { href, folder = href, besides = folder }: Place): boolean {
  return [folder, besides].some((one) => path === one || path.startsWith(`${one}/`));
}

/** Shows the person who is signed in as one button, which opens their preferences and the sign-out. */
function Me({ signed, here }: { signed: Signed; here: string }) {
  const { words, language, theme } = useReader();
  const { person, waiting } = signed;
  return (
    <details class="me">
      <summary>
        <span class="face" aria-hidden="true">
          {initials(person.name)}
        </span>
        <span>
          {person.name}
          <small>{words.roles[person.role]}</small>
        </span>
      </summary>
      <div class="mine">
        <a href="/me">{words.nav.me}</a>
        <Own action={PREFERENCES_PATH} csrf={signed.preferences_csrf}>
          <input type="hidden" name="next" value={here} />
          {THEMES.filter((one) => one !== (theme ?? AS_THE_SYSTEM)).map((one) => (
            <Choice key={one} name="theme" value={one}>
              {words.nav[one]}
            </Choice>
          ))}
          <Choice name="language" value={language === "da" ? "en" : "da"}>
            {words.nav.other_language}
          </Choice>
        </Own>
        {waiting.accounts > 1 && <a href="/choose-account">{words.nav.switch_account}</a>}
        <Own action="/sign-out" csrf={signed.sign_out_csrf}>
          <Choice>{words.nav.sign_out}</Choice>
        </Own>
      </div>
    </details>
  );
}

function Own(props: { action: string; csrf: string; children: ComponentChildren }) {
  return (
    <Form action={props.action} csrf={props.csrf}>
      {props.children}
    </Form>
  );
}

function Choice(props: { name?: string; value?: string; children: ComponentChildren }) {
  return (
    <button type="submit" class="as-link" name={props.name} value={props.value}>
      {props.children}
    </button>
  );
}
