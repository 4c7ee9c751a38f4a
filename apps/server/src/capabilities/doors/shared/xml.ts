/** Writes XML as text. Everything outside of tags is ASCII, so no reader can mistake the encoding. */

export type Attributes = Readonly<Record<string, string | number | undefined>>

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Control characters and halves of surrogate pairs: XML 1.0 has no place for them, not even escaped. */
const FORBIDDEN = /\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu
const SPECIAL = /[&<>"]|[^ -~]/gu

/** Text between tags and in attributes. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(FORBIDDEN, ' ')
    .replaceAll(SPECIAL, (character) => ESCAPES[character] ?? `&#${character.codePointAt(0)!};`)

/** Would end a CDATA section, or is nothing that an address may hold as it is. */
const NOT_IN_ADDRESSES = /\]\]>|[^!-~]/gu

/**
 * An address as one CDATA node without space around it: some players read nothing else. Its brackets
 * stay, because they mark macros.
 */
export const xmlAddress = (url: string): string =>
  `<![CDATA[${url.replaceAll(FORBIDDEN, '').replaceAll(NOT_IN_ADDRESSES, encodeURIComponent)}]]>`

/** `content` is XML already. Attributes without a value are left out. */
export function xmlElement(name: string, content: string, attributes: Attributes = {}): string {
  let tag = name
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${xmlText(String(value))}"`
  }
  return content === '' ? `<${tag}/>` : `<${tag}>${content}</${name}>`
}
