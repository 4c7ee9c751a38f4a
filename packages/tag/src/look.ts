/**
 * Styles of slots. The page's rules do not reach into a shadow root, and of two `!important` rules about
 * the host the inner one wins.
 */
const CSS = `
:host{display:block!important;visibility:visible!important;opacity:1!important;width:100%!important;height:auto!important;max-height:none!important;aspect-ratio:auto!important;padding:0!important;transform:none!important}
.box{all:initial;color-scheme:inherit;display:block;position:relative;box-sizing:border-box;width:100%;max-width:var(--room);contain-intrinsic-inline-size:var(--room,300px);container-type:inline-size;font:14px/1.4 system-ui,sans-serif}
.track{display:grid;gap:12px;grid-template-columns:repeat(var(--columns,1),minmax(0,1fr))}
.cell{display:block;position:relative;overflow:hidden;aspect-ratio:var(--ratio);border-radius:4px;background:color-mix(in srgb,CanvasText 5%,transparent);text-decoration:none;color:CanvasText}
.cell.bare{background:none}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}
img,video,iframe{position:absolute;inset:0;width:100%;height:100%;border:0;object-fit:contain}
.label{position:absolute;top:0;right:0;padding:1px 6px;border-radius:0 0 0 4px;background:#0009;color:#fff;font-size:10px;pointer-events:none}
.native{display:grid;grid-template:minmax(0,1fr) auto/1fr;background:Canvas;border:1px solid color-mix(in srgb,CanvasText 18%,transparent);border-radius:8px}
.native picture{position:relative;overflow:hidden}
.native img{object-fit:cover}
.words{padding:10px 14px 12px}
.words *{display:block}
.words span{opacity:.75;font-size:13px}
.words u{margin-top:6px}
.slider .track{display:flex;gap:0;overflow-x:auto;scroll-snap-type:x mandatory;scrollbar-width:none;border-radius:4px}
.slider .cell{flex:0 0 100%;scroll-snap-align:start;border-radius:0}
@container (max-width:560px){.grid .track{grid-template-columns:1fr 1fr}}
.cards .track{grid-template-columns:repeat(auto-fit,minmax(min(100%,220px),1fr))}
nav{position:absolute;bottom:6px;right:6px;display:flex;gap:2px;padding:2px 5px;border-radius:12px;background:#0006}
nav button{all:unset;width:20px;height:20px;border-radius:50%;background:radial-gradient(#fff9 4px,#fff0 5px);cursor:pointer}
nav [aria-current]{background:radial-gradient(#fff 4px,#fff0 5px)}
`

let sheet: CSSStyleSheet | undefined

/** A constructed style sheet, created once: no content policy forbids it. */
export function look(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
  }
  return sheet
}

interface Layout {
  /** Class name, if any. */
  readonly name: string
  readonly columns: number
  /** Empty cells shown before the answer. */
  readonly cells: number
  /** An overlay, which takes no room in the page. */
  readonly isOver: boolean
}

const layout = (name = '', columns = 1, cells = columns): Layout => ({
  name,
  columns,
  cells,
  isOver: columns === 0,
})

const LAYOUTS: Readonly<Record<string, Layout>> = {
  full_slider: layout('slider'),
  half_pair: layout('', 2),
  quarter_grid: layout('grid', 4),
  sidebar_stack: layout('', 1, 3),
  inline_card: layout('cards'),
  sticky_bar: layout('bar', 0, 1),
  popup: layout('popup', 0, 1),
  interstitial: layout('whole', 0, 1),
}

/** A layout that only a newer server knows is shown as a plain one. */
export const layoutOf = (name: string | null): Layout => LAYOUTS[name!] ?? layout()
