import { make } from './make.ts'
import { safely } from './safely.ts'

const CSS = `
.over{position:fixed;z-index:2147483000;width:auto;max-width:none;container-type:normal}
.bar{inset:auto 0 0;padding:6px;background:color-mix(in srgb,Canvas 88%,transparent);backdrop-filter:blur(8px);box-shadow:0 -1px 8px #0003}
.bar .track{width:min(var(--wide),100% - 44px);margin:auto}
.popup{inset:auto 16px 16px auto;padding:10px;border-radius:12px;background:Canvas;box-shadow:0 10px 40px #0006}
.popup .track{width:min(var(--wide),420px,100vw - 52px)}
.whole{inset:0;width:100%;height:100%;background:#000c}
.whole .track{width:min(var(--wide),92vw,84vh*var(--ratio));position:absolute;top:50%;left:50%;translate:-50% -50%}
.close{all:unset;position:absolute;top:16px;right:16px;width:32px;height:32px;border-radius:50%;background:Canvas;color:CanvasText;font:20px/32px system-ui;text-align:center;cursor:pointer;box-shadow:0 1px 6px #0005}
.over .label{right:auto;left:0;border-radius:0 0 4px 0}
.bar .close{top:50%;right:8px;translate:0 -50%}
.popup .close{top:-12px;right:-8px}
`

const sheet = new CSSStyleSheet()
sheet.replaceSync(CSS)

/**
 * Covers the page until its button or Escape closes it. Uses the browser's top layer where there is one,
 * which no z-index and no transformed parent can cover.
 */
export function openOver(root: ShadowRoot, box: HTMLElement, close: () => void): void {
  root.adoptedStyleSheets = [...new Set([...root.adoptedStyleSheets, sheet])]
  const button = make('button', 'close', '×')
  button.ariaLabel = 'Close'
  const end = safely(() => {
    removeEventListener('keydown', onKey)
    close()
  })
  const onKey = safely(({ key }: KeyboardEvent) => key === 'Escape' && end())
  button.addEventListener('click', end)
  addEventListener('keydown', onKey)
  box.append(button)
  box.popover = 'manual'
  box.showPopover?.()
}
