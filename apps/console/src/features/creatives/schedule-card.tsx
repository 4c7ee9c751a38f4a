import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { Banner, BannerCalendar } from '../../api/types.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { cx } from '../../ui/cx.ts'
import { CheckField, SelectField, TextField } from '../../ui/forms/fields.tsx'
import { orNull, useForm } from '../../ui/forms/form.ts'
import { readInstant, typedInstant } from '../../ui/format/format.ts'
import { Answer, ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { zonesWith } from '../../ui/forms/zones.ts'
import { type Repeat, repeatOf, ruleOf, WEEKDAYS } from './repeat.ts'

/** A banner's schedule: dates, days and hours, with a calendar of the result. */
export function ScheduleCard({ banner }: { readonly banner: Banner }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <ScheduleForm banner={banner} />
      <Calendar banner={banner} />
    </div>
  )
}

const REPEATS = [
  { value: 'always', label: 'Every day' },
  { value: 'daily', label: 'Every few days' },
  { value: 'weekly', label: 'On certain weekdays' },
]

function ScheduleForm({ banner }: { readonly banner: Banner }) {
  const canChange = useMay()('banners:write')
  const [zone, setZone] = useState(banner.scheduleTimezone)
  const [repeat, setRepeat] = useState<Repeat>(repeatOf(banner.recurrenceRule))
  const save = useChange(
    (body: object) => api.patch(`/admin/banners/${banner.id}/schedule`, body, banner.version),
    { touches: ['/admin/banners'] },
  )
  const { values, field } = useForm(
    {
      publishAt: typedInstant(banner.publishAt, zone),
      expiresAt: typedInstant(banner.expiresAt, zone),
      recurrenceWindowStart: banner.recurrenceWindowStart?.slice(0, 5) ?? '',
      recurrenceWindowEnd: banner.recurrenceWindowEnd?.slice(0, 5) ?? '',
    },
    save.error,
  )
  const submit = () =>
    save.mutate(
      {
        publishAt: readInstant(values.publishAt, zone),
        expiresAt: readInstant(values.expiresAt, zone),
        scheduleTimezone: zone,
        recurrenceRule: ruleOf(repeat),
        recurrenceWindowStart: orNull(values.recurrenceWindowStart),
        recurrenceWindowEnd: orNull(values.recurrenceWindowEnd),
      },
      { onSuccess: () => notify('The schedule is saved.') },
    )
  return (
    <Card title="Schedule" hint={`Times in ${zone}`}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <fieldset disabled={!canChange} className="contents">
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField label="From" isOptional type="datetime-local" {...field('publishAt')} />
            <TextField label="Until" isOptional type="datetime-local" {...field('expiresAt')} />
          </div>
          <SelectField
            label="Repeats"
            value={repeat.kind}
            onValue={(kind) => setRepeat({ ...repeat, kind: kind as Repeat['kind'] })}
            options={
              repeat.kind === 'other'
                ? [...REPEATS, { value: 'other', label: repeat.rule }]
                : REPEATS
            }
          />
          {(repeat.kind === 'weekly' || repeat.kind === 'daily') && (
            <TextField
              label={repeat.kind === 'weekly' ? 'Repeat every … weeks' : 'Repeat every … days'}
              type="number"
              min={1}
              max={366}
              value={repeat.every}
              onValue={(every) => setRepeat({ ...repeat, every })}
              hint="Counted from the first day"
            />
          )}
          {repeat.kind === 'weekly' && <Days repeat={repeat} onRepeat={setRepeat} />}
          <div className="grid gap-3 sm:grid-cols-2">
            <TextField
              label="Each day from"
              isOptional
              type="time"
              {...field('recurrenceWindowStart')}
            />
            <TextField
              label="To"
              isOptional
              type="time"
              {...field('recurrenceWindowEnd')}
              hint="May end after midnight"
            />
          </div>
          <SelectField label="Time zone" value={zone} onValue={setZone} options={zonesWith(zone)} />
        </fieldset>
        <ProblemNote error={save.error} />
        {canChange && (
          <div className="flex justify-end">
            <Button type="submit" look="primary" isBusy={save.isPending}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

function Days({
  repeat,
  onRepeat,
}: {
  readonly repeat: Repeat
  readonly onRepeat: (repeat: Repeat) => void
}) {
  const toggle = (day: string, isOn: boolean) =>
    onRepeat({
      ...repeat,
      days: isOn ? [...repeat.days, day] : repeat.days.filter((one) => one !== day),
    })
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
      <legend className="mb-1.5 text-xs font-medium text-ink-soft">On</legend>
      {WEEKDAYS.map(({ code, label }) => (
        <CheckField
          key={code}
          label={label}
          state={repeat.days.includes(code)}
          onToggle={(isOn) => toggle(code, isOn)}
        />
      ))}
    </fieldset>
  )
}

/** The Monday on or before the first of the month. The calendar shows six weeks from there. */
function firstShown(month: string): string {
  const first = new Date(`${month}-01T12:00:00Z`)
  first.setUTCDate(first.getUTCDate() - ((first.getUTCDay() + 6) % 7))
  return first.toISOString().slice(0, 10)
}

function moved(month: string, by: number): string {
  const date = new Date(`${month}-15T12:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return date.toISOString().slice(0, 7)
}

function Calendar({ banner }: { readonly banner: Banner }) {
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7))
  const calendar = useRead<BannerCalendar>(`/admin/banners/${banner.id}/calendar`, {
    query: { from: firstShown(month), days: 42 },
  })
  const name = new Date(`${month}-15T12:00:00Z`).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
  })
  return (
    <Card
      title={name}
      hint="Filled: all day. Half-filled: some hours."
      actions={
        <>
          <IconButton
            label="Previous month"
            icon={ChevronLeft}
            onClick={() => setMonth(moved(month, -1))}
          />
          <IconButton
            label="Next month"
            icon={ChevronRight}
            onClick={() => setMonth(moved(month, 1))}
          />
        </>
      }
    >
      <Answer of={calendar}>
        {({ days }) => (
          <ol className="grid grid-cols-7 gap-1 text-center" aria-label={`Days in ${name}`}>
            {WEEKDAYS.map(({ code, label }) => (
              <li key={code} className="pb-1 text-xs text-ink-faint">
                {label.slice(0, 3)}
              </li>
            ))}
            {days.map(({ day, openShare }) => (
              <Day key={day} day={day} openShare={openShare} isOutside={!day.startsWith(month)} />
            ))}
          </ol>
        )}
      </Answer>
    </Card>
  )
}

const ALL_DAY = 0.99

function Day({
  day,
  openShare,
  isOutside,
}: {
  readonly day: string
  readonly openShare: number
  readonly isOutside: boolean
}) {
  const look = openShare === 0 ? 'none' : openShare < ALL_DAY ? 'part' : 'all'
  const words = {
    none: 'not served',
    part: `served ${Math.round(openShare * 24)} hours`,
    all: 'served all day',
  }[look]
  return (
    <li
      title={`${day}: ${words}`}
      className={cx(
        'relative grid h-10 place-items-center overflow-hidden rounded-md figures',
        isOutside && 'text-xs font-normal',
        look === 'all' && 'bg-accent-soft text-accent-ink',
        look === 'part' && 'bg-sunken text-accent-ink',
        look === 'none' && 'text-ink-faint',
      )}
    >
      {look === 'part' && (
        <span
          className="absolute inset-x-0 bottom-0 h-1 bg-accent"
          style={{ width: `${openShare * 100}%` }}
          aria-hidden
        />
      )}
      {Number(day.slice(8))}
      <span className="sr-only">{words}</span>
    </li>
  )
}
