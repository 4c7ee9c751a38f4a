/** Attributes of the script element: `<script async src="…/tag.js" data-site="…">`. */
export interface Settings {
  /** Placard's origin, which is the script's. */
  readonly origin: string
  /** With a site, all slots of the page are filled in one call, and no campaign appears twice. */
  readonly siteId: string | null
  /** The page's own id of the reader. */
  readonly userId: string | null
  /** What the page's server says about the reader, encrypted. */
  readonly contextToken: string | null
  /** How far below the screen a slot is filled ahead. */
  readonly aheadPixels: number
  /** The label on paid banners; empty for none. */
  readonly label: string
}

const AHEAD_PIXELS = 400
const ALL_PIXELS = 1_000_000

/** Undefined if the script element is not found: then we do not know Placard's address. */
export function readSettings(page: Document): Settings | undefined {
  const script = ownScript(page)
  if (!script) return undefined
  const said = (name: string) => script.getAttribute(`data-${name}`)
  return {
    origin: new URL(script.src).origin,
    siteId: said('site'),
    userId: said('user'),
    contextToken: said('context'),
    aheadPixels: said('lazy') === 'off' ? ALL_PIXELS : AHEAD_PIXELS,
    label: said('label') ?? 'Ad',
  }
}

/** A module has no current script, and a form field may shadow `currentScript`. */
function ownScript(page: Document): HTMLScriptElement | null {
  const current = page.currentScript
  return current instanceof HTMLScriptElement && current.src
    ? current
    : page.querySelector<HTMLScriptElement>('script[src*="/tag.js"]')
}
