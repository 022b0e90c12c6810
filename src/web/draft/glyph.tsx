/** Small drawings inside the editor of a draft, beside a word or on a named button (Tabler Icons in outline). */

const PATHS = {
  grip: "M9 5h.01M9 12h.01M9 19h.01M15 5h.01M15 12h.01M15 19h.01",
  down: "M6 9l6 6l6 -6",
  add_person: "M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0M16 19h6M19 16v6M6 21v-2a4 4 0 0 1 4 -4h4",
  hours: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M12 7v5l3 2",
  value:
    "M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2zM16 3v4M8 3v4M4 11h16",
  progress: "M4 20v-6h4v6zM10 20v-10h4v10zM16 20v-16h4v16zM3 20h18",
  milestone: "M5 5a5 5 0 0 1 7 0a5 5 0 0 0 7 0v9a5 5 0 0 1 -7 0a5 5 0 0 0 -7 0zM5 21v-7",
  on_issue: "M13 3v7h6l-8 11v-7h-6l8 -11",
} as const;

export function Glyph({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
