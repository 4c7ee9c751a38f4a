import { Button } from '../../../ui/button.tsx'
import { fieldLabel } from '../../../ui/format/words.ts'
import type { Conflicting } from './merged-values.ts'

interface ConflictProps {
  readonly fields: readonly Conflicting[]
  /** Their values for what they changed, yours for the rest. */
  readonly onTheirs: () => void
  /** Yours for what you changed, theirs for the rest. */
  readonly onMine: () => void
}

/** Somebody saved while the form was open: both versions side by side. */
export function Conflict({ fields, onTheirs, onMine }: ConflictProps) {
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-md bg-warn-soft p-3">
      <p className="font-medium text-warn">Somebody saved this campaign while you were editing.</p>
      {fields.length > 0 && (
        <table className="w-full table-fixed text-left">
          <thead className="text-xs text-ink-soft">
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, mine, theirs }) => (
              <tr key={field}>
                <th scope="row" className="pr-2 font-normal">
                  {fieldLabel(field)}
                </th>
                <td className="truncate pr-2">{mine || 'none'}</td>
                <td className="truncate">{theirs || 'none'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onTheirs}>Load theirs</Button>
        <Button onClick={onMine}>Keep mine</Button>
      </div>
    </div>
  )
}
