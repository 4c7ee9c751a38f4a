/** What the page says on the script: `<script async src="…/tag.js" data-site="…">`. */
export interface Settings {
  /** Where Placard is: where the script came from. */
  readonly origin: string
  /** With a site all slots of the page are filled together, and no campaign comes twice. */
  readonly siteId: string | null
  /** The page's own id of its reader. */
  readonly userId: string | null
  /** What the page's server knows of the reader, sealed. */
  readonly contextToken: string | null
  /** How far below the screen a slot is filled already. */
  readonly aheadPixels: number
  /** The word on paid banners; empty for none. */
  readonly label: string
}

const AHEAD_PIXELS = 400
const ALL_PIXELS = 1_000_000

/** Undefined where the script can't be found: then there is nobody to ask for ads. */
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

/** A module has no current script, and a form field may have taken the name. */
function ownScript(page: Document): HTMLScriptElement | null {
  const current = page.currentScript
  return current instanceof HTMLScriptElement && current.src
    ? current
    : page.querySelector<HTMLScriptElement>('script[src*="/tag.js"]')
}
