/** Values of the macros that advertisers' markup and notices may contain. */
export type MacroValues = Readonly<Record<string, string | undefined>>

/** `${AUCTION_PRICE}` of OpenRTB, and `{clickUrl}` of our own. */
const MACRO = /\$\{(AUCTION_[A-Z_]+)(?::[A-Z0-9]+)?\}|\{([a-z]\w{1,30})\}/g

/**
 * Replaces the macros that have a value. A macro of OpenRTB without one becomes empty: left
 * literal, it would reach the network. Other text in braces belongs to the markup.
 */
export const fillMacros = (text: string, values: MacroValues): string =>
  text.includes('{')
    ? text.replaceAll(MACRO, (whole, auction?: string, own?: string) => {
        if (auction !== undefined) return values[auction] ?? ''
        return own !== undefined && Object.hasOwn(values, own) ? (values[own] ?? '') : whole
      })
    : text
