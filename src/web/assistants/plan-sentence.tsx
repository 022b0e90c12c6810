/** A sentence of an assistant's plan. Plans are stored in English, as the assistant was shown them. */
import { useReader } from "../frame/reader.ts";
import { dayOf } from "../parts/format.ts";
import type { Language } from "../words/words.ts";

/** Shows a sentence in the reader's language; marks one that stays English. */
export function PlanSentence({ text }: { text: string }) {
  const { words, language } = useReader();
  const shown = words.assistants.sentence(text);
  const stays_english = language !== "en" && shown === text;
  return <span {...(stays_english && { lang: "en" })}>{withDays(language, shown)}</span>;
}

/** Returns the sentence with its days in words. A name, which is in quotes, stays as it is. */
function withDays(language: Language, sentence: string): string {
  return sentence.replace(/"[^"]*"|\b\d{4}-\d{2}-\d{2}\b/g, (part) =>
    part.startsWith('"') ? part : dayOf(language, part),
  );
}
