const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const SPECIAL = /[&<>"']/

/** Escapes text for use between tags and in quoted attributes of HTML and XML. */
export const escaped = (text: string): string =>
  !SPECIAL.test(text) ? text : text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

/** An invisible picture of one pixel. */
export const pixel = (url: string): string =>
  `<img src="${escaped(url)}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`

const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms'

/**
 * Inside the frame, a click outside the banner's own links opens the landing page, as in the tag's
 * frame.
 */
const followClicks = (url: string) =>
  `<script>addEventListener('click',function(e){if(!e.target.closest('a,button,input,select,textarea,label,video,audio'))open(${scriptText(url)},'_blank','noopener')})</script>`

/** A JSON string that cannot end the script. */
const scriptText = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c')

export interface Framed {
  readonly markup: string
  readonly title: string
  readonly width: number | undefined
  readonly height: number | undefined
  readonly clickUrl: string | undefined
}

/**
 * Puts an advertiser's markup in a frame without an origin. Its scripts reach neither the page nor
 * Placard.
 */
export function framed({ markup, title, width, height, clickUrl }: Framed): string {
  const style = '<style>html,body{margin:0;height:100%;overflow:hidden}</style>'
  const document = `<!doctype html><base target="_blank">${style}${markup}${clickUrl === undefined ? '' : followClicks(clickUrl)}`
  const size = `width="${width ?? '100%'}" height="${height ?? '100%'}"`
  return `<iframe sandbox="${SANDBOX}" title="${escaped(title)}" ${size} style="border:0;display:block" scrolling="no" srcdoc="${escaped(document)}"></iframe>`
}
