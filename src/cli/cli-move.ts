/** The command that moves the books of an account to another ledger. Its blocks are printed with their cures. */
import { Problem } from "../domain/base/problem.ts";
import type { MoveBlock } from "../domain/revenue/ledger-move.ts";
import { operatorContext } from "../features/access/accounts/create.ts";
import { OWN_BOOKS } from "../features/ledger/connections/connect-account.ts";
import type { LedgerMove } from "../features/ledger/moves/schemas.ts";
import { moveLedger } from "../features/revenue/moving/move-ledger.ts";
import { connectorOptions, givenTo, namedBy, OF_LEDGERS } from "./cli-connect-options.ts";
import { withServices } from "./cli-database.ts";
import { pairFrom, roleFrom } from "./cli-ledger-options.ts";
import { accountId, answer, optionsOf, required, say, text, UsageError } from "./cli-options.ts";

/** Moves the books; with `--dry-run` it says what it would do. Ends with 1 unless the move is completed. */
export function ledgerMove(argv: readonly string[]): Promise<number> {
  let is_completed = false;
  const work = withServices("existing", async (services) => {
    const to = namedBy("--to", argv);
    if (to === undefined) throw new UsageError("--to is required.");
    const connector = services.setups.get(to)?.connector;
    if (connector === undefined && to !== OWN_BOOKS) {
      const kinds = [OWN_BOOKS, ...services.setups.keys()].join(", ");
      throw new UsageError(`--to is one of: ${kinds}. docs/ledgers.md lists the fields of each.`);
    }
    const options = optionsOf(argv, {
      account: { type: "string" },
      json: { type: "boolean" },
      to: { type: "string" },
      opening: { type: "string" },
      "dry-run": { type: "boolean" },
      pair: { type: "string", multiple: true },
      role: { type: "string", multiple: true },
      ...connectorOptions(connector ?? { fields: [] }),
    }) as Record<string, unknown> & ReturnType<typeof optionsOf>;
    const cx = await operatorContext(services, accountId(required(options, "account")));
    const opening = text(options, "opening");
    const is_dry = options["dry-run"] === true;
    const pairs = ((options.pair ?? []) as string[]).map(pairFrom);
    for (const role of (options.role ?? []) as string[]) pairs.push(await roleFrom(cx, role));
    const request = {
      to,
      given: connector === undefined ? {} : givenTo(connector, options, OF_LEDGERS),
      opening: opening === "none" ? null : opening,
      pairs,
    };
    const move = JSON.parse(await withBlocks(() => moveLedger(cx, request, is_dry)));
    is_completed = is_dry || move.state === "completed";
    answer(options, { account_id: cx.caller.account_id, is_dry_run: is_dry, ...move }, [
      ...linesOf(move),
      ...(is_dry ? ["Nothing has changed: this was a dry run."] : []),
    ]);
  });
  return work.then((exit) => (is_completed ? exit : exit || 1));
}

/** Prints what blocks a move before its refusal. */
async function withBlocks<Result>(move: () => Promise<Result>): Promise<Result> {
  try {
    return await move();
  } catch (error) {
    if (error instanceof Problem && error.code === "MOVE_BLOCKED") {
      const blocks = (error.extras.details?.blocks ?? []) as readonly MoveBlock[];
      for (const { code, message, count, cure } of blocks) {
        say(`${code}${count === undefined ? "" : ` (${count})`}: ${message} ${cure}`);
      }
    }
    throw error;
  }
}

function linesOf(move: LedgerMove): string[] {
  const { state, from, to, begins_on, voucher, opening_account } = move;
  const opens =
    voucher === null
      ? "no voucher"
      : `voucher ${voucher.number ?? "(not booked yet)"} against ${opening_account}`;
  return [
    `move         ${from.kind} to ${to.kind}`,
    `state        ${state}`,
    `begins on    ${begins_on}`,
    `opens        contract_asset ${move.contract_asset}, contract_liability ${move.contract_liability}: ${opens}`,
  ];
}
