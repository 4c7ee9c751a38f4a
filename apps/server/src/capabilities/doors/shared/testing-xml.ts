import { createRequire } from 'node:module'

/** What tests read of a parsed document. The parser's own types would bring a browser's globals. */
export interface XmlNode {
  readonly nodeName: string
  readonly nodeType: number
  readonly textContent: string
  readonly childNodes: ArrayLike<XmlNode>
  getAttribute(name: string): string
}

interface XmlParser {
  parseFromString(xml: string, type: 'text/xml'): { readonly documentElement: XmlNode }
}

interface XmlParserModule {
  readonly DOMParser: new (options: object) => XmlParser
}

const { DOMParser }: XmlParserModule = createRequire(import.meta.url)('@xmldom/xmldom')

const fail = (message: string) => {
  throw new Error(message)
}

/** Throws at anything that is not well formed. */
export function parseXml(xml: string): XmlNode {
  const errorHandler = { warning: fail, error: fail, fatalError: fail }
  return new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml').documentElement
}

const ELEMENT = 1
export const CDATA = 4

export const childrenOf = (element: XmlNode): XmlNode[] =>
  Array.from(element.childNodes).filter(({ nodeType }) => nodeType === ELEMENT)

/** The element and all within it. */
export const allIn = (element: XmlNode): XmlNode[] => [
  element,
  ...childrenOf(element).flatMap(allIn),
]

export const named = (element: XmlNode, name: string): XmlNode[] =>
  allIn(element).filter(({ nodeName }) => nodeName === name)
