const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is safe between tags and in quoted attributes, of HTML and of XML. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

/** A picture of one point that nobody sees. */
export const pixel = (url: string): string =>
  `<img src="${escaped(url)}" width="1" height="1" alt="" style="position:absolute;visibility:hidden">`

const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms'

/** In the frame a click on what is no link of its own goes where the ad leads, as in the tag's frame. */
const followClicks = (url: string) =>
  `<script>addEventListener('click',function(e){if(!e.target.closest('a,button,input,select,textarea,label,video,audio'))open(${scriptText(url)},'_blank','noopener')})</script>`

/** Nothing in it ends the script. */
const scriptText = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c')

export interface Framed {
  readonly markup: string
  readonly title: string
  readonly width: number | undefined
  readonly height: number | undefined
  readonly clickUrl: string | undefined
}

/** Markup of an advertiser, in a frame without an origin: its scripts reach neither the page nor Placard. */
export function framed({ markup, title, width, height, clickUrl }: Framed): string {
  const style = '<style>html,body{margin:0;height:100%;overflow:hidden}</style>'
  const document = `<!doctype html><base target="_blank">${style}${markup}${clickUrl === undefined ? '' : followClicks(clickUrl)}`
  const size = `width="${width ?? '100%'}" height="${height ?? '100%'}"`
  return `<iframe sandbox="${SANDBOX}" title="${escaped(title)}" ${size} style="border:0;display:block" scrolling="no" srcdoc="${escaped(document)}"></iframe>`
}
