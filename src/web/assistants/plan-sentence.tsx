/** A sentence of an assistant's plan. Plans are stored in English, as the assistant was shown them. */
import { useReader } from "../frame/reader.ts";
import { daysInWords } from "../parts/format.ts";

/** Shows a sentence in the reader's language; marks one that stays English. */
export function PlanSentence({ text }: { text: string }) {
  const { words, language } = useReader();
  const shown = words.assistants.sentence(text);
  const stays_english = language !== "en" && shown === text;
  return <span {...(stays_english && { lang: "en" })}>{daysInWords(language, shown)}</span>;
}
