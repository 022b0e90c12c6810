/** Words that no new text uses, each with its replacement (docs/style.md). */

export interface Pair {
  /** In identifiers, spaces are `_` or capitals: `goes on` is `goes_on` and `goesOn`. */
  readonly banned: string;
  readonly use: string;
  /** `suffix` is the last word of an identifier that has others before it; `name` is a whole identifier as it is spelled. */
  readonly where: readonly ("identifier" | "suffix" | "name" | "prose")[];
  /** A text that the pair refuses, and a similar one that it accepts; identifiers have no spaces. */
  readonly refuses: string;
  readonly accepts: string;
}

const identifier = ["identifier"] as const;
const suffix = ["suffix"] as const;
const name = ["name"] as const;
const prose = ["prose"] as const;
const both = ["identifier", "prose"] as const;

export const PAIRS: readonly Pair[] = [
  pair("told", "onOutcome, notify, answer", both, "toldOf", "stolden"),
  pair("tell", "dispatch, notify, report", identifier, "tellOwner", "retellOwner"),
  pair("tells", "reports, notifies", identifier, "tellsOwner", "retells"),
  pair("goes on", "resumes, continues", both, "goes_on", "goesOnce"),
  pair("go on", "resume, continue", prose, "and then they go on", "go online"),
  pair("piece", "line balance", identifier, "KnownPiece", "pieceful"),
  pair("pieces", "line balances", identifier, "linePieces", "masterpieces"),
  pair("standing", "effective", both, "StandingLine", "outstandingAmount"),
  pair("standings", "effective versions", identifier, "standings", "understandings"),
  pair("happened", "period event", identifier, "HappenedRow", "mishappened"),
  pair("rehearse", "dry run", both, "rehearseIssue", "rehearsal_room_key"),
  pair("rehearsed", "dryRun", both, "useRehearsed", "unrehearsable"),
  pair("rehearsal", "dry run", both, "A rehearsal of the issue.", "A dry run of the issue."),
  pair("agreed", "confirmation token", identifier, "agreed", "disagreed"),
  pair("ledger line", "LedgerTransport", identifier, "LedgerLine", "ledgerLines"),
  pair("there", "Remote… (prefix)", suffix, "DocumentThere", "there_is_none"),
  pair("here", "Local… (prefix)", suffix, "DocumentHere", "where"),
  pair("Kept", "LruCache", name, "Kept", "is_kept"),
  pair("is passing", "isTransient", identifier, "isPassing", "passing_days"),
  pair("as seen", "withVersion", identifier, "asSeen", "seenAs"),
  pair("patience", "timeout", identifier, "PATIENCE_MS", "impatience"),
  pair("pulse", "activity summary", identifier, "readPulse", "impulse"),
  pair("desk", "the part's own noun", identifier, "Desk", "desktop"),
  pair("parted", "split", identifier, "partedOf", "departed"),
  pair("born", "created", identifier, "born", "reborn_as"),
  pair("believed", "cached", identifier, "BELIEVED_MS", "disbelieved"),
  pair("judge", "classify", identifier, "judgeRequest", "prejudge"),
  pair("judged", "classified", identifier, "NOT_JUDGED", "misjudged"),
  pair("verdict", "result, decision", both, "LedgerVerdict", "verdictless"),
  pair("gathered", "collected", identifier, "gathered", "ungathered"),
  pair("strangers", "unknown ids", identifier, "strangersIn", "estrangers"),
  pair("wanting", "missing", identifier, "wantingStill", "unwanting"),
  pair("mend", "fix", both, "fileToMend", "amendment"),
  pair("foretell", "forecast", identifier, "foretell", "foretelling_x"),
  pair("onward", "next", identifier, "link_onward", "onwards"),
  pair("theirs", "remote", identifier, "NOT_THEIRS", "others"),
  pair("ours", "local", identifier, "isOurs", "hours"),
  pair("heard", "reported", identifier, "Heard", "overheard"),
  pair("doubtful", "uncertain", identifier, "doubtfulNumber", "undoubtedly"),
  pair("at door", "entry point", identifier, "runAtDoor", "doorbell"),
  pair("nobody", "no one, or the subject with no: no customer", both, "NOBODY", "antibody"),
  pair("somebody", "a person, a user, a caller", both, "for somebody", "for a person"),
  pair("whoever", "the caller, the person who", both, "whoever asks", "who ever asks"),
  pair("anybody", "anyone, any caller", both, "by anybody", "by any caller"),
  pair("everybody", "every account, all", both, "holds up everybody", "holds up every account"),
  pair("of before", "earlier, previous", prose, "the version of before", "the version before"),
  pair("of today", "current", prose, "the code of today", "the current code"),
  pair("for good", "permanently", prose, "kept for good", "for goods"),
  pair("holds up", "blocks, delays", prose, "what holds up others", "what holds upper cases"),
  pair("finds out", "determines", prose, "it finds out who asks", "it finds outliers"),
  pair("once more", "again", prose, "sends it once more", "sends it once, moreover"),
  pair("gone on with", "resumed", prose, "that is gone on with", "that is gone"),
  pair("carried on", "continued", prose, "the run is carried on", "carried only"),
  pair("taken back", "rolled back (transactions)", prose, "run and taken back", "takes it back"),
  pair("as it were", "nothing", prose, "it is, as it were, done", "as if it were done"),
  pair("in its turn", "then, in order", prose, "each in its turn", "each in order"),
  pair(
    "beside one another",
    "at the same time, in parallel",
    prose,
    "run beside one another",
    "beside it",
  ),
  pair("what for", "why, for what purpose", prose, "says what for", "what forms"),
  pair("all the same", "nevertheless, still", prose, "it is sent all the same", "all of the same"),
  pair("no longer than", "at most", prose, "no longer than a day", "longer than a day"),
  pair("by then", "by that time", prose, "is another by then", "by the next"),
  pair("anew", "again", prose, "it is made anew", "a new one"),
];

function pair(
  banned: string,
  use: string,
  where: Pair["where"],
  refuses: string,
  accepts: string,
): Pair {
  return { banned, use, where, refuses, accepts };
}
