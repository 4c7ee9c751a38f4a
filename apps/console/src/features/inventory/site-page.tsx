import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/me.ts'
import type { PageOf, Site, Slot } from '../../api/types.ts'
import { usePathParam } from '../../search-params.ts'
import { ThingMenu } from '../../things/things.tsx'
import { StatusBadge } from '../../ui/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { SwitchField } from '../../ui/forms/fields.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Answer, EmptyState } from '../../ui/layout/states.tsx'
import { notifyProblem } from '../../ui/overlays/toast.tsx'
import { Blocklist } from './site-blocklist.tsx'
import { DomainProof } from './site-domain.tsx'
import { SitePages } from './site-pages.tsx'
import { siteThing } from './site-thing.tsx'
import { siteStatus } from './site-status.ts'
import { SiteTopics } from './site-ranker.tsx'

export function SitePage() {
  const id = usePathParam('siteId')
  const site = useRead<Site>(`/admin/sites/${id}`)
  return <Answer of={site}>{(data) => <Detail key={data.id} site={data} />}</Answer>
}

function Detail({ site }: { readonly site: Site }) {
  return (
    <Page
      title={site.name}
      parent={{ title: 'Placements and sites', to: '/placements?part=sites' }}
      mark={<StatusBadge status={siteStatus(site)} />}
      about={site.domain}
      actions={<ThingMenu of={siteThing} row={site} />}
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex flex-col gap-4">
          <DomainProof site={site} />
          <Rules site={site} />
          <Blocklist site={site} />
        </div>
        <Slots site={site} />
        <SitePages site={site} />
        <SiteTopics site={site} />
      </div>
    </Page>
  )
}

type Flag = 'isActive' | 'approvalRequired' | 'keepUrlQueries'

const FLAGS: readonly { readonly name: Flag; readonly label: string; readonly hint: string }[] = [
  {
    name: 'isActive',
    label: 'Serve ads',
    hint: 'When off, every ad slot of the site stays empty.',
  },
  {
    name: 'approvalRequired',
    label: 'Require approval',
    hint: 'When off, booked banners are served without approval.',
  },
  {
    name: 'keepUrlQueries',
    label: 'Keep query strings of page URLs',
    hint: 'When off, everything after ? or # is dropped before a URL is stored.',
  },
]

function Rules({ site }: { readonly site: Site }) {
  const canChange = useMay()('sites:write')
  const save = useChange(
    (body: object) => api.patch(`/admin/sites/${site.id}`, body, site.version),
    {
      touches: ['/admin/sites'],
    },
  )
  return (
    <Card title="Site rules">
      <div className="flex flex-col gap-4">
        {FLAGS.map(({ name, label, hint }) => (
          <SwitchField
            key={name}
            label={label}
            hint={hint}
            isOn={site[name]}
            disabled={!canChange || save.isPending}
            onToggle={(isOn) => save.mutate({ [name]: isOn }, { onError: notifyProblem })}
          />
        ))}
      </div>
    </Card>
  )
}

function Slots({ site }: { readonly site: Site }) {
  const slots = useRead<PageOf<Slot>>('/admin/slots', { query: { siteId: site.id, limit: 200 } })
  return (
    <Card title="Ad slots" isFlush>
      <Answer of={slots}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              title="No ad slots yet"
              text="Open a placement and add an ad slot on this site."
            />
          ) : (
            <ul>
              {items.map(({ id, name, placementId, placementSlug, width, height }) => (
                <li key={id} className="flex items-center gap-3 px-4 py-2.5 not-last:border-b">
                  <span className="min-w-0 flex-1">
                    <Link
                      to={`/placements/${placementId}`}
                      className="rounded-sm font-medium hover:underline"
                    >
                      {name}
                    </Link>
                    <span className="block truncate font-mono text-xs text-ink-faint">
                      {placementSlug}
                    </span>
                  </span>
                  <span className="text-ink-faint figures">
                    {width} × {height}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
