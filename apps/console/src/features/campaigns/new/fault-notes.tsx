import { CircleAlert, Clock, Info, type LucideIcon } from 'lucide-react'
import type { BookingFault } from '../../../api/types.ts'
import { cx } from '../../../ui/cx.ts'
import { Button } from '../../../ui/button.tsx'
import { sayMoney } from '../../../ui/format/format.ts'

const LOOKS: Readonly<
  Record<
    BookingFault['severity'],
    { readonly icon: LucideIcon; readonly tone: string; readonly label: string }
  >
> = {
  refused: { icon: CircleAlert, tone: 'bg-bad-soft text-bad', label: 'To mend' },
  stuck: { icon: CircleAlert, tone: 'bg-bad-soft text-bad', label: 'To mend' },
  waits: { icon: Clock, tone: 'bg-sunken text-ink-soft', label: 'Waits' },
  advice: { icon: Info, tone: 'bg-warn-soft text-warn', label: 'Note' },
}

interface NotesProps {
  readonly faults: readonly BookingFault[]
  readonly currency: string
  readonly onMend: (fault: BookingFault) => void
}

/** What the server says about a field, each with the button that mends it. */
export function FaultNotes({ faults, currency, onMend }: NotesProps) {
  if (faults.length === 0) return null
  return (
    <ul className="flex flex-col gap-1.5" aria-live="polite">
      {faults.map((fault) => {
        const { icon: Icon, tone, label } = LOOKS[fault.severity]
        return (
          <li
            key={`${fault.path} ${fault.code}`}
            data-fault={fault.severity}
            tabIndex={-1}
            className={cx('flex flex-wrap items-start gap-2 rounded-md px-3 py-2', tone)}
          >
            <Icon className="mt-0.5 size-4 shrink-0" aria-label={label} />
            <p className="min-w-40 flex-1">{fault.message}</p>
            {fault.mend && (
              <Button onClick={() => onMend(fault)}>{sayMend(fault, currency)}</Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function sayMend({ mend }: BookingFault, currency: string): string {
  if (mend?.value) return `Bid ${sayMoney(mend.value, currency)}`
  return mend?.path.startsWith('ads/') ? 'Leave this creative out' : 'Leave this placement out'
}
