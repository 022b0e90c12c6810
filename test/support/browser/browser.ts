/** A minimal browser: it stores the cookie, follows no redirects, and posts forms unchanged. */
import { csrfToken } from "../../../src/platform/security/sessions/csrf.ts";
import { send } from "../http/send.ts";
import type { World } from "../world/world.ts";

type Fields = Readonly<Record<string, string>>;

export interface PageReply {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** The target of a redirect, as it was sent. */
  readonly location: string | null;
}

interface ActionReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each action returns another type.
  readonly body: any;
}

export interface Browser {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<PageReply>;
  /** Posts fields to an address, without adding any. */
  post(
    url: string,
    fields: Readonly<Record<string, string>> | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<PageReply>;
  /** Posts the form of a page that has this action, with its hidden fields and the given ones. */
  submit(
    page: PageReply,
    action: string,
    fields: Readonly<Record<string, string>>,
    which?: number,
  ): Promise<PageReply>;
  /** Sends JSON to an action, with the CSRF proof of the page that it comes from. */
  act(
    action: string,
    sent: unknown,
    proof: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ActionReply>;
  signIn(email: string, password: string): Promise<PageReply>;
  /** The cookie's value; null before the first page. */
  cookie(): string | null;
  setCookie(token: string | null): void;
}

/** A browser on a world's origin, without cookies. */
export function openBrowser(world: World): Browser {
  let cookie: string | null = null;
  const ask = async (
    url: string,
    { method = "GET", headers, body }: { method?: string; headers: Fields; body?: string },
  ): Promise<PageReply> => {
    const reply = await send(new URL(url, world.origin), {
      method,
      headers: { ...(cookie === null ? {} : { cookie: `matchbook=${cookie}` }), ...headers },
      body,
    });
    const set = /^matchbook=([^;]*)/.exec(reply.headers.get("set-cookie") ?? "")?.[1];
    if (set !== undefined) cookie = set;
    return {
      status: reply.status,
      html: reply.body.toString(),
      headers: reply.headers,
      location: reply.headers.get("location"),
    };
  };
  const browser: Browser = {
    get: (url, headers = {}) => ask(url, { headers }),
    post: (url, fields, headers = {}) =>
      ask(url, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
          ...headers,
        },
        body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
      }),
    submit(page, action, fields, which = 0) {
      return browser.post(action, { ...hiddenFields(page.html, action, which), ...fields });
    },
    async act(action, sent, proof, headers = {}) {
      const { status, html } = await ask(action, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "sec-fetch-site": "same-origin",
          "x-csrf": proof,
          ...headers,
        },
        body: JSON.stringify(sent),
      });
      return { status, body: JSON.parse(html) };
    },
    async signIn(email, password) {
      const page = await browser.get("/sign-in");
      return browser.submit(page, "/sign-in", { email, password });
    },
    cookie: () => cookie,
    setCookie: (token) => {
      cookie = token;
    },
  };
  return browser;
}

/** Disconnects an assistant by its confirmation; without one to see, by a forged form. Returns the answer to the form. */
export async function disconnected(browser: Browser, grant_id: string): Promise<PageReply> {
  const path = `/assistants/${grant_id}/disconnect`;
  const page = await browser.get(path);
  if (page.status === 200) return browser.submit(page, path, {});
  return browser.post(path, { csrf: csrfToken(browser.cookie() ?? "", path) });
}

/** The text of a page as people read it: without markup, with single spaces. */
export function textOf({ html }: PageReply): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

/** The CSRF proof of a session, which pages send to actions. */
export async function proofOf(browser: Browser): Promise<string> {
  const { html } = await browser.get("/assistants");
  return /<meta name="csrf" content="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** The hidden fields of the form with an action; `which` chooses among several. */
export function hiddenFields(html: string, action: string, which = 0): Record<string, string> {
  const forms = [...html.matchAll(/<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/g)];
  const form = forms.filter(([, found = ""]) => unescaped(found) === action)[which];
  if (form === undefined) throw new Error(`the page has no form for ${action}: ${html}`);
  const inputs = [...(form[2] ?? "").matchAll(/<input\b([^>]*)>/g)].map(([, text = ""]) => text);
  return Object.fromEntries(
    inputs
      .filter((text) => /type="(hidden|checkbox)"/.test(text) && !/\bdisabled\b/.test(text))
      .map((text) => [attribute(text, "name"), attribute(text, "value")]),
  );
}

function attribute(text: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "");
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
