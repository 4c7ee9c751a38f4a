import type { Explained } from '@placard/contract/explain'
import { NO_CURRENCY } from '@placard/money'
import { Lightbulb, Trophy } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { cx } from '../../ui/cx.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { sayCount, sayMoney, sayWord } from '../../ui/format/format.ts'
import { Fact } from '../../ui/layout/fact.tsx'
import { EmptyState } from '../../ui/layout/states.tsx'
import { funnelOf, type Stage } from './funnel.ts'
import { readerFacts } from './reader.ts'

type Candidate = Explained['candidates'][number]

/** An explanation as a chart, as text and as a list of candidates. */
export function Explanation({ explained }: { readonly explained: Explained }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {explained.requirements && (
        <Requirements requirements={explained.requirements} currency={explained.currency} />
      )}
      <Winners explained={explained} />
      <Card title="Reader" hint="What the decision knew about them">
        <dl className="grid gap-x-6 sm:grid-cols-2">
          {readerFacts(explained).map(({ name, value }) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      </Card>
      <Card
        title="Where candidates were filtered out"
        hint="Each bar shows the candidates left after the check"
      >
        <ol className="flex flex-col gap-3">
          {funnelOf(explained).map((stage, _place, all) => (
            <StageRow key={stage.name} stage={stage} total={all[0]!.came} />
          ))}
        </ol>
      </Card>
      <Card
        title="All candidates"
        hint={
          explained.omittedCandidates > 0
            ? `${sayCount(explained.omittedCandidates)} more are not listed`
            : undefined
        }
        isFlush
      >
        <DataTable
          label="Candidates"
          columns={COLUMNS}
          rows={explained.candidates}
          keyOf={(candidate) =>
            `${candidate.kind} ${candidate.ad?.id ?? ''} ${candidate.banner?.id ?? ''} ${candidate.campaign?.id ?? ''}`
          }
          empty={<EmptyState title="No candidates" text="No campaign runs on this placement." />}
        />
      </Card>
    </div>
  )
}

interface RequirementsProps {
  readonly requirements: NonNullable<Explained['requirements']>
  readonly currency: string | null
}

/** What the ad would need, each reason once. */
function Requirements({ requirements, currency }: RequirementsProps) {
  const { hasWon, obstacles, effectiveBidMicros, effectiveBidMicrosNeeded, scoreToBeat } =
    requirements
  const say = (micros: string) => sayMoney(micros, currency ?? NO_CURRENCY)
  const isTooLow = BigInt(effectiveBidMicros) < BigInt(effectiveBidMicrosNeeded)
  const lines = [
    ...obstacles.map(({ reason, text }) => ({ name: sayWord(reason), text })),
    ...(isTooLow
      ? [
          {
            name: 'Bid',
            text: `it bids ${say(effectiveBidMicros)}, and needs ${say(effectiveBidMicrosNeeded)} to ${scoreToBeat === null ? 'meet the floor' : 'get a place'}`,
          },
        ]
      : []),
  ]
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          <Lightbulb className="size-4 text-warn" aria-hidden />
          {hasWon
            ? `“${requirements.ad.name}” is shown`
            : `What “${requirements.ad.name}” needs to be shown`}
        </span>
      }
    >
      {hasWon || lines.length === 0 ? (
        <p className="text-base">{requirements.text}</p>
      ) : (
        <>
          <p>
            It would be shown if {lines.length === 1 ? 'this were' : 'all of this were'} otherwise:
          </p>
          <ul className="mt-2 flex flex-col gap-1">
            {lines.map(({ name, text }) => (
              <li key={name} className="flex items-center gap-2">
                <Badge tone="bad">{name}</Badge> {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function Winners({ explained }: { readonly explained: Explained }) {
  const { winners, text } = explained
  if (winners.length === 0) {
    return (
      <Card>
        <EmptyState title="No ad is served" text={text.find((line) => line.startsWith('No ad'))} />
      </Card>
    )
  }
  return (
    <Card title={winners.length === 1 ? 'Winner' : `${winners.length} winners`} isFlush>
      <ol>
        {winners.map((winner) => (
          <li key={`${winner.ad?.id} ${winner.banner?.id}`} className="px-4 py-3 not-last:border-b">
            <p className="flex flex-wrap items-center gap-2">
              <Trophy className="size-4 text-good" aria-hidden />
              <span className="font-semibold">{winner.ad?.name ?? winner.banner?.name}</span>
              <span className="text-ink-faint">{winner.campaign?.name ?? 'House banner'}</span>
              <Badge tone="good">{sayWord(winner.source)}</Badge>
              {isByType(explained) && (
                <span className="font-mono text-xs text-ink-faint">{explained.placement}</span>
              )}
            </p>
            <ul className="mt-1 pl-6 text-ink-soft">
              {winner.calculation.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Only then each candidate has its own placement. */
const isByType = ({ candidates }: Explained) =>
  candidates.some(({ placement }) => placement !== null)

function StageRow({ stage, total }: { readonly stage: Stage; readonly total: number }) {
  const { name, came, left, stopped } = stage
  const share = total === 0 ? 0 : left / total
  return (
    <li className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <span className={cx('font-medium', came === 0 && 'text-ink-faint')}>{name}</span>
      <span className="flex items-center gap-3">
        <span className="relative h-6 flex-1 overflow-hidden rounded-sm bg-sunken">
          <span
            className="absolute inset-y-0 left-1/2 -translate-x-1/2 rounded-sm bg-accent/85"
            style={{ width: `${Math.max(share * 100, left > 0 ? 1.5 : 0)}%` }}
          />
        </span>
        <span className="w-20 shrink-0 text-right figures">
          {sayCount(left)} <span className="text-ink-faint">left</span>
        </span>
      </span>
      {stopped.length > 0 && (
        <ul className="flex flex-wrap gap-x-3 text-xs text-ink-faint sm:col-start-2">
          {stopped.map(({ reason, count, text }) => (
            <li key={reason}>
              <span className="font-medium text-bad figures">−{count}</span> {text}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  ad: 'Ad',
  assignment: 'Booking',
  banner: 'House banner',
}

const COLUMNS: readonly Column<Candidate>[] = [
  {
    name: 'name',
    label: 'Candidate',
    width: '32%',
    cell: ({ ad, banner, campaign, placement }) => (
      <span title={campaign?.name}>
        <span className="font-medium">{ad?.name ?? banner?.name}</span>{' '}
        <span className="text-ink-faint">{campaign?.name}</span>{' '}
        {placement && <span className="font-mono text-xs text-ink-faint">{placement}</span>}
      </span>
    ),
  },
  {
    name: 'kind',
    label: 'Kind',
    width: '7rem',
    from: 'lg',
    cell: ({ kind }) => KINDS[kind] ?? kind,
  },
  {
    name: 'score',
    label: 'Score',
    width: '6rem',
    isNumber: true,
    from: 'md',
    sortBy: ({ score }) => score ?? 0,
    cell: ({ score }) => (score === null ? '—' : score.toFixed(5)),
  },
  {
    name: 'reason',
    label: 'Result',
    cell: ({ reason, text }) => (
      <span title={text}>
        <Badge tone={reason === 'won' ? 'good' : 'neutral'}>
          {reason === 'won' ? 'Served' : sayWord(reason)}
        </Badge>{' '}
        <span className="text-ink-faint">{text.split(': ').slice(1).join(': ')}</span>
      </span>
    ),
  },
]
