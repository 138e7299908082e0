//! How the page looks: on a screen of any width, by day and night, and on paper.

pub(super) const CSS: &str = "
:root{--ink:#1d2026;--soft:#5c6470;--page:#fff;--rule:#d8dce2;--warm:#b4471f;--amber:#a86f00;
--felt:#e9e2d2;--pale:#d4c5a5;--dark:#a9805a;--wood:#6d4c33;--left:#23272e;--right:#f7f4ec}
@media (prefers-color-scheme:dark){:root{--ink:#dfe3ea;--soft:#98a1ae;--page:#16191e;--rule:#333a44;
--warm:#ff9c7a;--amber:#e6b75a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:66rem;padding:1rem;font:16px/1.45 system-ui,sans-serif;color:var(--ink);
background:var(--page)}
h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.6em 0 .5em}
h3{font-size:1rem;margin:.2em 0}
.note,.soft{color:var(--soft);font-size:.9rem}
.own{margin:.3em 0;padding:.2em .6em;border-left:3px solid var(--amber);font-size:.9rem;white-space:pre-line}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
th,td{padding:.18em .6em;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th:first-child,td:first-child,.text,.words{text-align:left}
.text{white-space:normal;min-width:8em}
.moves{width:100%}.moves th:nth-child(1){width:2.5em}.moves th:nth-child(2){width:9em}
.moves th:nth-child(3){width:3em}.moves th:nth-child(5){width:7.5em}.moves th:nth-child(6){width:24%}
.moves th:nth-child(7),.moves th:nth-child(8){width:5.5em}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(26rem,100%),1fr));gap:1rem}
.card{border:1px solid var(--rule);border-radius:6px;padding:.7rem;break-inside:avoid;min-width:0;overflow-x:auto}
.card table{font-size:.8rem}
.card th,.card td{padding:.15em .5em}.card :is(th,td):first-child{padding-left:0;white-space:normal}
.bad{color:var(--warm);font-weight:600}.meh{color:var(--amber)}
.made{font-weight:600}.level td{border-top:1px solid var(--soft)}
a{color:inherit}
code{font:.8rem ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
pre{font:.85rem/1.4 ui-monospace,monospace;white-space:pre-wrap}
button.copy{font:.75rem system-ui,sans-serif;padding:.1em .5em;cursor:pointer}
svg{width:100%;height:auto;display:block}
svg text{font:10px system-ui,sans-serif;text-anchor:middle;fill:var(--soft)}
.board{max-width:27rem}
.board .wood{fill:var(--wood)}.board .felt{fill:var(--felt)}
.board .point-a{fill:var(--dark)}.board .point-b{fill:var(--pale)}
.board .number{fill:none;stroke:#e7dccb;stroke-width:1.4}
.board .left{fill:var(--left);stroke:#d6dbe3}.board .right{fill:var(--right);stroke:#3c3630}
.board .checker{stroke-width:1.6}.board .off,.board .die,.board .sign{stroke-width:1.2}
.board .rim{fill:none;stroke-width:.7}.board .count{fill:none;stroke-width:2.4}
.board .spot{stroke:none}.board .spot.left{fill:#d6dbe3}.board .spot.right{fill:#3c3630}
.board .sign{stroke:var(--soft)}.board .on-roll{fill:var(--ink)}
.board .note{fill:none;stroke:var(--soft);stroke-width:1.5}
.board .cube{fill:#fff;stroke:#222;stroke-width:1.4}
.board .cube-number{fill:none;stroke:#222;stroke-width:2}
.board .arrow{fill:none;stroke:#18804a;stroke-width:4}.board .arrow-head{fill:#18804a}
.board .landing{fill:none;stroke:#18804a;stroke-width:2;stroke-dasharray:5 5}
.board .hit{fill:none;stroke:#cc2c24;stroke-width:4}
.bars{width:100%;max-width:48rem}.bars .track{width:32%;padding-left:0}
.bar{display:block;height:.7em;border-radius:2px}.bar.left{background:#2f6fb5}.bar.right{background:#d1652b}
.chart .rule{stroke:var(--rule);fill:none}.chart .middle{stroke:var(--soft);fill:none}
.chart .line{stroke:var(--ink);stroke-width:1.6;fill:none;stroke-linejoin:round}
.chart .axis{text-anchor:end}.chart .gameno{text-anchor:start}
.mark{stroke:var(--page)}.mark.left{fill:#2f6fb5}.mark.right{fill:#d1652b}
.room{margin:.6em 0 0;padding-bottom:1.6em;border-bottom:1px solid var(--rule);color:var(--soft);font-size:.8rem}
.answers .best{font-weight:600}
details summary{cursor:pointer}summary h2{display:inline-block;margin:.5em 0}
@media (max-width:40rem){body{padding:.6rem;font-size:15px}th,td{padding:.15em .25em}
.wide table{font-size:.8rem}.wide th,.wide td:first-child{white-space:normal}
.wide .text{min-width:4.5em}.bars .track{width:22%}.wide .chart{min-width:36rem}}
@media print{details::details-content{content-visibility:visible}:root{--ink:#000;--soft:#444;--page:#fff;--rule:#bbb;--warm:#a02000;--amber:#805000}
body{max-width:none;padding:0;font-size:10pt}.cards{grid-template-columns:repeat(2,minmax(0,1fr))}
.card,.wide{overflow:visible}.answers{break-before:page}h1{margin:0}
th,td{padding:.04em .5em}.card table{font-size:7.5pt}.card th{white-space:normal}
.card td,.card th{padding:.05em .25em}.card p{margin:.3em 0}.cards{gap:.5rem}
.card .board{max-width:15rem;margin:auto}.sheet .card .board{max-width:18rem}
a{text-decoration:none}button.copy,.links{display:none}h2{break-after:avoid}tr,svg{break-inside:avoid}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
";
