/** The texts of the connection to an accounting system, in both languages. */

type ByCode = Readonly<Record<string, string>>;

export const enConnection = {
  lead: "Where the books of this account are kept.",
  built_in: "Matchbook keeps the books itself.",
  built_in_text:
    "The built-in ledger books each document immediately. It is not a registered bookkeeping system in the sense of the Danish Bookkeeping Act: a company that has to use one connects it here, before its first document is booked.",
  locked:
    "Something has been booked, so the books stay where they are. The operator of this service moves them to another ledger, from the day after the last closed month: matchbook ledger move.",
  connect_to: (system: string) => `Connect ${system}…`,
  connect_title: (system: string) => `Connect ${system}`,
  connect_means: (system: string) =>
    `${system} is checked first; nothing is stored unless it works. From then on every document is booked there, and its customers and products are sent to it.`,
  connect_now: (system: string) => `Check and connect ${system}`,
  rare: "More settings",
  secret_hint: "It is stored encrypted and never shown again.",
  either: "Either this or the other one.",
  fields: {
    organization_id: "Company number in Dinero (firma-ID)",
    client_id: "Client id of the integration",
    client_secret: "Client secret",
    api_key: "API key of the company",
    refresh_token: "Refresh token",
    accounting_year_start: "First month of the accounting year (1 to 12)",
    requests_per_minute: "Requests a minute, if agreed with Dinero",
    api_url: "Address of the API, if not Dinero's",
    token_url: "Address for tokens, if not Dinero's",
    url: "Address of the server",
    database: "Name of the database",
    user: "Login of a user who may post",
    password: "Password of that user",
  } as ByCode,
  refusals: {
    LEDGER_NOT_CONNECTED:
      "The system refused the credentials, or may not be reached from here. Nothing was stored.",
    LEDGER_UNAVAILABLE: "The system did not answer in time. Nothing was stored.",
    LEDGER_REJECTED: "Nothing could be booked there yet. Nothing was stored.",
    CONFIGURATION_LOCKED:
      "Something has been booked, so the books stay where they are. Nothing was stored.",
    RESOURCE_BUSY: "Another change is in progress. Nothing was stored: try again in a moment.",
  } as ByCode,
  faults: {
    NO_FISCAL_YEAR: "The company has no accounting year for these days.",
    NUMBERING_NOT_INTEGER: "Its document numbers are not plain numbers.",
    OTHER_CURRENCY: "Its books are in another currency.",
    INCOMPLETE: "Its setup is not complete.",
  } as ByCode,
  other_fault: "Something in its setup prevents bookings.",
  state: "State",
  states: {
    connected: "Connected",
    unauthorized: "Credentials refused",
    unavailable: "No answer",
    subscription: "Not in its plan",
  },
  meanings: {
    connected: (system: string) => `${system} answers.`,
    unauthorized: (system: string) =>
      `${system} no longer accepts the credentials. Bookings wait: enter new ones.`,
    unavailable: (system: string) =>
      `${system} does not answer. Bookings wait, and continue automatically.`,
    subscription: (system: string) =>
      `The company's plan in ${system} does not allow other programs to book. Bookings wait.`,
  },
  prevents: "Prevents bookings",
  company: "Company",
  checked: "Last checked",
  check_now: "Check now",
  renew: "New credentials…",
  disconnect: "Disconnect…",
  disconnect_title: (system: string) => `Disconnect ${system}?`,
  disconnect_means: (system: string) =>
    `Matchbook keeps the books again. What is in ${system} stays there.`,
  type_name: (system: string) => `Type ${system} to confirm`,
  disconnect_now: (system: string) => `Disconnect ${system}`,
  not_yet: "Not yet",
  mapping: "Accounts side by side",
  open: (count: number) => (count === 0 ? "All are mapped" : `${count} open`),
  in_matchbook: "In Matchbook",
  role: "Accruals",
  account_in: (system: string) => `Account in ${system}`,
  account_of: (number: number, system: string) => `Account in ${system} for ${number}`,
  code_in: (system: string) => `VAT code in ${system}`,
  code_of: (number: number, system: string) => `VAT code in ${system} for ${number}`,
  is_open: "Open",
  other_rate: "Charges another VAT",
  is_mapped: "Mapped",
  mapping_faults: {
    unknown_reference: "The system has no such account or code. Check the connection if it is new.",
    invalid_value: "The system charges another VAT on this account.",
  } as ByCode,
  moves: {
    title: "Moves between ledgers",
    is_moving:
      "The books are moving: nothing is booked until the new ledger has the opening voucher.",
    own: "Matchbook",
    begins: "First day",
    from: "From",
    to: "To",
    opened: "Opened",
    nothing_opened: "Nothing",
    amounts: (deferred: string, accrued: string) => `Deferred ${deferred}, accrued ${accrued}`,
    voucher: (number: number) => `voucher ${number}`,
    state: "State",
    states: { moving: "Moving", completed: "Moved", refused: "Refused" },
  },
};

