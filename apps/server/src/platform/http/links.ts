/** Other schemes can run code in the page that shows the link: they are allowed one by one. */
export const WEB_SCHEMES: ReadonlySet<string> = new Set(['http', 'https'])

/** These can do nothing else. */
export const NEVER_SCHEMES = ['javascript', 'data', 'vbscript', 'file', 'blob', 'about'] as const

/** Whether the text is a whole address, `scheme://…`, of one of these schemes. */
export function isLink(text: string, schemes: ReadonlySet<string> = WEB_SCHEMES): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? []
  return scheme !== undefined && schemes.has(scheme.toLowerCase()) && URL.canParse(text)
}
