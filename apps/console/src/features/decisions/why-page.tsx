import type { CampaignDelivery } from '@placard/contract/delivery'
import type { Explained, ExplainedRecord } from '@placard/contract/explain'
import { MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import { usePostRead, useRead } from '../../api/hooks.ts'
import { useSearchParams } from '../../search-params.ts'
import { When } from '../../ui/format/amounts.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { Explanation } from './explanation.tsx'
import { QuestionForm } from './question-form.tsx'
import { formOf, type Question, questionOf, readRequest } from './question.ts'

/** Explains a request: built in the form, pasted, or recorded. */
export function WhyPage() {
  const [given, setParams] = useSearchParams()
  const { decisionId } = given
  const begun = useBeginning(given)
  const params = { ...begun, ...given }
  return (
    <Page
      title="Why?"
      about="Build an ad request or paste one, and see every check, every bid and the price."
    >
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-4 lg:sticky lg:top-6">
          <Card title="Ad request">
            <QuestionForm
              key={JSON.stringify(begun)}
              params={params}
              onAsk={(next) => setParams({ ...next, decisionId: '', request: '' })}
            />
          </Card>
          <Paste onPaste={setParams} />
        </div>
        {decisionId ? <Recorded id={decisionId} /> : <Built params={params} />}
      </div>
    </Page>
  )
}

type Params = Readonly<Record<string, string>>

/** What the form begins with: the recorded request, or one that fits the campaign. */
function useBeginning({ decisionId, campaignId, placement, request }: Params): Params {
  const record = useRead<ExplainedRecord>(`/admin/decisions/${decisionId}/explain`, {
    when: decisionId !== undefined,
  })
  const isOfCampaign = campaignId !== undefined && !decisionId && !placement && !request
  const delivery = useRead<CampaignDelivery>(`/admin/campaigns/${campaignId}/delivery`, {
    when: isOfCampaign,
  })
  const recorded = decisionId === undefined ? undefined : record.data?.recorded
  if (recorded) {
    const userContext = recorded.context
    return formOf({ placement: recorded.placement ?? '', adId: null, userContext })
  }
  const question = isOfCampaign ? delivery.data?.question : undefined
  return question ? formOf(question) : NO_PARAMS
}

const NO_PARAMS: Params = {}

interface PasteProps {
  readonly onPaste: (params: { readonly decisionId: string; readonly request: string }) => void
}

/** The id of a recorded decision, or a request in JSON. */
function Paste({ onPaste }: PasteProps) {
  const [text, setText] = useState('')
  const given = text.trim()
  const isRequest = given.startsWith('{')
  return (
    <Card title="Paste a request" hint="The id of an earlier decision, or a request as JSON">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          onPaste({ decisionId: isRequest ? '' : given, request: isRequest ? given : '' })
        }}
      >
        <input
          aria-label="Decision id or request"
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder='0199… or {"placement": …}'
          className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2.5 font-mono text-xs"
        />
        <Button type="submit" disabled={given === '' || (isRequest && !readRequest(given))}>
          Explain
        </Button>
      </form>
    </Card>
  )
}

function Built({ params }: { readonly params: Params }) {
  const question: Question = questionOf(params)
  const isAsked = question.placement !== undefined || question.placementType !== undefined
  const explained = usePostRead<Explained>('/admin/decisions/explain', question, { when: isAsked })
  if (!isAsked) {
    return (
      <Card>
        <EmptyState
          icon={MessageCircleQuestion}
          title="Choose a placement"
          text="You will see which ads were candidates, why each one was filtered out, and which won at what price."
        />
      </Card>
    )
  }
  return <Answer of={explained}>{(data) => <Explanation explained={data} />}</Answer>
}

function Recorded({ id }: { readonly id: string }) {
  const record = useRead<ExplainedRecord>(`/admin/decisions/${id}/explain`)
  return (
    <Answer of={record}>
      {({ recorded, today, differences }) => (
        <div className="flex flex-col gap-4">
          <Card title="Recorded decision">
            <p className="mb-2">
              Decided <When at={recorded.decidedAt} isExact /> among {recorded.bidCount} bids in{' '}
              {recorded.durationMicros} µs
              {recorded.placement && (
                <>
                  {' '}
                  for <span className="font-mono text-xs">{recorded.placement}</span>
                </>
              )}
              . {recorded.winners.length === 0 && 'No ad was served.'}
            </p>
            <ul className="flex flex-col gap-1">
              {recorded.winners.map((winner) => (
                <li key={winner.banner?.id ?? winner.score} className="font-medium">
                  {winner.ad?.name ?? winner.banner?.name} ·{' '}
                  {winner.campaign?.name ?? 'house banner'}
                </li>
              ))}
            </ul>
            {differences.length > 0 && (
              <>
                <h3 className="mt-3 mb-1 font-semibold">
                  With today’s settings the result would differ
                </h3>
                <ul className="list-disc pl-4 text-ink-soft">
                  {differences.map(({ text }) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </>
            )}
          </Card>
          <Explanation explained={today} />
        </div>
      )}
    </Answer>
  )
}
