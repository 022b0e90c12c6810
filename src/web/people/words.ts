/** The texts of the pages of people, in both languages. */

export const enPeople = {
  invite: "Invite…",
  invite_title: "Invite a colleague",
  send_invitation: "Send the invitation",
  invite_means:
    "They get a mail with a link to choose a password. The link is valid for seven days.",
  invite_by_link:
    "No mail leaves this account. The next page shows a link to choose a password, valid for seven days: give it to them.",
  name: "Name",
  email: "E-mail address",
  role: "Role",
  role_means: {
    admin: "Admin: sees and does everything",
    standard: "Standard: own work and its customers",
  },
  hours: "Hours this month",
  last_seen: "Last seen",
  state: "State",
  invited: (day: string) => `Invited ${day}`,
  not_invited: "Not invited",
  active: "Active",
  inactive: "Inactive",
  only_you:
    "You are the only person here. Invite the colleagues who register hours or write invoices.",
  invite_again: "Send the invitation again",
  link: "The link of the invitation is shown only now. You can also give it to them yourself:",
  link_alone:
    "No mail leaves this account: give them the link of the invitation yourself. It is shown only now.",
  deactivate: "Deactivate…",
  activate: "Activate again",
  deactivate_title: (name: string) => `Deactivate ${name}?`,
  deactivate_now: (name: string) => `Deactivate ${name}`,
  keeps: "Keeps",
  keeps_text: "Their history, hours and documents.",
  ends: "Ends",
  ends_text: (sessions: number, assistants: number) =>
    `${sessions === 1 ? "1 session" : `${sessions} sessions`} and ${assistants === 1 ? "1 connected assistant" : `${assistants} connected assistants`}, now.`,
  drafts_left: (count: number) =>
    count === 1
      ? "One draft names them: assign its lines to another person."
      : `${count} drafts name them: assign their lines to other people.`,
  keys_left: (count: number) =>
    count === 1
      ? "One API key that they made stays valid. Revoke it if they know it."
      : `${count} API keys that they made stay valid. Revoke those that they know.`,
  naming: "What names this person",
  drafts_named: "Drafts with lines of theirs: assign the lines to another person there.",
  keys_made: "API keys that they made: revoke there those that they know.",
  cancel: "Not yet",
};

export const daPeople: typeof enPeople = {
  invite: "Invitér …",
  invite_title: "Invitér en kollega",
  send_invitation: "Send invitationen",
  invite_means: "De får en mail med et link til at vælge en adgangskode. Linket gælder i syv dage.",
  invite_by_link:
    "Der sendes ingen mails fra denne konto. Den næste side viser et link til at vælge en adgangskode, som gælder i syv dage: giv dem det.",
  name: "Navn",
  email: "E-mailadresse",
  role: "Rolle",
  role_means: {
    admin: "Administrator: ser og gør alt",
    standard: "Medarbejder: eget arbejde og dets kunder",
  },
  hours: "Timer i denne måned",
  last_seen: "Sidst set",
  state: "Status",
  invited: (day) => `Inviteret ${day}`,
  not_invited: "Ikke inviteret",
  active: "Aktiv",
  inactive: "Inaktiv",
  only_you:
    "Du er den eneste her. Invitér de kolleger, der registrerer timer eller skriver fakturaer.",
  invite_again: "Send invitationen igen",
  link: "Invitationens link vises kun nu. Du kan også selv give dem det:",
  link_alone:
    "Der sendes ingen mails fra denne konto: giv dem selv linket til invitationen. Det vises kun nu.",
  deactivate: "Deaktivér …",
  activate: "Aktivér igen",
  deactivate_title: (name) => `Deaktivér ${name}?`,
  deactivate_now: (name) => `Deaktivér ${name}`,
  keeps: "Beholder",
  keeps_text: "Historik, timer og dokumenter.",
  ends: "Afslutter",
  ends_text: (sessions, assistants) =>
    `${sessions === 1 ? "1 login" : `${sessions} logins`} og ${assistants === 1 ? "1 forbundet assistent" : `${assistants} forbundne assistenter`}, straks.`,
  drafts_left: (count) =>
    count === 1
      ? "Én kladde nævner personen: tildel dens linjer til en anden."
      : `${count} kladder nævner personen: tildel deres linjer til andre.`,
  keys_left: (count) =>
    count === 1
      ? "Én API-nøgle, som personen har oprettet, gælder fortsat. Tilbagekald den, hvis personen kender den."
      : `${count} API-nøgler, som personen har oprettet, gælder fortsat. Tilbagekald dem, som personen kender.`,
  naming: "Her er personen nævnt",
  drafts_named: "Kladder med personens linjer: tildel linjerne til en anden der.",
  keys_made: "API-nøgler, som personen har oprettet: tilbagekald dem, personen kender, der.",
  cancel: "Ikke endnu",
};
