/** The server's side of dropped files: the form without scripts, the actions of the island, and the columns that are kept. */
import * as z from "zod";
import type { BankAccount } from "../../domain/receivables/bank-account.ts";
import type { CsvProfile } from "../../domain/receivables/csv-profile.ts";
import { changeBankAccount } from "../../features/receivables/bank-accounts/save.ts";
import { BankAccountUpdate } from "../../features/receivables/bank-accounts/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction, defineFileAction } from "../frame/action.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { refusedBy } from "../frame/submitted.ts";
import { refusalOf } from "../words/refusal.ts";
import { BANK_ACCOUNTS } from "./bank-addresses.ts";
import { MEANINGS, type Meaning, meaningsOf, profileFrom } from "./column-meanings.ts";
import { island as dropFiles } from "./drop-files.tsx";
import { fileWords, whyText } from "./file-words.ts";
import { ProfileFields } from "./profile-form.tsx";
import { type AskedProfile, readBankFile } from "./read-bank-file.ts";
import { formOf, sampleOf } from "./sample-rows.ts";

const FILES = "/bank/files";
const PROFILE = "/bank/profile";

const filesPage: WebPage = {
  ...definePage(`POST ${FILES}`, "hidden", takeFile),
  takes_file: true,
};

export const dropPages: readonly WebPage[] = [
  filesPage,
  definePage(`POST ${PROFILE}`, "hidden", keepProfile),
];

const OfAccount = z.object({ bank_account: Uuid.optional() });
const NamedColumns = z.strictObject({
  bank_account: Uuid,
  profile: BankAccountUpdate.shape.csv_profile.unwrap().unwrap(),
});

export const dropActions: readonly Action[] = [
  defineFileAction(
    "/app/bank/files",
    ["text/csv"],
    OfAccount,
    (_cx, { bank_account }, file, room) =>
      room.runLong(readBankFile, { bank_account: bank_account ?? null, bytes: file.bytes }),
  ),
  defineAction(
    "/app/bank/profile",
    "hidden",
    NamedColumns,
    async (cx, { bank_account, profile }) => {
      await run(changeBankAccount, cx, { ref: bank_account, changes: { csv_profile: profile } });
      return {};
    },
  ),
];

/** Returns the place where files are dropped; a sentence where another ledger keeps the payments. */
export function filesIsland(request: PageRequest, accounts: readonly BankAccount[]) {
  const { cx, reader, csrf } = request;
  if (cx.ledger?.transactional === false) {
    return <p class="card pad">{fileWords(reader.language).in_ledger(cx.ledger.title ?? "")}</p>;
  }
  const offered = accounts
    .filter(({ active }) => active)
    .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
    .map(({ id, name }) => ({ id, name }));
  return <Island of={dropFiles} with={{ accounts: offered, action: FILES, csrf: csrf(FILES) }} />;
}

/** Reads the file of a form without scripts. */
async function takeFile(request: PageRequest): Promise<PageAnswer> {
  const { file, form, reader } = request;
  const words = fileWords(reader.language);
  if (file === null) return refusedFile(request, words.no_file, 422);
  const bank_account = Uuid.safeParse(form.bank_account).data ?? null;
  try {
    const read = await request.runLong(readBankFile, { bank_account, bytes: file });
    if ("asks" in read) return askProfile(request, read.asks, file);
    return { redirect: `/bank?brought=${read.brought}${read.is_new ? "" : "&known=1"}` };
  } catch (thrown) {
    const problem = refusedBy(thrown);
    const refusal = problem.extras.field_errors?.[0] ?? refusalOf(problem);
    const said = words.refused(words.this_file, whyText(words, reader.words, refusal));
    const is_unknown = refusal.code === "unknown_reference";
    return refusedFile(request, said, statusOfKind[problem.kind], is_unknown);
  }
}

/** Says why a file was not read. `is_unknown` offers the bank accounts: the file is of none of them. */
function refusedFile(
  { reader }: PageRequest,
  said: string,
  status: number,
  is_unknown = false,
): PageAnswer {
  const words = fileWords(reader.language);
  const content = (
    <>
      <Fault text={said} />
      <p class="buttons">
        <a class="button" href="/bank">
          {words.to_bank}
        </a>
        {is_unknown && (
          <a class="button" href={BANK_ACCOUNTS}>
            {words.to_accounts}
          </a>
        )}
      </p>
    </>
  );
  return { title: fileWords(reader.language).title, content, status };
}

/** Returns the page that asks for the columns of a file. The file itself has to be chosen again: no page can keep it. */
function askProfile(request: PageRequest, asked: AskedProfile, bytes: Uint8Array): PageAnswer {
  const { reader, csrf } = request;
  const words = fileWords(reader.language);
  const { profile, faults, bank_account } = asked;
  const form = profile ?? formOf(bytes);
  const sample = sampleOf(bytes, form);
  const content = (
    <>
      <p class="quiet">{asked.is_changed ? words.asks_changed : words.asks_means}</p>
      {faults.length > 0 && (
        <div class="notice bad" role="alert">
          <p>{words.asks_again}</p>
          <ul>
            {faults.map(({ message }) => (
              <li>{message}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="card pad bank-asks">
        <Form action={PROFILE} csrf={csrf(PROFILE)}>
          <input type="hidden" name="bank_account" value={bank_account} />
          <ProfileFields
            sample={sample}
            meanings={meaningsOf(profile?.columns ?? null, sample)}
            form={form}
          />
          <p class="tiny quiet">{words.choose_again}</p>
          <Submit text={words.keep_only} back={{ href: "/bank", text: words.to_bank }} />
        </Form>
      </div>
    </>
  );
  return { title: words.asks, content, status: 422 };
}

async function keepProfile(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, form } = request;
  const words = fileWords(reader.language);
  const kept = profileIn(form);
  if ("fault" in kept) return refusedFile(request, words.faults[kept.fault], 422);
  const parsed = NamedColumns.safeParse({ bank_account: form.bank_account, profile: kept.profile });
  if (!parsed.success) return refusedFile(request, words.faults.date, 422);
  const { bank_account: ref, profile } = parsed.data;
  await run(changeBankAccount, cx, { ref, changes: { csv_profile: profile } });
  return { redirect: "/bank", notice: { done: "bank_columns_kept" } };
}

/** Returns the profile that the fields of the form say. */
function profileIn(form: PageRequest["form"]) {
  const meanings: Meaning[] = [];
  const heads: string[] = [];
  for (let at = 0; form[`column_${at}`] !== undefined; at += 1) {
    const chosen = form[`column_${at}`];
    meanings.push(MEANINGS.find((one) => one === chosen) ?? "");
    heads.push(form[`head_${at}`] ?? "");
  }
  const written = {
    encoding: form.encoding,
    delimiter: form.delimiter,
    skip_lines: Number.parseInt(form.skip_lines ?? "0", 10),
    has_header: form.has_header === "true",
    decimal: form.decimal,
    date_format: form.date_format,
  } as Omit<CsvProfile, "columns">;
  return profileFrom(written, meanings, { heads: written.has_header ? heads : null });
}
