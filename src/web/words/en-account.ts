/** The English texts of passwords, consent, settings and activity. By type, `da-account.ts` has the same keys. */
import type { ComponentChildren } from "preact";

/** A value in a sentence, set apart from it, such as a name. */
type Part = ComponentChildren;
/** A sentence with such values. */
type Sentence = ComponentChildren;

/** A document that was issued, in words. */
interface IssuedDocument {
  readonly number: number;
  /** The customer's. */
  readonly name: string;
  /** With its currency, VAT included. */
  readonly amount: string;
}

export const enAccount = {
  passwords: {
    now: "Current password",
    next: "New password",
    again: "Repeat the new password",
    differ: "The two passwords do not match.",
    wrong_now: "The current password is incorrect.",
    faults: {
      too_short: "At least 8 characters are required.",
      too_long: "At most 200 characters.",
      invalid_value: "The password contains characters that are not allowed.",
    },
    join: "Join",
    join_account: (account: string) => `Join ${account}`,
    choose_for: (email: Part): Sentence => ["Choose a password for ", email, "."],
    signed_in_as: (email: Part): Sentence => ["You are signed in as ", email, "."],
    has_one: (email: Part): Sentence => [
      email,
      " already has a password here. Sign in with it to accept the invitation.",
    ],
    to_sign_in: "Go to the sign-in",
    choose_new: "Choose a new password",
    reset_means: (email: Part): Sentence => [
      "For ",
      email,
      ". You are signed out everywhere, and assistants that you connected must be connected again.",
    ],
    set: "Set password",
    change_title: "Change your password",
    change_means:
      "You are signed out everywhere else, and assistants that you connected must be connected again, in all accounts of your address.",
    change: "Change",
    link_dead: "This link does not work",
    link_dead_means: "This link has already been used, has expired or is incomplete.",
    link_next: (link: (text: string) => Part, sign_in: (text: string) => Part): Sentence => [
      "You can have a ",
      link("new link"),
      " mailed, or ",
      sign_in("sign in"),
      ".",
    ],
    forgot_means: "We send a link to your address, with which you can choose a new password.",
    send_link: "Send the link",
    sent: "Check your e-mail",
    sent_means: (sign_in: (text: string) => Part): Sentence => [
      "If this address can sign in here, a link is on its way to it. Then ",
      sign_in("sign in"),
      ".",
    ],
  },
  consent: {
    title: "Allow this assistant?",
    asks: (program: Part): Sentence => [
      "A program that calls itself ",
      program,
      " wants to work with Matchbook in your name. Its identity has not been verified. Allow it only if you have just asked it to connect.",
    ],
    you: "You",
    you_are: (person: string, account: Part): Sentence => [`${person}, in the account `, account],
    continues_to: "You will be redirected to",
    on_this_computer:
      "The answer goes to a program on this computer. Any program that runs here could have sent the request: continue only if you started it yourself.",
    may: "It may",
    take_away:
      "Remove the permissions that you do not want to grant; each requires the one above it. You can end the access at any time under Assistants; it ends automatically after 30 days.",
    allow: "Allow",
    deny: "Deny",
    not_you: "Not you, or another account?",
    change: "Sign in as another user",
    scopes: {
      "mcp:read":
        "View the invoices, customers, products, recurring series and revenue to which you have access.",
      "mcp:write":
        "Create and change draft invoices, customers, products and series, and register work. This books and sends nothing; later invoices of active series include the changes.",
      "mcp:issue":
        "Issue invoices, which are then booked and e-mailed to customers; activate recurring series, which are then invoiced automatically; have active series invoice more or earlier; and create credit notes.",
    },
    refused: "The connection cannot be established",
    unknown_clients: {
      unknown_client:
        "The program that sent you here is unknown. Let it register again, and then retry.",
      foreign_address:
        "The program that sent you here asks for a redirect to an address that it has not registered.",
    },
    /** `description` is our own sentence, in the English of the protocol; `error` is its code. */
    faulty: (place: Part, fault: { error: Part; description: string }): Sentence => [
      "A program that wants to work with Matchbook, and to redirect to ",
      place,
      `, has sent you here with a request that cannot be carried out: ${fault.description}.`,
    ],
    nothing_sent:
      "Nothing was sent there. If you were connecting it yourself, try again from the program.",
  },
  connect: {
    title: "Connect an assistant",
    address:
      "Give your assistant this address. It sends you here to sign in and to decide what it may do.",
    connectors: "In assistants with connectors: add a custom connector with the address.",
    code: (file: Part): Sentence => ["VS Code, in ", file, ":"],
    cursor: (file: Part): Sentence => ["Cursor, in ", file, ", and most other programs:"],
  },
  settings: {
    last_use: "Last use",
    revoke: "Revoke",
    revoke_named: (name: string) => `Revoke ${name}`,
    requests_named: (name: string) => `${name}: requests`,
    developer: "Developer settings",
    keys: "API keys",
    key_made: "The key has been created. Copy it now: it is shown only once.",
    made_before: (name: Part): Sentence => [
      "The key ",
      name,
      " has already been created, and was shown only once. If you have not copied it, revoke it and create another.",
    ],
    no_keys: "There are no keys.",
    no_ended_keys: "There are no such keys.",
    live_keys: "Active keys",
    ended_keys: "Revoked and expired keys",
    older_keys: "Older keys",
    name: "Name",
    scope: "Scope",
    begins_with: "Begins with",
    made: "Made",
    made_by: "Created by",
    made_elsewhere: "the command line, or unknown",
    no_admin_now: "no longer an admin",
    ended: "Ended",
    expires: "Expires",
    new_key: "Name of a new key",
    scope_read: "read: see everything",
    scope_read_write: "read_write: see and change everything",
    no_last_day: "No last day",
    last_day: "Last day of validity (UTC); if empty, valid until it is revoked",
    create_key: "Create key",
    sandbox: "Sandbox",
    sandbox_hint: "Its mail never leaves the server",
    clock_runs: "The clock runs.",
    clock_stands: (at: Part): Sentence => ["The clock stands at ", at, "."],
    one_day: "+1 day",
    one_month: "+1 month",
    real_clock: "Let it run",
    clock_day: "Set the clock to",
    set_clock: "Set the clock",
    run_scheduler: "Run the scheduler",
    outbox: "Mail of this account is written to the outbox folder of the server.",
    copy: "Copy",
    copied: "Copied",
    key_fault:
      "A key needs a name of at most 100 characters and a scope. Its last day, if given, must be a date.",
    day_over: "The last day of a key must be today or later.",
    documentation: (link: (text: string) => Part): Sentence => [
      "What a key can do is described in the ",
      link("API documentation"),
      ".",
    ],
  },
  activity: {
    all: (account: string) =>
      `Changes in ${account} and plans of assistants, the newest first. A plan changes nothing until it is committed.`,
    own: (account: string) =>
      `Changes in your name in ${account} and plans of your assistants, the newest first. A plan changes nothing until it is committed.`,
    none: "There are no changes yet.",
    when: "When",
    who: "Who",
    did: "Did",
    what: "What",
    through: (assistant: string) => `through ${assistant}`,
    fields: (count: number) => (count === 1 ? "1 field changed" : `${count} fields changed`),
    open: "open",
    person: "Person or key",
    all_people: "All",
    kind: "Kind",
    all_kinds: "Everything",
    from: "From",
    to: "To",
    show: "Show",
    show_all: "Show everything",
    api_key: (name: string) => `API key ${name}`,
    scheduler: "the scheduler",
    // The program itself creates the demo account and its people.
    operator: "the command line or the first start",
    numbered: (number: number) => `no. ${number}`,
    /** Sentences of issued documents for chats, by the kind of resource. */
    issued_documents: {
      invoice: ({ number, name, amount }) => `Invoice ${number} to ${name}: ${amount}`,
      credit_note: ({ number, name, amount }) => `Credit note ${number} to ${name}: ${amount}`,
    } as Readonly<Record<string, (document: IssuedDocument) => string>>,
    for_customer: (customer: string) => `for ${customer}`,
    /** The names of documents, from their number and customer. */
    names: {
      number: "no. ",
      customer: "for ",
      of_invoice: "of invoice ",
      of_credit_note: "of credit note ",
    },
    /** The texts of the service's own actions; any other action is shown by its name. */
    actions: {
      ends_soon: "announced the end of",
      ready: "found ready:",
    } as Readonly<Record<string, string>>,
    types: {
      recurring_series: "retainer",
      oauth_grant: "assistant's access",
      period_close: "month close",
      work_registration: "hours",
      api_key: "API key",
      einvoice_connection: "e-invoice connection",
    } as Readonly<Record<string, string>>,
    reasons: {} as Readonly<Record<string, string>>,
  },
};
