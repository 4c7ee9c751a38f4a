import type { Banner } from './calls.ts'
import { make } from './make.ts'
import type { Reporter } from './report.ts'
import { safely } from './safely.ts'
import type { Settings } from './settings.ts'
import type { Watcher } from './watch.ts'

export interface CellDeps {
  readonly settings: Settings
  readonly reporter: Reporter
  readonly watcher: Watcher
}

export interface CellEvents {
  onSeen(): void
  onBroken(): void
}

const SEEN_MS = 1_000
const SEEN_VIDEO_MS = 2_000
const NARROW = '(max-width: 640px)'

/** One banner. Counted once it is loaded and on the screen. */
export function createCell(deps: CellDeps, banner: Banner, events: CellEvents): HTMLElement {
  const cell = make('a', banner.format === 'native' ? 'cell native' : 'cell')
  if (banner.bgColor && banner.format !== 'native') cell.style.background = banner.bgColor
  const content = contentOf(deps, banner, cell)
  content.addEventListener(
    content instanceof HTMLVideoElement ? 'loadeddata' : 'load',
    safely(() => count(deps, banner, { cell, content, onSeen: events.onSeen })),
    { once: true },
  )
  content.addEventListener('error', safely(events.onBroken), { once: true })
  if (deps.settings.label && banner.campaignPublicId) {
    cell.append(make('span', 'label', deps.settings.label))
  }
  return cell
}

interface Shown {
  readonly cell: HTMLElement
  readonly content: HTMLElement
  onSeen(): void
}

function count({ watcher, reporter }: CellDeps, banner: Banner, { cell, content, onSeen }: Shown) {
  const { eventToken } = banner
  if (!eventToken) return
  const film = content instanceof HTMLVideoElement ? content : undefined
  watcher.watch({
    element: cell,
    holdMs: film ? SEEN_VIDEO_MS : SEEN_MS,
    isRunning: () => !film?.paused,
    onShown: () => reporter.report(eventToken, 'impression'),
    onSeen() {
      reporter.report(eventToken, 'view')
      onSeen()
    },
  })
}

/** What must load before the banner counts as shown. */
function contentOf(deps: CellDeps, banner: Banner, cell: HTMLAnchorElement): HTMLElement {
  if (banner.html) return frameOf(deps, banner, cell)
  link(banner, cell)
  if (banner.videoUrl) return filmOf(deps, banner, cell)
  const image = pictureOf(deps, cell, {
    ...banner.images,
    alt: banner.images.alt || banner.headline,
  })
  if (banner.format === 'native') cell.append(wordsOf(banner))
  return image
}

interface Images {
  readonly primary: string
  readonly mobile?: string | null
  readonly alt?: string | null
}

export function pictureOf(deps: CellDeps, cell: HTMLElement, { primary, mobile, alt }: Images) {
  const picture = make('picture')
  const image = make('img')
  if (mobile) {
    const source = make('source')
    source.media = NARROW
    source.srcset = addressOf(deps, mobile)
    picture.append(source)
  }
  image.alt = alt ?? ''
  image.src = addressOf(deps, primary)
  picture.append(image)
  cell.append(picture)
  return image
}

const addressOf = ({ settings }: CellDeps, url: string) => new URL(url, settings.origin).href

function link({ clickUrl, cta }: Banner, cell: HTMLAnchorElement): void {
  if (!clickUrl || !cta.url) return
  cell.href = clickUrl
  cell.rel = 'noopener nofollow sponsored'
  if (cta.openNewTab) cell.target = '_blank'
}

function filmOf(deps: CellDeps, { videoUrl, images }: Banner, cell: HTMLElement) {
  const film = make('video')
  film.muted = true
  film.autoplay = true
  film.loop = true
  film.playsInline = true
  film.poster = addressOf(deps, images.primary)
  film.src = addressOf(deps, videoUrl!)
  cell.append(film)
  return film
}

function wordsOf({ headline, subheadline, description, cta }: Banner): HTMLElement {
  const words = make('div', 'words')
  if (headline) words.append(make('b', '', headline))
  const more = subheadline ?? description
  if (more) words.append(make('span', '', more))
  if (cta.label) words.append(make('u', '', cta.label))
  return words
}

const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms'

/**
 * Third-party markup, in a frame without an origin: it reaches neither the page nor Placard. The frame
 * loads an address of ours instead of a `srcdoc`, which would inherit the page's content policy.
 */
function frameOf({ settings, reporter }: CellDeps, banner: Banner, cell: HTMLElement) {
  const { html, clickUrl = '' } = banner
  const frame = make('iframe')
  frame.setAttribute('sandbox', SANDBOX)
  frame.title = banner.headline ?? settings.label
  frame.src = `${settings.origin}/tag-frame`
  frame.addEventListener(
    'load',
    safely(() => {
      const markup = html!.replaceAll('{clickUrl}', clickUrl)
      frame.contentWindow?.postMessage({ placard: markup, click: clickUrl }, '*')
    }),
    { once: true },
  )
  addEventListener(
    'message',
    safely(({ source, data }: MessageEvent) => {
      if (source === frame.contentWindow && data === 'placard-click' && clickUrl) {
        // The last part of the click address is its token.
        reporter.report(clickUrl.slice(clickUrl.lastIndexOf('/') + 1), 'click')
      }
    }),
  )
  cell.append(frame)
  return frame
}
