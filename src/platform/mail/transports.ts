/** Selects the transport for an account's mail. A sandbox account's mail never leaves the machine (spec 12.2). */
import { type MailHold, noHold } from "./hold.ts";
import type { MailTransport } from "./mail.ts";
import { openOutbox } from "./outbox.ts";
import { openSmtp } from "./smtp.ts";

/** The maximum number of each kind of mail within an hour; a window begins with its first message. */
export interface MailLimits {
  readonly people: number;
  readonly document: number;
  readonly all: number;
}

export interface MailTransports {
  /** The sender address of every message. */
  readonly from: string;
  /** The public origin, for URLs in messages. */
  readonly base_url: string;
  /** Null where mail has no limits. */
  readonly limits: MailLimits | null;
  /** Whether mail is held back now, and where it is stored meanwhile. */
  readonly hold: MailHold;
  transportFor(account: { readonly sandbox: boolean }): MailTransport;
  close(): Promise<void>;
}

/** Opens SMTP when it is configured, else the outbox folder. Throws RangeError for an unusable SMTP URL. */
export function openMailTransports(
  settings: {
    readonly outbox_dir: string;
    readonly smtp_url: string | null;
    readonly mail_from: string;
    readonly base_url: string;
    readonly mail_limits: MailLimits | null;
  },
  hold: MailHold = noHold,
): MailTransports {
  const outbox = openOutbox({ dir: settings.outbox_dir });
  const smtp = settings.smtp_url === null ? null : openSmtp({ url: settings.smtp_url });
  return {
    from: settings.mail_from,
    base_url: settings.base_url,
    limits: settings.mail_limits,
    hold,
    transportFor: ({ sandbox }) => (smtp === null || sandbox ? outbox : smtp),
    close: async () => {
      await Promise.all([outbox.close(), smtp?.close()]);
    },
  };
}
