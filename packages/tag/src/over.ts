import { make } from './make.ts'
import { safely } from './safely.ts'

/**
 * Over the page, until its button or Escape closes it. In the top layer where there is one: neither
 * an order of layers nor a transformed parent is in its way.
 */
export function openOver(box: HTMLElement, close: () => void): void {
  const button = make('button', 'close', '×')
  button.ariaLabel = 'Close'
  const end = safely(() => {
    removeEventListener('keydown', onKey)
    close()
  })
  const onKey = safely(({ key }: KeyboardEvent) => key === 'Escape' && end())
  button.addEventListener('click', end)
  addEventListener('keydown', onKey)
  box.append(button)
  box.popover = 'manual'
  box.showPopover?.()
}
