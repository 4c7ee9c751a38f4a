import { PlacardProblem } from '@placard/client'
import type { ReactNode } from 'react'
import { sayCount } from '../../../ui/format/format.ts'
import { inLabels } from '../../../ui/format/words.ts'

interface FaultsProps {
  readonly error: unknown
  /** For an error that is not about lines. */
  readonly otherwise: ReactNode
}

/** Every fault of a file, by line and column. */
export function ImportFaults({ error, otherwise }: FaultsProps) {
  if (!(error instanceof PlacardProblem)) return otherwise
  const faults = error.faults.filter(({ path }) => path.startsWith('line '))
  if (faults.length === 0) return otherwise
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className="font-medium text-bad">
        {faults.length === 1 ? 'One cell is wrong' : `${sayCount(faults.length)} cells are wrong`}.
        Nothing was imported.
      </p>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the focus
        tabIndex={0}
        role="region"
        aria-label="Faults"
        className="max-h-[40dvh] overflow-y-auto rounded-md border"
      >
        <ul>
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`} className="px-3 py-1.5 not-last:border-b">
              <span className="font-medium">{path.replace(/^l/, 'L')}</span> {inLabels(message)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
