import { make } from './make.ts'
import { safely } from './safely.ts'

/**
 * Covers the page until its button or Escape closes it. Uses the browser's top layer where there is one,
 * which no z-index and no transformed parent can cover.
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
