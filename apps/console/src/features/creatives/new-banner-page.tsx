import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import type { Advertiser, Banner, PageOf } from '../../api/types.ts'
import { useSearchParams } from '../../search-params.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ADVERTISERS, MAKE_AT } from '../../things/choosables.ts'
import { PickThing } from '../../things/pick-thing.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { Page } from '../../ui/layout/page.tsx'
import { ProblemNote } from '../../ui/layout/states.tsx'
import { notify } from '../../ui/overlays/toast.tsx'
import { BannerFields } from './banner-form.tsx'
import { bodyOf, shownOf, sizeOf, valuesOf } from './banner-values.ts'
import { PreviewCard } from './preview-card.tsx'

export function NewBannerPage() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const advertisers = useRead<PageOf<Advertiser>>('/admin/advertisers', {
    query: { limit: 2, sort: 'name' },
  })
  const items = advertisers.data?.items ?? []
  const [chosenId, setChosenId] = useState(params['advertiserId'] ?? '')
  const chosen = useRead<Advertiser>(`/admin/advertisers/${chosenId}`, { when: chosenId !== '' })
  const owner = chosenId === '' ? items[0] : chosen.data
  const make = useChange((body: object) => api.post<Banner>('/admin/banners', body), {
    touches: ['/admin/banners'],
  })
  const { values, set, field } = useForm(valuesOf(undefined), make.error)
  const submit = () =>
    make.mutate(
      { ...bodyOf(values), advertiserId: owner?.id },
      {
        onSuccess: ({ id, title }) => {
          notify(`“${title}” is created.`)
          const { draft } = params
          void navigate(
            draft
              ? { to: '/campaigns/new', search: { draft, step: 'creative', banner: id } }
              : { to: `/creatives/${id}` },
          )
        },
      },
    )
  return (
    <Page title="New banner" parent={{ title: 'Creatives', to: '/creatives' }}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)]">
        <Card title="Content">
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            {advertisers.data && items.length !== 1 && (
              <PickThing
                of={ADVERTISERS}
                makeAt={MAKE_AT.advertiser}
                label="Advertiser"
                value={owner?.id ?? ''}
                onValue={setChosenId}
              />
            )}
            <BannerFields values={values} set={set} field={field} accountId={owner?.accountId} />
            <ProblemNote error={make.error} />
            <div className="flex justify-end">
              <Button type="submit" look="primary" isBusy={make.isPending}>
                Create banner
              </Button>
            </div>
          </form>
        </Card>
        <PreviewCard banner={shownOf(values)} ownSize={sizeOf(values)} />
      </div>
    </Page>
  )
}
