/** Other schemes can run code in the page that shows the link, so operators allow them one by one. */
export const WEB_SCHEMES: ReadonlySet<string> = new Set(['http', 'https'])

/** Schemes that nobody may allow: they run code or read files. */
export const NEVER_SCHEMES = ['javascript', 'data', 'vbscript', 'file', 'blob', 'about'] as const

/** True for a complete address, `scheme://…`, with one of these schemes. */
export function isLink(text: string, schemes: ReadonlySet<string> = WEB_SCHEMES): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? []
  return scheme !== undefined && schemes.has(scheme.toLowerCase()) && URL.canParse(text)
}
