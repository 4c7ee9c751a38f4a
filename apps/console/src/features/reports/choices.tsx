import { Columns3, Filter, Rows3 } from 'lucide-react'
import { DayFilter } from '../../ui/forms/day-filter.tsx'
import { CheckField, FilterSelect, SwitchField } from '../../ui/forms/fields.tsx'
import { Picker } from '../../ui/forms/picker.tsx'
import { Filters } from './filters.tsx'
import { type ReportQuestion, DIMENSIONS, labelOf, METRICS, PERIODS } from './question.ts'

interface ChoicesProps {
  readonly question: ReportQuestion
  readonly zone: string
  readonly onChange: (change: Partial<ReportQuestion>) => void
}

const DIMENSIONS_MAX = 6

/** The report's settings: days, dimensions, metrics, filters. */
export function Choices({ question, zone, onChange }: ChoicesProps) {
  return (
    <div className="flex flex-col gap-2">
      <Days question={question} zone={zone} onChange={onChange} />
      <div className="flex flex-wrap items-center gap-2">
        <Picker
          label="Group by"
          icon={Rows3}
          text={
            question.dimensions.length === 0
              ? 'No grouping'
              : `By ${question.dimensions.map((one) => labelOf(DIMENSIONS, one).toLowerCase()).join(', ')}`
          }
          options={DIMENSIONS}
          chosen={question.dimensions}
          most={DIMENSIONS_MAX}
          onChoose={(dimensions) => onChange({ dimensions })}
        />
        <Picker
          label="Metrics"
          icon={Columns3}
          text={`${question.metrics.length} metrics`}
          options={METRICS}
          chosen={question.metrics}
          onChoose={(metrics) => metrics.length > 0 && onChange({ metrics })}
        />
        <FilterSelect
          label="Chart"
          value={question.picture}
          onValue={(picture) => onChange({ picture })}
          options={question.metrics.map((value) => ({
            value,
            label: `Chart: ${labelOf(METRICS, value).toLowerCase()}`,
          }))}
        />
        <Filters icon={Filter} question={question} zone={zone} onChange={onChange} />
      </div>
    </div>
  )
}

function Days({ question, zone, onChange }: ChoicesProps) {
  const day = (name: 'from' | 'to', label: string) => (
    <DayFilter
      label={label}
      value={question[name]}
      onValue={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <FilterSelect
        label="Period"
        value={question.period}
        onValue={(period) => onChange({ period: period as ReportQuestion['period'] })}
        options={PERIODS}
      />
      {question.period === 'custom' && (
        <>
          {day('from', 'From')}
          {day('to', 'to')}
        </>
      )}
      <CheckField
        label="Compare with the previous period"
        state={question.isCompared}
        onToggle={(isCompared) => onChange({ isCompared })}
      />
      {zone !== 'UTC' && (
        <CheckField
          label="UTC days"
          state={question.isUtc}
          onToggle={(isUtc) => onChange({ isUtc })}
        />
      )}
      <SwitchField
        label="All channels"
        isOn={question.hasAllChannels}
        onToggle={(hasAllChannels) =>
          // Other channels report UTC days.
          onChange({ hasAllChannels, ...(hasAllChannels && { isUtc: true }) })
        }
      />
    </div>
  )
}
