import type { CampaignDelivery } from '@placard/contract/delivery'
import type { OwnWhy } from '@placard/contract/explain'
import { CircleCheck, CircleX, Lightbulb } from 'lucide-react'
import { useState } from 'react'
import { usePostRead, useRead } from '../../api/hooks.ts'
import type { Ad, Campaign, PageOf } from '../../api/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { COUNTRY_CHOICES, LANGUAGE_CHOICES } from '../../ui/format/codes.ts'
import { sayWord } from '../../ui/format/format.ts'
import { SelectField } from '../../ui/forms/fields.tsx'
import { ChoicePicker } from '../../ui/forms/search-picker.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { DEVICES } from './devices.ts'
import { formOf, questionOf } from './question.ts'

type Params = Readonly<Record<string, string>>

/** Why the campaign's own ads are shown to a reader, for somebody who sees no other's. */
export function OwnWhyPart({ campaign }: { readonly campaign: Campaign }) {
  const delivery = useRead<CampaignDelivery>(`/admin/campaigns/${campaign.id}/delivery`)
  return (
    <Answer of={delivery}>
      {({ placements, question }) =>
        question === null || placements.length === 0 ? (
          <Card>
            <EmptyState
              title="Not booked yet"
              text="Once the campaign is booked on a placement, you can ask here why its ads are shown to a reader or not."
            />
          </Card>
        ) : (
          <Asking
            campaign={campaign}
            slugs={placements.map(({ slug }) => slug)}
            begin={formOf(question)}
          />
        )
      }
    </Answer>
  )
}

interface AskingProps {
  readonly campaign: Campaign
  readonly slugs: readonly string[]
  readonly begin: Params
}

function Asking({ campaign, slugs, begin }: AskingProps) {
  const [params, setParams] = useState<Params>(begin)
  const ads = useRead<PageOf<Ad>>('/admin/ads', {
    query: { campaignId: campaign.id, limit: 200 },
  })
  const field = (name: string) => ({
    value: params[name] ?? '',
    onValue: (value: string) => setParams((before) => ({ ...before, [name]: value })),
  })
  const why = usePostRead<OwnWhy>(`/admin/campaigns/${campaign.id}/why`, questionOf(params))
  const names = ads.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Card title="Reader" hint="Begins with one who fits">
        <div className="flex flex-col gap-3">
          <SelectField
            label="Placement"
            {...field('placement')}
            options={slugs.map((slug) => ({ value: slug, label: slug }))}
          />
          {names.length > 0 && <SelectField label="Ad" {...field('adId')} options={names} />}
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
        </div>
      </Card>
      <Answer of={why}>{(data) => <Findings why={data} />}</Answer>
    </div>
  )
}

function Findings({ why: { ads, needs } }: { readonly why: OwnWhy }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {needs && (
        <Card
          title={
            <span className="flex items-center gap-2">
              <Lightbulb className="size-4 text-warn" aria-hidden />
              {needs.isShown
                ? `“${needs.ad.name}” is shown`
                : `What “${needs.ad.name}” needs to be shown`}
            </span>
          }
        >
          <p className="text-base">{needs.text}</p>
        </Card>
      )}
      <Card title="Your ads here" isFlush>
        <ul>
          {ads.map(({ kind, ad, banner, isShown, reason, text }) => (
            <li
              key={`${kind} ${ad?.id ?? banner?.id}`}
              className="flex flex-wrap items-center gap-2 px-4 py-2.5 not-last:border-b"
            >
              {isShown ? (
                <CircleCheck className="size-4 text-good" aria-hidden />
              ) : (
                <CircleX className="size-4 text-ink-faint" aria-hidden />
              )}
              <span className="font-medium">{ad?.name ?? banner?.name}</span>
              <Badge tone={isShown ? 'good' : 'neutral'}>
                {isShown ? 'Shown' : sayWord(reason)}
              </Badge>
              <span className="text-ink-faint">{text}</span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
