/**
 * A door command changes something without a caller: whoever asks has a password, a link, a cookie, a code or a
 * token, and the transaction that looks at it finds out whose it is. A refusal is a value that `commit` answers, so
 * that what it used up is committed with it; what is thrown rolls back. `before` and `after` stand outside.
 */

import { type Transaction, transaction } from "../database/transaction.ts";
import { contextFor, type Services } from "../runtime/services.ts";
import { type PersonRow, personCaller } from "../security/person.ts";
import { told } from "./command.ts";
import { type Actor, fullAccess } from "./context.ts";
import { type Tx, txOf } from "./tx.ts";

/** The transaction of a door command. */
export interface DoorTx extends Transaction {
  /** What a person may use in it as soon as it is known who they are; with an actor, what that one does for them. */
  as(person: PersonRow, actor?: Actor): Tx;
}

interface DoorCommand<Prepared, Committed, Result, Input> {
  readonly name: string;
  /** What takes long or another connection, such as hashing a password. Without it `commit` takes the input. */
  before?(services: Services, input: Input): Promise<Prepared>;
  commit(tx: DoorTx, prepared: Prepared): Promise<Committed> | Committed;
  after?(services: Services, committed: Committed): Promise<Result>;
}

/** Only infers the types, as `defineCommand` does. */
export function defineDoorCommand<Prepared, Committed, Result = Committed, Input = Prepared>(
  command: DoorCommand<Prepared, Committed, Result, Input>,
): DoorCommand<Prepared, Committed, Result, Input> {
  return command;
}

/** Prepares, commits in one transaction, then does what comes after. Throws what the command throws. */
export function runAtDoor<Prepared, Committed, Result, Input>(
  command: DoorCommand<Prepared, Committed, Result, Input>,
  services: Services,
  input: Input,
): Promise<Result> {
  return told(services.metrics.observeCommand, command.name, async () => {
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
      // Who does it for them is nobody's person.
      const caller = actor === undefined ? own : { ...own, actor, person: null };
      return txOf(contextFor(services, caller, services.log), opened);
    },
  };
}
