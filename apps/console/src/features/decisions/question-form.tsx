import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Ad, PageOf, Placement } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { COUNTRY_CHOICES, LANGUAGE_CHOICES } from '../../ui/format/codes.ts'
import { SelectField, TextField } from '../../ui/forms/fields.tsx'
import { ChoicePicker } from '../../ui/forms/search-picker.tsx'
import { DEVICES } from './devices.ts'

type Params = Readonly<Record<string, string>>

interface Props {
  readonly params: Params
  readonly onAsk: (params: Params) => void
}

const VISITORS = [
  { value: '', label: 'Unknown' },
  { value: 'signed-in', label: 'Signed in' },
  { value: 'guest', label: 'Guest' },
]

/** A form that builds a request. */
export function QuestionForm({ params, onAsk }: Props) {
  const [draft, setDraft] = useState<Params>(params)
  const placements = useRead<PageOf<Placement>>('/admin/placements', {
    query: { limit: 200, sort: 'label' },
  })
  const ads = useRead<PageOf<Ad>>('/admin/ads', {
    query: { limit: 200, ...(params['campaignId'] && { campaignId: params['campaignId'] }) },
  })
  const field = (name: string) => ({
    value: draft[name] ?? '',
    onValue: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  })
  const places =
    placements.data?.items.map(({ slug, label }) => ({
      value: slug,
      label: `${label} · ${slug}`,
    })) ?? []
  const names = ads.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk({ ...draft, placement: draft['placement'] || places[0]?.value || '' })
      }}
    >
      <SelectField label="Placement" {...field('placement')} options={places} />
      <SelectField
        label="Ad"
        {...field('adId')}
        options={[{ value: '', label: 'All ads' }, ...names]}
      />
      <div className="grid grid-cols-2 gap-3">
        <ChoicePicker
          label="Country"
          isOptional
          none="Any"
          choices={COUNTRY_CHOICES}
          {...field('country')}
        />
        <SelectField label="Device" {...field('device')} options={DEVICES} />
        <ChoicePicker
          label="Language"
          isOptional
          none="Any"
          choices={LANGUAGE_CHOICES}
          {...field('language')}
        />
        <SelectField label="Visitor" {...field('visitor')} options={VISITORS} />
      </div>
      <TextField
        label="Segments"
        isOptional
        placeholder="runners, marathon"
        {...field('segments')}
      />
      <TextField
        label="User"
        isOptional
        hint="Your id for the user. Frequency caps apply to known users."
        {...field('userId')}
      />
      <Button type="submit" look="primary">
        Explain request
      </Button>
    </form>
  )
}
