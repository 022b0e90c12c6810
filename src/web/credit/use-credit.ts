/** Requests the effect of the typed credit a moment after the last key press, and makes the credit. */
import { useEffect, useReducer } from "preact/hooks";
import { useNewest } from "../browser/newest.ts";
import { type Refused, send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import {
  type CreditEvent,
  type CreditedInvoice,
  type CreditShown,
  type CreditState,
  creditAfter,
  creditFrom,
  creditOf,
} from "./credit-state.ts";

const PAUSE_MS = 250;

export function useCredit(of: CreditedInvoice): [CreditState, (event: CreditEvent) => void] {
  const { language } = useReader();
  const [state, dispatch] = useReducer(creditAfter, null, () => creditFrom(of, language));
  const credit = creditOf(state);
  useNewest(credit && JSON.stringify(credit), PAUSE_MS, async () => {
    const answer = await send<CreditShown | { readonly refused: Refused }>(
      "/app/credits/rehearse",
      { ...credit, language },
    );
    return () => {
      const said = "done" in answer ? answer.done : answer;
      if ("refused" in said) dispatch({ kind: "not_shown", fault: said.refused });
      else if ("lost" in said) dispatch({ kind: "not_shown", fault: "dry_run_lost" });
      else dispatch({ kind: "shown", shown: said });
    };
  });
  const { sending } = state;
  useEffect(() => {
    if (sending === null) return;
    void send<{ readonly id: string }>("/app/credits/make", sending).then((answer) => {
      if ("done" in answer) location.assign(`/credit-notes/${answer.done.id}`);
      else dispatch({ kind: "not_made", fault: "lost" in answer ? "credit_lost" : answer.refused });
    });
  }, [sending]);
  return [state, dispatch];
}
