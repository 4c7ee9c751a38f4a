import { useList } from '../../api/hooks.ts'
import { useMay, useZone } from '../../api/me.ts'
import type { AuditRecord } from '../../api/types.ts'
import { RecordList } from '../../history/record-list.tsx'
import { useSearchParams } from '../../search-params.ts'
import { DayFilter } from '../../ui/forms/day-filter.tsx'
import { FilterSelect } from '../../ui/forms/fields.tsx'
import { SearchPicker } from '../../ui/forms/search-picker.tsx'
import { dayBefore, readInstant } from '../../ui/format/format.ts'
import { Card } from '../../ui/layout/card.tsx'
import type { User } from '../accounts/user-help.tsx'

const ENTITIES = [
  { value: '', label: 'Everything' },
  { value: 'campaign', label: 'Campaigns' },
  { value: 'ad', label: 'Ads' },
  { value: 'banner', label: 'Banners' },
  { value: 'targeting rule', label: 'Targeting' },
  { value: 'frequency cap', label: 'Caps' },
  { value: 'advertiser', label: 'Advertisers' },
  { value: 'publisher', label: 'Publishers' },
  { value: 'site', label: 'Sites' },
  { value: 'placement', label: 'Placements' },
  { value: 'user', label: 'Users and sign-ins' },
  { value: 'api key', label: 'API keys' },
  { value: 'switch', label: 'Switches' },
]

const PEOPLE = {
  path: '/admin/users',
  choiceOf: ({ id, displayName, email }: User) => ({ value: id, label: displayName, note: email }),
}

/** All changes that the reader may see, by person, thing and day. */
export function AuditLog() {
  const zone = useZone()
  const may = useMay()
  const [{ who = '', what = '', from = '', to = '' }, setParams] = useSearchParams()
  const list = useList<AuditRecord>('/admin/audit-log', {
    everySeconds: 15,
    query: {
      actorId: who,
      entity: what,
      occurredFrom: from && readInstant(`${from}T00:00`, zone),
      occurredBefore: to && readInstant(`${dayBefore(to, -1)}T00:00`, zone),
    },
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {may('users:read') && (
          <div className="w-48">
            <SearchPicker
              label="Person"
              none="Anybody"
              isFilter
              isOptional
              of={PEOPLE}
              value={who}
              onValue={(id) => setParams({ who: id })}
            />
          </div>
        )}
        <FilterSelect
          label="Thing"
          value={what}
          onValue={(entity) => setParams({ what: entity })}
          options={ENTITIES}
        />
        <DayFilter label="From" value={from} onValue={(day) => setParams({ from: day })} />
        <DayFilter label="To" value={to} onValue={(day) => setParams({ to: day })} />
      </div>
      <Card title="Audit log" isFlush>
        <RecordList list={list} />
      </Card>
    </>
  )
}
