/**
 * The style and the script of a public status page. Both are in the page, so that it is one request. The colours are those of
 * `web/style/tokens.css`. `render` has the page itself.
 * Invariant: the page says the same without the script, which only keeps it up to date.
 */
import { createHash } from 'node:crypto';

export const style = `
:root{color-scheme:light dark;--canvas:light-dark(#f6f7f9,#0d1015);--surface:light-dark(#fff,#14181f);--line:light-dark(#e2e6eb,#242b35);--line-2:light-dark(#cfd5dd,#333c49);--control:light-dark(#858f9e,#6b7687);--text:light-dark(#161b22,#e8ebf0);--text-2:light-dark(#454e5c,#b1bac7);--text-3:light-dark(#5f6978,#8f99a8);--accent:light-dark(#3d4fc4,#98a5ff);--on-accent:light-dark(#fff,#12152b);--up:light-dark(#13773f,#5cc98c);--up-soft:light-dark(#e4f4ea,#14291f);--up-bar:light-dark(#429f6e,#3a8f62);--down:light-dark(#bf2330,#ff8087);--down-soft:light-dark(#fdecec,#341a1e);--down-bar:light-dark(#d5313d,#f0525c);--late:light-dark(#8f5400,#eeb04a);--late-soft:light-dark(#fdf1dc,#30250f);--late-bar:light-dark(#c98010,#e0a030);--none:light-dark(#5f6978,#8f99a8);--none-soft:light-dark(#eef0f3,#1f252e);--none-bar:light-dark(#858f9e,#6b7687)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--text);font:.875rem/1.25rem -apple-system,"Segoe UI",Inter,Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;overflow-wrap:anywhere}
h1,h2,h3,p,ol,ul{margin:0;padding:0}
ol,ul{list-style:none}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.faint{color:var(--text-3);font-size:.75rem;line-height:1rem}
header{background:var(--surface);border-bottom:1px solid var(--line)}
header>div,main,footer{max-width:832px;margin:0 auto;padding:0 16px}
header>div{display:flex;align-items:center;gap:12px;min-height:64px;padding-top:8px;padding-bottom:8px}
header h1{flex:1;font-size:1rem;line-height:1.5rem;font-weight:600}
header img{max-width:160px;height:32px;border-radius:6px;object-fit:contain}
.button{display:inline-flex;align-items:center;gap:8px;min-height:32px;padding:0 14px;border:1px solid var(--line-2);border-radius:6px;background:var(--surface);color:var(--text);font-size:.8125rem;font-weight:600;text-decoration:none}
main{padding-top:24px;padding-bottom:16px;display:grid;grid-template-columns:minmax(0,1fr);gap:16px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:10px;box-shadow:0 1px 2px light-dark(#161b220d,#00000040)}
.banner{display:flex;align-items:center;gap:16px;padding:20px}
.banner h2{font-size:1.25rem;line-height:1.75rem;font-weight:600}
.banner p{color:var(--text-2)}
.banner>div:nth-of-type(1){flex:1}
.banner .faint{text-align:right;color:var(--text-2);white-space:nowrap}
.banner.up{background:var(--up-soft);border-color:var(--up-bar)}
.banner.late{background:var(--late-soft);border-color:var(--late-bar)}
.banner.maintenance{border-color:var(--accent)}
.banner.down{background:var(--down-soft);border-color:var(--down-bar)}
svg{flex:none}
.mark.up{color:var(--up)}.mark.late{color:var(--late-bar)}.mark.down{color:var(--down-bar)}.mark.none,.mark.waiting,.mark.paused{color:var(--none)}.mark.maintenance{color:var(--accent)}
.mark.up .fill{fill:var(--up-soft)}.mark.maintenance .fill{fill:none}.mark .over{stroke:var(--surface)}
.incident{padding:16px 20px;border-left:3px solid var(--down-bar)}
.incident.late{border-left-color:var(--late-bar)}
.line{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px}
.line h3{flex:1 1 auto;font-size:1rem;line-height:1.5rem;font-weight:600}
.line .faint{margin-left:auto}
.chip{padding:2px 8px;border-radius:99px;background:var(--down-soft);color:var(--down);font-size:.75rem;line-height:1rem;font-weight:600}
.updates{margin-top:12px;display:grid;gap:12px}
.updates li{position:relative;padding-left:20px;color:var(--text-2)}
.updates li::before{content:"";position:absolute;left:0;top:6px;width:9px;height:9px;border:2px solid var(--control);border-radius:50%}
.updates li:first-child::before{background:var(--down-bar);border-color:var(--down-bar)}
.resolved .updates li:first-child::before{background:var(--up-bar);border-color:var(--up-bar)}
.updates strong{color:var(--text);font-weight:600}
.updates p{white-space:pre-line;overflow-wrap:anywhere}
.affected{margin-top:8px;color:var(--text-2)}
.services>li{padding:14px 20px;border-top:1px solid var(--line)}
.services>li:first-child{border-top:0}
.services h3{flex:1 1 auto;font-size:.875rem;line-height:1.25rem;font-weight:600}
.services .line{align-items:flex-start}.services .line>div{flex:1;display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px}
.state{font-size:.8125rem;font-weight:500}
.state.up{color:var(--up)}.state.late{color:var(--late)}.state.down{color:var(--down)}.state.none,.state.waiting,.state.paused{color:var(--none)}.state.maintenance{color:var(--text-2)}
.bars{display:block;width:100%;height:24px;margin:8px 0 4px}
.bars .up{fill:var(--up-bar)}.bars .late{fill:var(--late-bar)}.bars .down{fill:var(--down-bar)}.bars .none{fill:var(--none-bar)}
.bars{overflow:visible}.bars rect:focus{outline:2px solid var(--accent);outline-offset:1px}.services>li{position:relative}
.tip{position:absolute;z-index:1;max-width:calc(100% - 8px);padding:4px 8px;border-radius:6px;background:var(--text);color:var(--surface);font-size:.75rem;line-height:1rem;pointer-events:none}
.scale{overflow-wrap:break-word;display:flex;align-items:center;gap:12px;color:var(--text-3);font-size:.75rem;line-height:1rem}
.scale i{flex:1;height:1px;background:var(--line)}
.scale b{color:var(--text-2);font-weight:500}
details{margin-top:8px}
summary{width:fit-content;min-height:24px;color:var(--accent);font-size:.75rem;line-height:1.5rem;cursor:pointer;border-radius:4px}
table{margin-top:4px;border-collapse:collapse;font-size:.75rem;line-height:1rem}
th,td{padding:4px 24px 4px 0;text-align:left;font-weight:400;font-variant-numeric:tabular-nums}
thead th{color:var(--text-3)}
h2.over,.over h2{font-size:.875rem;line-height:1.25rem;font-weight:600}
h2.over,div.over{margin-top:8px}
div.over{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:4px 16px;margin-bottom:-8px}
h2.over{margin-bottom:-8px}
.past>li{padding:12px 20px;border-top:1px solid var(--line)}
.past>li:first-child{border-top:0}
.past .line h3{flex:1;font-size:.875rem;line-height:1.25rem}
.past time{width:92px;color:var(--text-3);font-size:.8125rem}
.past .after{display:flex;align-items:center;gap:8px;color:var(--text-2);font-size:.8125rem}
.legend{display:flex;flex-wrap:wrap;gap:8px 16px;color:var(--text-3);font-size:.75rem;line-height:1rem}
.legend li{display:flex;align-items:center;gap:6px}
.legend svg .up{fill:var(--up-bar)}.legend svg .late{fill:var(--late-bar)}.legend svg .down{fill:var(--down-bar)}.legend svg .none{fill:var(--none-bar)}
footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:16px;padding-bottom:40px}
footer>span{margin-left:auto;display:flex;align-items:center;gap:8px}
form{max-width:360px;padding:24px;display:grid;gap:12px}
input{width:100%;min-height:40px;padding:0 12px;border:1px solid var(--control);border-radius:6px;background:var(--surface);color:var(--text);font:inherit;font-size:1rem}
form button{min-height:40px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
.wrong{color:var(--down)}
@media(max-width:767px){.banner{flex-wrap:wrap;padding:16px;gap:12px}.banner>div:nth-of-type(1){flex:1 1 200px}.banner .faint{flex-basis:100%;text-align:left}.services>li,.incident,.past>li{padding-left:16px;padding-right:16px}.button,summary{min-height:40px;line-height:2.5rem}.services details:not([open]){margin:0 0 -12px}.past .line h3{flex-basis:calc(100% - 112px)}.line .faint{margin-left:0;flex-basis:100%}}
`;

