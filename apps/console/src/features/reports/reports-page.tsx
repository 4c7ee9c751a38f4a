import { ChartColumn, Download, Save } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePostRead } from '../../api/hooks.ts'
import { useMay, useZone } from '../../api/me.ts'
import { useSearchParams } from '../../search-params.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { Choices } from './choices.tsx'
import { ConsentCard } from './consent-card.tsx'
import {
  type ReportQuestion,
  fileQuestionOf,
  questionOf,
  readQuestion,
  type Row,
  writeQuestion,
} from './question.ts'
import { ReportChart } from './report-chart.tsx'
import { exportCsv, EXPORTS, ReportExports } from './report-exports.tsx'
import { ReportTable } from './report-table.tsx'
import { SavedReports } from './saved-reports.tsx'
import { SaveReport } from './save-report.tsx'

/** Reports as chart and table. */
export function ReportsPage() {
  const may = useMay()
  const zone = useZone()
  const [params, setParams] = useSearchParams()
  const [isSaving, setSaving] = useState(false)
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries({ queryKey: [EXPORTS] })
  const question = readQuestion(params)
  const ask = (next: ReportQuestion) => setParams(writeQuestion(next))
  return (
    <Page
      title="Reports"
      about={`Days in ${question.isUtc ? 'UTC' : zone}. Valid traffic only, unless you group by traffic.`}
      actions={
        <>
          <Button
            icon={Download}
            onClick={() => void exportCsv(fileQuestionOf(question, zone), refresh)}
          >
            Export
          </Button>
          {may('reports:write') && (
            <Button icon={Save} look="primary" onClick={() => setSaving(true)}>
              Save
            </Button>
          )}
        </>
      }
    >
      <Choices
        question={question}
        zone={zone}
        onChange={(change) => ask({ ...question, ...change })}
      />
      <Result question={question} zone={zone} />
      {may('placements:read') && <ConsentCard />}
      <ReportExports />
      <SavedReports onOpen={ask} />
      {isSaving && <SaveReport question={question} zone={zone} onClose={() => setSaving(false)} />}
    </Page>
  )
}

interface Answered {
  readonly rows: readonly Row[]
  readonly totals: readonly Row[]
}

function Result({ question, zone }: { readonly question: ReportQuestion; readonly zone: string }) {
  const body = {
    ...questionOf(question, zone),
    limit: 1_000,
    ...(question.isCompared && { compare: 'previous-period' }),
  }
  const isWhole = question.period !== 'custom' || (question.from !== '' && question.to !== '')
  const report = usePostRead<Answered>('/reports/query', body, { everySeconds: 30, when: isWhole })
  if (!isWhole) {
    return (
      <Card>
        <EmptyState icon={ChartColumn} title="Choose a start and an end day" />
      </Card>
    )
  }
  return (
    <>
      {!report.error && <ReportChart question={question} zone={zone} />}
      <Card isFlush className="overflow-hidden">
        <Answer of={{ ...report, data: report.error ? undefined : report.data }} lines={8}>
          {({ rows, totals }) =>
            rows.length === 0 ? (
              <EmptyState
                icon={ChartColumn}
                title="No data for these days"
                text="Choose a longer period or fewer filters. New events appear within seconds."
              />
            ) : (
              <ReportTable question={question} rows={rows} totals={totals} />
            )
          }
        </Answer>
      </Card>
    </>
  )
}
