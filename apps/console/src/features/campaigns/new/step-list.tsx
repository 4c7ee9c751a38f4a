import { cx } from '../../../ui/cx.ts'
import { type Step, STEPS } from './draft.ts'

export const TITLES: Readonly<Record<Step, { readonly title: string; readonly hint: string }>> = {
  goal: { title: 'Objective', hint: 'What should the campaign achieve?' },
  budget: { title: 'Budget', hint: 'How much, and how fast?' },
  audience: { title: 'Audience', hint: 'Who should see the ads?' },
  creative: { title: 'Creative', hint: 'Which creatives should run?' },
  where: { title: 'Placements', hint: 'Where should the ads run?' },
  review: { title: 'Review', hint: 'Check everything before you start' },
}

interface ListProps {
  readonly open: Step
  readonly onOpen: (step: Step) => void
}

/** On a phone the list scrolls: the open step is kept in sight. */
const showOpen = (button: HTMLButtonElement | null) =>
  button?.scrollIntoView({ inline: 'center', block: 'nearest' })

export function StepList({ open, onOpen }: ListProps) {
  return (
    <ol className="flex gap-1 overflow-x-auto pb-1">
      {STEPS.map((step, place) => (
        <li key={step} className="flex-1">
          <button
            type="button"
            ref={step === open ? showOpen : undefined}
            aria-current={step === open ? 'step' : undefined}
            onClick={() => onOpen(step)}
            className={cx(
              'flex w-full items-center gap-2 border-t-2 px-1 py-2 text-left whitespace-nowrap',
              place <= STEPS.indexOf(open) ? 'border-accent' : 'border-line-strong',
              step === open ? 'font-semibold' : 'text-ink-faint hover:text-ink',
            )}
          >
            <span className="figures">{place + 1}</span> {TITLES[step].title}
          </button>
        </li>
      ))}
    </ol>
  )
}
