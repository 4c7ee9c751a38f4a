import { askOneAtATime, type createCaller, type Filling } from './calls.ts'
import { type CellDeps, createCell, pictureOf } from './cell.ts'
import { layoutOf, look } from './look.ts'
import { make } from './make.ts'
import { loadPart } from './part.ts'
import { furnish, makeRoom, type Size } from './room.ts'
import { safely } from './safely.ts'
import { slide } from './slide.ts'

/**
 * A slot is
 *   waiting  its space is reserved, its ads are on their way
 *   filled   with at least one banner
 *   fallback with the placement's placeholder, or with what the page wrote into the element
 *   empty    without an ad
 *   failed   as empty: Placard did not answer, or does not know the placement
 *   closed   by the reader
 */
type State = 'waiting' | 'filled' | 'fallback' | 'empty' | 'failed' | 'closed'

export interface SlotDeps extends CellDeps {
  readonly caller: ReturnType<typeof createCaller>
}

export interface Slot {
  readonly slug: string
  /** Asks for ads unless a call is under way. Current ads stay until new ones arrive. */
  fill(): void
  /** Asks again: the answer to a call under way is then outdated. */
  refresh(): void
}

const REFRESH_SECONDS_MIN = 30
const LOOK_AGAIN_MS = 1_000

/** Takes over an element of the page; its content is ours from now on. */
export function openSlot(deps: SlotDeps, element: HTMLElement, slug: string): Slot {
  const said = (name: string) => element.getAttribute(`data-${name}`)
  const numberOf = (name: string) => Number(said(name)) || undefined
  const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  const size = sizeOf(said('size'))
  const layoutSaid = said('layout')
  const count = numberOf('count')
  let state: State

  const put = (next: State, ...content: Node[]) => {
    state = next
    root.replaceChildren(...content)
    element.setAttribute('data-placard-state', next)
    const detail = { slot: slug, state }
    element.dispatchEvent(new CustomEvent('placard', { bubbles: true, detail }))
  }
  const keepRoom = (next: State) => {
    if (!size || layoutOf(layoutSaid).isOver) return put(next)
    const room = makeRoom({ layoutType: layoutSaid, size, count })
    if (next !== 'waiting') furnish(room, [])
    put(next, room.box)
  }
  /** Keeps the space if removing it would make the page jump in view. */
  const giveUp = (next: 'empty' | 'failed') => {
    if (element.childNodes.length > 0) put('fallback', make('slot'))
    else if (element.getBoundingClientRect().top >= innerHeight) put(next)
    else keepRoom(next)
  }
  const show = (filling: Filling) => {
    const { recommendedWidth, recommendedHeight, banners } = filling
    const layoutType = filling.layoutType ?? layoutSaid
    const { name, isOver } = layoutOf(layoutType)
    const room = makeRoom({
      layoutType,
      size: size ?? { width: recommendedWidth ?? 0, height: recommendedHeight ?? 0 },
      // With a size the page has already reserved the space, and keeps it.
      count: size && !isOver ? count : 1,
    })
    const onBroken = (isCovered: boolean) =>
      isCovered ? put('fallback', room.box) : giveUp('failed')
    furnish(room, cellsOf(deps, filling, { onSeen, onBroken }))
    const place = () => put(banners.length > 0 ? 'filled' : 'fallback', room.box)
    if (isOver) void putOver(room.box, place)
    else place()
    if (name === 'slider' && banners.length > 1) slide(room, banners)
  }
  const putOver = (box: HTMLElement, place: () => void) =>
    loadPart(deps.settings, 'over')
      .then(({ openOver }) => (place(), openOver(root, box, () => put('closed'))))
      .catch(() => giveUp('failed'))
  const onSeen = refreshSeen(deps, element, () => fill())
  const { fill, refresh } = askOneAtATime(deps.caller, {
    slug,
    count,
    isClosed: () => state === 'closed',
    onAnswer(filling) {
      if (filling && (filling.banners.length > 0 || filling.placeholderUrl)) show(filling)
      else if (state !== 'filled') giveUp(filling ? 'empty' : 'failed')
    },
  })

  root.adoptedStyleSheets = [look()]
  keepRoom('waiting')
  return { slug, fill, refresh }
}

/** Refreshes only banners that were viewed, and only in a visible tab. Call at each view. */
function refreshSeen({ watcher }: SlotDeps, element: HTMLElement, fill: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (ms: number) => setTimeout(replace, ms)
  const replace = safely(() => {
    timer = undefined
    if (watcher.isInView(element)) fill()
    else if (element.isConnected) timer = later(LOOK_AGAIN_MS)
  })
  return () => {
    const seconds = Number(element.getAttribute('data-refresh'))
    // The other banners of a slider are seen later; the first one has set the time.
    if (seconds) timer ??= later(Math.max(seconds, REFRESH_SECONDS_MIN) * 1_000)
  }
}

interface CellsEvents {
  onSeen(): void
  /** No banner could be loaded. `isCovered`: a placeholder replaces one. */
  onBroken(isCovered: boolean): void
}

/** A cell for each banner; left-over space shows the placeholder. */
function cellsOf(deps: SlotDeps, filling: Filling, { onSeen, onBroken }: CellsEvents) {
  const { banners, placeholderUrl } = filling
  let sound = banners.length
  let covered = 0
  const tell = () => sound > 0 || onBroken(covered > 0)
  const cells = banners.map((banner) => {
    const cell = createCell(deps, banner, {
      onSeen,
      onBroken() {
        const url = banner.fallbackPlaceholderUrl
        sound--
        if (url) {
          covered++
          cell.replaceWith(placeholderOf(deps, url, () => covered-- && tell()))
        } else cell.style.visibility = 'hidden'
        tell()
      },
    })
    return cell
  })
  return placeholderUrl ? [...cells, placeholderOf(deps, placeholderUrl)] : cells
}

/** A picture that is not an ad: not counted and without a link. */
function placeholderOf(deps: SlotDeps, primary: string, onBroken = () => {}): HTMLElement {
  const cell = make('div', 'cell bare')
  pictureOf(deps, cell, { primary }).addEventListener(
    'error',
    safely(() => {
      cell.style.visibility = 'hidden'
      onBroken()
    }),
  )
  return cell
}

function sizeOf(text: string | null): Size | undefined {
  const [width, height] = (text ?? '').split('x').map(Number)
  return width && height ? { width, height } : undefined
}
