/** Reports of time trackers as tables of hours. The names in them are invented. */
import { describe, expect, it } from "vitest";
import { type FileTable, tableFrom } from "./import-file.ts";
import { fileOf } from "./import-rows.ts";
import { tableOfReport } from "./time-trackers.ts";

const TOGGL = `User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)
Ada Holm,ada@studio.example,Acme A/S,Website,,"Texts, menus",Yes,2026-11-02,09:00:00,2026-11-02,10:30:00,01:30:00,copy,
Ada Holm,ada@studio.example,Acme A/S,Website,,"Texts, menus",Yes,2026-11-02,13:00:00,2026-11-02,13:20:12,00:20:12,,
Ada Holm,ada@studio.example,Acme A/S,Website,,"Texts, menus",No,2026-11-02,14:00:00,2026-11-02,15:00:00,01:00:00,,
Bo Lund,bo@studio.example,Acme A/S,Care,Support,,Yes,2026-11-03,08:00:00,2026-11-04,10:00:00,26:00:00,,
`;
const CLOCKIFY = `"Project","Client","Description","Task","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)","Billable Rate (EUR)","Billable Amount (EUR)"
"Website","Acme A/S","Menus","","Ada Holm","","ada@studio.example","","Yes","02/11/2026","09:00","02/11/2026","09:20","00:20:00","0.33","90.00","30.00"
"Website","Acme A/S","Menus","","Ada Holm","","ada@studio.example","","Yes","19/11/2026","09:00","19/11/2026","12:00","03:00:00","3.00","90.00","270.00"
`;
const HARVEST = `Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,First Name,Last Name,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL
2026-11-02,Acme A/S,Website,W-1,Design,Menus,1.25,Yes,No,Ada,Holm,,Yes,90,112.5,,,EUR,
2026-11-02,Acme A/S,Website,W-1,Design,Menus,0.5,Yes,No,Ada,Holm,,Yes,90,45,,,EUR,
`;

/** The rows as they are sent, of a file that is read in a language. */
function sentOf(text: string, language: "en" | "da" = "en"): unknown[] {
  const table = tableOfReport(tableFrom(text) as FileTable) as FileTable;
  const file = fileOf("hours", table, { language, functional_currency: "DKK" });
  expect([file.ignored, file.missing]).toEqual([[], []]);
  return file.rows.map(({ sent, fault, same_as }) => fault ?? same_as ?? sent);
}

const ADA = "Ada Holm <ada@studio.example>";
const WEBSITE = { customer: "Acme A/S", project: "Website", billable: true };

describe.each(["en", "da"] as const)("in %s, a report", (language) => {
  it("of Toggl Track is read, the rows of one piece of work added up", () => {
    const texts = { ...WEBSITE, note: "Texts, menus", user: ADA, date: "2026-11-02" };
    expect(sentOf(TOGGL, language)).toEqual([
      { ...texts, hours: 1.84 },
      // A registration is known by its day, person, line and note, so a person decides on this one.
      2,
      {
        customer: "Acme A/S",
        project: "Care",
        task: "Support",
        billable: true,
        user: "Bo Lund <bo@studio.example>",
        date: "2026-11-03",
        hours: 26,
      },
    ]);
  });

  it("of Clockify is read by its hours and minutes, and by the day that decides on the order", () => {
    const menus = { ...WEBSITE, note: "Menus", user: ADA };
    expect(sentOf(CLOCKIFY, language)).toEqual([
      { ...menus, date: "2026-11-02", hours: 0.33 },
      { ...menus, date: "2026-11-19", hours: 3 },
    ]);
    const american = CLOCKIFY.replaceAll("19/11/", "11/19/").replaceAll("02/11/", "11/02/");
    expect(sentOf(american, language)).toEqual(sentOf(CLOCKIFY, language));
  });

  it("of Harvest is read with the person's name, and not with whether it is an employee", () => {
    const design = { ...WEBSITE, task: "Design", note: "Menus", date: "2026-11-02" };
    expect(sentOf(HARVEST, language)).toEqual([{ ...design, user: "Ada Holm", hours: 1.75 }]);
  });
});

describe("a report", () => {
  it("with days that could be either order refuses them in English", () => {
    const early = CLOCKIFY.replaceAll("19/11/", "09/11/");
    expect(sentOf(early)).toMatchObject([{ field: "date" }, { field: "date" }]);
  });

  it("with a duration that is none refuses that row alone", () => {
    const odd = TOGGL.replace("00:20:12", "-00:20:12");
    expect(sentOf(odd)).toMatchObject([{ hours: 1.5 }, { field: "hours" }, {}, {}]);
  });

  it("of nothing else is taken for one", () => {
    const own = tableFrom("date,hours,customer\n2026-11-02,1,Acme\n") as FileTable;
    expect(tableOfReport(own)).toBeNull();
  });
});
