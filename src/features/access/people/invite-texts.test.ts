/** Mails with a link for a sign-in: the link alone on its line, and what is asked of its reader. */
import { describe, expect, it } from "vitest";
import { invitationNote, resetNote } from "./invite-texts.ts";

const LINK = `http://127.0.0.1:3000/invitation?token=${"x".repeat(43)}`;
const FACTS = { account: "Nordlys\nStudio", link: LINK, days: 7 };

describe.each(["da", "en"] as const)("in %s", (language) => {
  const notes = [
    invitationNote(language, { ...FACTS, has_login: false }),
    invitationNote(language, { ...FACTS, has_login: true }),
    resetNote(language, LINK),
  ];

  it.each(notes)("$subject: the link has a line of its own", ({ text }) => {
    expect(text.split("\n").filter((line) => line.includes("token"))).toEqual([LINK]);
  });

  it("an address that has a login is asked to accept, and not to choose a password", () => {
    const [first, known] = notes;
    expect(first?.text).toMatch(/set a password|vælge en adgangskode/);
    expect(known?.text).not.toMatch(/set a password|vælge en adgangskode/);
    expect(known?.button).toMatch(/^Accept(er)?$/);
    expect(first?.subject).toContain("Nordlys Studio");
  });
});
