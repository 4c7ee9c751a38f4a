import { layoutOf } from './look.ts'
import { make } from './make.ts'

/** The space that a slot's banners stand in. */
export interface Room {
  readonly box: HTMLElement
  readonly track: HTMLElement
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface RoomPlan {
  readonly layoutType: string | null
  readonly size: Size
  /** Number of banners the page expects. */
  readonly count: number | undefined
}

const GAP = 12
const WIDTH_UNKNOWN = 320

/** The space with empty cells, of the same size before and after the ads arrive. */
export function makeRoom({ layoutType, size: { width, height }, count }: RoomPlan): Room {
  const { name, cells, columns, isOver } = layoutOf(layoutType)
  const standing = name === 'slider' ? 1 : (count ?? cells)
  const across = name === 'cards' ? standing : columns
  const box = make('div', `box ${isOver ? 'over ' : ''}${name}`)
  const track = make('div', 'track')
  const set = (property: string, value: string | number) =>
    box.style.setProperty(property, `${value}`)
  if (across) set('--columns', across)
  set('--ratio', width && height ? width / height : 'auto')
  set('--wide', `${width || WIDTH_UNKNOWN}px`)
  if (width) set('--room', `${across * width + (across - 1) * GAP}px`)
  for (let at = 0; at < standing; at++) track.append(make('div', 'cell'))
  box.append(track)
  return { box, track }
}

/** Puts banners into the empty cells and appends the rest. Left-over cells stay bare. */
export function furnish({ track }: Room, cells: readonly HTMLElement[]): void {
  const kept = [...track.children]
  for (const cell of kept) cell.className = 'cell bare'
  track.replaceChildren(...cells, ...kept.slice(cells.length))
}
