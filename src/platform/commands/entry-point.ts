/**
 * A door command changes data before the caller is known. The request carries a password, a link, a cookie, a code or a token,
 * and the transaction that checks this credential determines the person behind it. A refusal is a value that `commit` returns, so
 * that the use of the credential is committed with it; an exception rolls back. `before` and `after` run outside the transaction.
 */

import { type Transaction, transaction } from "../database/transaction.ts";
import { contextFor, type Services } from "../runtime/services.ts";
import { type PersonRow, personCaller } from "../security/person.ts";
import { reportOutcome } from "./command.ts";
import { type Actor, fullAccess } from "./context.ts";
import { type Tx, txOf } from "./tx.ts";

/** The transaction of a door command. */
export interface DoorTx extends Transaction {
  /** Returns the transaction with the rights of a known person, or of the actor who acts for that person. */
  as(person: PersonRow, actor?: Actor): Tx;
}

interface DoorCommand<Prepared, Committed, Result, Input> {
  readonly name: string;
  /** Does slow work, such as hashing, or uses another connection. Without `before`, `commit` takes the input. */
  before?(services: Services, input: Input): Promise<Prepared>;
  commit(tx: DoorTx, prepared: Prepared): Promise<Committed> | Committed;
  after?(services: Services, committed: Committed): Promise<Result>;
}

/** Returns the given command; the function only lets TypeScript infer the types, as `defineCommand` does. */
export function defineDoorCommand<Prepared, Committed, Result = Committed, Input = Prepared>(
  command: DoorCommand<Prepared, Committed, Result, Input>,
): DoorCommand<Prepared, Committed, Result, Input> {
  return command;
}

/** Runs `before`, then `commit` in one transaction, then `after`. Throws what the command throws. */
export function runAtEntryPoint<Prepared, Committed, Result, Input>(
  command: DoorCommand<Prepared, Committed, Result, Input>,
  services: Services,
  input: Input,
): Promise<Result> {
  return reportOutcome(services.metrics.observeCommand, command.name, async () => {
    const prepared = command.before
      ? await command.before(services, input)
      : (input as unknown as Prepared);
    const committed = await transaction(services.gate, async (tx) =>
      command.commit(doorTxOf(services, tx), prepared),
    );
    if (command.after) return command.after(services, committed);
    return committed as unknown as Result;
  });
}

function doorTxOf(services: Services, opened: Transaction): DoorTx {
  return {
    ...opened,
    as(person, actor) {
      const own = personCaller(person, fullAccess, null);
      // An actor who acts for a person is not that person.
      const caller = actor === undefined ? own : { ...own, actor, person: null };
      return txOf(contextFor(services, caller, services.log), opened);
    },
  };
}