export const daConnection: typeof enConnection = {
  lead: "Hvor denne kontos bogholderi føres.",
  built_in: "Matchbook fører selv bogholderiet.",
  built_in_text:
    "Det indbyggede bogholderi bogfører hvert dokument med det samme. Det er ikke et registreret bogføringssystem efter bogføringsloven: en virksomhed, der skal bruge et sådant, tilslutter det her, før det første dokument bogføres.",
  locked:
    "Der er bogført noget, så bogholderiet bliver, hvor det er. Den, der driver tjenesten, flytter det til et andet regnskab fra dagen efter den senest lukkede måned: matchbook ledger move.",
  connect_to: (system) => `Tilslut ${system} …`,
  connect_title: (system) => `Tilslut ${system}`,
  connect_means: (system) =>
    `${system} kontrolleres først; intet gemmes, medmindre det virker. Derefter bogføres hvert dokument dér, og kunder og ydelser sendes dertil.`,
  connect_now: (system) => `Kontrollér og tilslut ${system}`,
  rare: "Flere indstillinger",
  secret_hint: "Gemmes krypteret og vises aldrig igen.",
  either: "Enten dette felt eller det andet.",
  fields: {
    organization_id: "Virksomhedens nummer i Dinero (firma-ID)",
    client_id: "Integrationens klient-id",
    client_secret: "Klienthemmelighed",
    api_key: "Virksomhedens API-nøgle",
    refresh_token: "Fornyelsestoken",
    accounting_year_start: "Regnskabsårets første måned (1 til 12)",
    requests_per_minute: "Forespørgsler pr. minut, hvis det er aftalt med Dinero",
    api_url: "API'ets adresse, hvis ikke Dineros",
    token_url: "Adresse til tokens, hvis ikke Dineros",
    url: "Serverens adresse",
    database: "Databasens navn",
    user: "Login for en bruger, der må bogføre",
    password: "Brugerens adgangskode",
  },
  refusals: {
    LEDGER_NOT_CONNECTED:
      "Systemet afviste oplysningerne, eller det må ikke nås herfra. Intet er gemt.",
    LEDGER_UNAVAILABLE: "Systemet svarede ikke i tide. Intet er gemt.",
    LEDGER_REJECTED: "Der kan endnu ikke bogføres dér. Intet er gemt.",
    CONFIGURATION_LOCKED:
      "Der er bogført noget, så bogholderiet bliver, hvor det er. Intet er gemt.",
    RESOURCE_BUSY: "En anden ændring er i gang. Intet er gemt: prøv igen om lidt.",
  },
  faults: {
    NO_FISCAL_YEAR: "Virksomheden har intet regnskabsår for disse dage.",
    NUMBERING_NOT_INTEGER: "Dens dokumentnumre er ikke rene tal.",
    OTHER_CURRENCY: "Dens bogholderi er i en anden valuta.",
    INCOMPLETE: "Dens opsætning er ikke færdig.",
  },
  other_fault: "Noget i opsætningen forhindrer bogføring.",
  state: "Tilstand",
  states: {
    connected: "Tilsluttet",
    unauthorized: "Oplysninger afvist",
    unavailable: "Intet svar",
    subscription: "Ikke i abonnementet",
  },
  meanings: {
    connected: (system) => `${system} svarer.`,
    unauthorized: (system) =>
      `${system} godtager ikke længere oplysningerne. Bogføringer venter: indtast nye.`,
    unavailable: (system) => `${system} svarer ikke. Bogføringer venter og fortsætter af sig selv.`,
    subscription: (system) =>
      `Virksomhedens abonnement hos ${system} tillader ikke andre programmer at bogføre. Bogføringer venter.`,
  },
  prevents: "Forhindrer bogføring",
  company: "Virksomhed",
  checked: "Sidst kontrolleret",
  check_now: "Kontrollér nu",
  renew: "Nye oplysninger …",
  disconnect: "Afbryd forbindelsen …",
  disconnect_title: (system) => `Afbryd forbindelsen til ${system}?`,
  disconnect_means: (system) =>
    `Matchbook fører igen selv bogholderiet. Det, der er i ${system}, bliver dér.`,
  type_name: (system) => `Skriv ${system} for at bekræfte`,
  disconnect_now: (system) => `Afbryd forbindelsen til ${system}`,
  not_yet: "Ikke endnu",
  mapping: "Konti side om side",
  open: (count) => (count === 0 ? "Alle er forbundet" : `${count} mangler`),
  in_matchbook: "I Matchbook",
  role: "Periodisering",
  account_in: (system) => `Konto i ${system}`,
  account_of: (number, system) => `Konto i ${system} for ${number}`,
  code_in: (system) => `Momskode i ${system}`,
  code_of: (number, system) => `Momskode i ${system} for ${number}`,
  is_open: "Mangler",
  other_rate: "Beregner en anden moms",
  is_mapped: "Forbundet",
  mapping_faults: {
    unknown_reference:
      "Systemet har ikke denne konto eller kode. Kontrollér forbindelsen, hvis den er ny.",
    invalid_value: "Systemet beregner en anden moms på denne konto.",
  },
  moves: {
    title: "Flytninger mellem regnskaber",
    is_moving:
      "Bogholderiet er ved at flytte: der bogføres intet, før det nye regnskab har åbningsbilaget.",
    own: "Matchbook",
    begins: "Første dag",
    from: "Fra",
    to: "Til",
    opened: "Åbnet med",
    nothing_opened: "Intet",
    amounts: (deferred, accrued) => `Forudfaktureret ${deferred}, igangværende arbejder ${accrued}`,
    voucher: (number) => `bilag ${number}`,
    state: "Tilstand",
    states: { moving: "Flytter", completed: "Flyttet", refused: "Afvist" },
  },
};
