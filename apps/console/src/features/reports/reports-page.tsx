import { ChartColumn, Download, Save } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useAsk } from '../../api/hooks.ts'
import { useMay, useZone } from '../../api/me.ts'
import { useSearchParams } from '../../search-params.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckField, FilterSelect } from '../../ui/fields.tsx'
import { dayIn } from '../../ui/format.ts'
import { useNow } from '../../ui/now.ts'
import { Page } from '../../ui/page.tsx'
import { Answer, EmptyState } from '../../ui/states.tsx'
import { tellProblem } from '../../ui/toast.tsx'
import {
  type Asked,
  DIMENSIONS,
  dimensionsOf,
  METRICS,
  PERIODS,
  rangeOf,
  readAsked,
  type Row,
  sortOf,
} from './question.ts'
import { ReportChart } from './report-chart.tsx'
import { ReportTable } from './report-table.tsx'
import { SavedReports, SaveReport } from './saved-reports.tsx'

const ALL_METRICS = METRICS.map(({ value }) => value)

export function ReportsPage() {
  const may = useMay()
  const zone = useZone()
  const today = dayIn(new Date(useNow(60)), zone)
  const [params, setParams] = useSearchParams()
  const [isSaving, setSaving] = useState(false)
  const asked = readAsked(params)
  const question = {
    dimensions: dimensionsOf(asked),
    metrics: ALL_METRICS,
    ...rangeOf(asked.period, today),
    timeZone: zone,
    sort: sortOf(asked),
  }
  return (
    <Page
      title="Reports"
      about={`What came of it. Days in ${zone}; valid traffic only.`}
      actions={
        <>
          <Button icon={Download} onClick={() => void exportCsv(question)}>
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
      <Choices asked={asked} onChange={setParams} />
      <Result asked={asked} question={question} />
      <SavedReports onOpen={setParams} />
      {isSaving && <SaveReport asked={asked} zone={zone} onClose={() => setSaving(false)} />}
    </Page>
  )
}

interface ChoicesProps {
  readonly asked: Asked
  readonly onChange: (change: Readonly<Record<string, string | undefined>>) => void
}

function Choices({ asked, onChange }: ChoicesProps) {
  const second = [
    { value: '', label: 'and nothing else' },
    ...DIMENSIONS.map(({ value, label }) => ({ value, label: `and ${label.toLowerCase()}` })),
  ]
  return (
    <div className="flex flex-wrap items-center gap-2">
      <FilterSelect
        label="Period"
        value={asked.period}
        onValue={(period) => onChange({ period })}
        options={PERIODS}
      />
      <FilterSelect
        label="Rows by"
        value={asked.by}
        onValue={(by) => onChange({ by })}
        options={DIMENSIONS.map(({ value, label }) => ({
          value,
          label: `By ${label.toLowerCase()}`,
        }))}
      />
      <FilterSelect
        label="Then by"
        value={asked.also}
        onValue={(also) => onChange({ also })}
        options={second}
      />
      <FilterSelect
        label="Picture of"
        value={asked.metric}
        onValue={(metric) => onChange({ metric })}
        options={METRICS}
      />
      <CheckField
        label="Compare with the days before"
        state={asked.isCompared}
        onTurn={(isOn) => onChange({ compare: isOn ? 'yes' : '' })}
      />
    </div>
  )
}

interface Answered {
  readonly rows: readonly Row[]
  readonly totals: readonly Row[]
}

function Result({ asked, question }: { readonly asked: Asked; readonly question: object }) {
  const body = {
    ...question,
    limit: 500,
    ...(asked.isCompared && { compare: 'previous-period' }),
  }
  const report = useAsk<Answered>('/reports/query', body, { everySeconds: 30 })
  return (
    <>
      <ReportChart asked={asked} question={question} />
      <Card isFlush className="overflow-hidden">
        <Answer of={report} lines={8}>
          {({ rows, totals }) =>
            rows.length === 0 ? (
              <EmptyState
                icon={ChartColumn}
                title="Nothing happened in these days"
                text="Choose a longer period. New events show within seconds."
              />
            ) : (
              <ReportTable asked={asked} rows={rows} totals={totals} />
            )
          }
        </Answer>
      </Card>
    </>
  )
}

/** The whole report, not only the rows on the screen. */
async function exportCsv(question: object): Promise<void> {
  try {
    const file = await api.download('/reports/export', { ...question, format: 'csv' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = 'report.csv'
    link.click()
    URL.revokeObjectURL(link.href)
  } catch (error) {
    tellProblem(error)
  }
}