/**
 * Reloads the page once a minute, while it is visible and nothing in it is open or focused: a reload would close that. The days
 * of a service are one stop of the Tab key; the arrow keys, Home and End go from day to day and show the day in words, and
 * Escape hides that. Without the script the bars are one picture with a name, and the days with trouble are in the table.
 */
export const script = `
const bars=".bars rect",tip=document.createElement("div");tip.className="tip";tip.setAttribute("aria-hidden","true");
const stop=r=>{r.setAttribute("role","img");r.setAttribute("tabindex","0")};
const begin=()=>{for(const s of document.querySelectorAll(".bars"))if(s.lastElementChild){s.setAttribute("role","group");stop(s.lastElementChild)}};
const show=r=>{const s=r.parentNode,l=s.parentNode;tip.textContent=r.textContent;l.append(tip);const b=r.getBoundingClientRect(),o=l.getBoundingClientRect();
tip.style.left=Math.max(4,Math.min(o.width-tip.offsetWidth-4,b.left+b.width/2-o.left-tip.offsetWidth/2))+"px";tip.style.top=s.getBoundingClientRect().top-o.top-tip.offsetHeight-4+"px"};
addEventListener("focusin",e=>{if(e.target.matches(bars))show(e.target)});
addEventListener("focusout",()=>tip.remove());
addEventListener("keydown",e=>{const r=e.target;if(e.ctrlKey||e.metaKey||e.altKey||!r.matches(bars))return;if(e.key==="Escape")return tip.remove();
const all=[...r.parentNode.children],at=all.indexOf(r),n=all[{ArrowLeft:at-1,ArrowRight:at+1,Home:0,End:all.length-1}[e.key]];if(!n)return;e.preventDefault();if(n===r)return;stop(n);n.focus();r.setAttribute("tabindex","-1")});
setInterval(async()=>{const m=document.querySelector("main");if(document.hidden||m.contains(document.activeElement)||m.querySelector("details[open]"))return;
try{const r=await fetch(location.href,{cache:"no-cache"});if(!r.ok)return;const d=new DOMParser().parseFromString(await r.text(),"text/html"),n=d.querySelector("main");if(n){m.replaceWith(n);document.title=d.title;begin()}}catch{}},60000);
begin();
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
