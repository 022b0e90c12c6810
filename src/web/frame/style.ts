/** The one stylesheet of the pages. It is a file of our own origin, because the pages allow no inline style. */

export const STYLESHEET = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --link: #1d4ed8; --good: #0f766e; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --link: #93b4ff; --good: #5eead4; --bad: #fca5a5; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; padding: .9rem 1.5rem; border-bottom: 1px solid var(--line); }
header strong { font-size: 1.1rem; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: baseline; font-size: .93rem; }
main { max-width: 60rem; padding: 1rem 1.5rem 5rem; }
h1 { font-size: 1.6rem; margin: 1rem 0; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
a { color: var(--link); }
label { display: block; margin: .8rem 0; font-weight: 600; }
label input, label select { display: block; width: 100%; max-width: 26rem; margin-top: .2rem; font-weight: 400; }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; }
label.choice input { display: inline; width: auto; margin: 0; }
input, select, button { font: inherit; padding: .45rem .7rem; border: 1px solid var(--line); border-radius: 6px; }
button { cursor: pointer; background: var(--link); color: Canvas; border-color: var(--link); font-weight: 600; }
button.second { background: transparent; color: inherit; border-color: var(--line); }
button.plain { background: none; border: none; padding: 0; color: var(--link); text-decoration: underline; font-weight: 400; }
.buttons { display: flex; gap: .8rem; margin: 1.2rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
th, td { text-align: left; padding: .45rem .8rem .45rem 0; border-top: 1px solid var(--soft); vertical-align: top; }
th { font-weight: 600; border-top: none; }
td form { margin: 0; }
td .quiet { overflow-wrap: anywhere; }
td code, time { white-space: nowrap; }
.table { overflow-x: auto; }
.column { display: none; }
@media (max-width: 52rem) {
  .table, .table table, .table tbody, .table tr { display: block; }
  .table thead { display: none; }
  .table tr { padding: .6rem 0; border-top: 1px solid var(--line); }
  .table td { display: flex; gap: .8rem; border: none; padding: .1rem 0; overflow-wrap: anywhere; }
  .table td > div { min-width: 0; }
  .table td code { white-space: normal; }
  .table .column { display: block; flex: none; width: 5.5rem; opacity: .7; }
}
code, pre { font: .87rem ui-monospace, monospace; background: var(--soft); border-radius: 5px; overflow-wrap: anywhere; }
code { padding: .1em .35em; }
pre { padding: .8rem; overflow: auto; white-space: pre-wrap; }
.fault { color: var(--bad); font-weight: 600; }
.done { color: var(--good); font-weight: 600; }
.warning { border-left: 4px solid var(--bad); padding: .2rem 0 .2rem .9rem; }
.quiet { opacity: .7; }
.secret { font-size: 1rem; user-select: all; }
`;
