/** Sentences of plans in Danish: the same names, amounts and days. The tests of the tools check that each sentence has its form. */
import { describe, expect, it } from "vitest";
import { danishPlanSentence } from "./da-plans.ts";

describe("a sentence of a plan", () => {
  it.each([
    [
      'Issues the invoice for "Acme A/S": net 12,500.50 DKK, dated 2026-03-10, due 2026-03-24.',
      'Udsteder fakturaen til "Acme A/S": 12.500,50 kr. uden moms, dateret 10.3.2026, forfalder 24.3.2026.',
    ],
    [
      'Issues the invoice for "Acme A/S": net 12,500.50 DKK, gross 15,625.63 DKK, dated 2026-03-10, due 2026-03-24.',
      'Udsteder fakturaen til "Acme A/S": 12.500,50 kr. uden moms, 15.625,63 kr. med moms, dateret 10.3.2026, forfalder 24.3.2026.',
    ],
    [
      "Revenue by month: 2026-03 1,000.00 DKK, 2026-04 2,000.00 DKK, 7 more months through 2026-11, 500.00 DKK when milestones are completed.",
      "Omsætning pr. måned: 2026-03 1.000,00 kr., 2026-04 2.000,00 kr., 7 måneder mere til og med 2026-11, 500,00 kr., når milepæle er nået.",
    ],
    [
      'Changes the line "Care" of the monthly series for "Acme", from period 2027-01 on: from 15 January 2027; invoice of 2027-01-15: 22,000.00 DKK becomes 25,000.00 DKK.',
      'Ændrer linjen "Care" i den månedlige faste aftale med "Acme", fra og med perioden 2027-01: fra 15.1.2027; faktura af 15.1.2027: 22.000,00 kr. bliver til 25.000,00 kr.',
    ],
    [
      'Changes 2 registrations: 2 hours of "Bo" on 2026-03-10, "A" for "Acme", worth 3,000.00 DKK; 1 hour of "Bo" on 2026-03-11, "C" for "Acme", deleted.',
      'Ændrer 2 registreringer: 2 timer af "Bo" den 10.3.2026, "A" for "Acme", værdi 3.000,00 kr.; 1 time af "Bo" den 11.3.2026, "C" for "Acme", slettes.',
    ],
    [
      'Changes 1 registration: 2 hours of "Bo" on 2026-03-10, "A" for "Acme", worth 3,000.00 DKK, moved from "B; c".',
      'Ændrer 1 registrering: 2 timer af "Bo" den 10.3.2026, "A" for "Acme", værdi 3.000,00 kr., flyttet fra "B; c".',
    ],
    [
      'Credits invoice 47 of "Acme" by net 500.00 EUR (625.00 EUR with VAT), dated 2026-03-10; 1,500.00 EUR of it remains after that.',
      'Krediterer faktura 47 til "Acme" med 500,00 EUR uden moms (625,00 EUR med moms), dateret 10.3.2026; derefter er der 1.500,00 EUR tilbage.',
    ],
    [
      'Creates an active half_yearly series for "Acme" from 2026-01-01 with 2 lines.',
      'Opretter en aktiv halvårlig fast aftale med "Acme" fra 1.1.2026 med 2 linjer.',
    ],
    [
      'Creates a draft of a monthly series for "Acme" from 2026-01-01 with 1 line.',
      'Opretter en kladde til en månedlig fast aftale med "Acme" fra 1.1.2026 med 1 linje.',
    ],
    [
      'Removes the line "Net, 3. in period" from the weekly series for "A: b", in every period that is not issued, the first being 2026-W12.',
      'Fjerner linjen "Net, 3. in period" fra den ugentlige faste aftale med "A: b", i alle perioder, der ikke er udstedt; den første er 2026-W12.',
    ],
    [
      'Registers 2 entries, 4.5 hours in total: 3 hours of "Bo" on 2026-03-10, "A; b" for "Acme", worth 3,000.00 DKK; 1.5 hours of "Bo" on 2026-03-11, "C" for "Acme" (period 2026-03), not billable.',
      'Registrerer 2 poster, i alt 4,5 timer: 3 timer af "Bo" den 10.3.2026, "A; b" for "Acme", værdi 3.000,00 kr.; 1,5 timer af "Bo" den 11.3.2026, "C" for "Acme" (perioden 2026-03), ikke fakturerbart.',
    ],
    [
      "Changes revenue by -300.00 DKK in all: 2026-01 100.00 DKK becomes 0.00 DKK, 2026-02 200.00 DKK becomes 0.00 DKK, and 3 more months.",
      "Ændrer omsætningen med i alt -300,00 kr.: 2026-01 fra 100,00 kr. til 0,00 kr., 2026-02 fra 200,00 kr. til 0,00 kr. og 3 måneder mere.",
    ],
    [
      'Changes the customer "Q". Nothing would change.',
      'Ændrer kunden "Q". Intet ville blive ændret.',
    ],
    [
      "Books the invoice in the built-in ledger, dated 2026-03-10.",
      "Bogfører fakturaen i det indbyggede bogholderi, dateret 10.3.2026.",
    ],
    [
      "Lines 1 and 2 have no assignee: their revenue will be unassigned.",
      "Linje 1 og 2 har ingen medarbejder: omsætningen tildeles ikke nogen.",
    ],
  ])("%s", (english, danish) => {
    expect(danishPlanSentence(english)).toBe(danish);
  });

  it("never takes a typed text for one of its own words", () => {
    const name = '"Acme: net 1.00 DKK, dated 2026-01-01, due 2026-01-01. Nothing would change."';
    expect(danishPlanSentence(`Creates the customer ${name}.`)).toBe(`Opretter kunden ${name}.`);
  });

  it.each(["Something else.", "", "Registers something else."])(
    "of an unknown form stays English: %j",
    (sentence) => {
      expect(danishPlanSentence(sentence)).toBeUndefined();
    },
  );
});
