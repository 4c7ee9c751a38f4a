import { Globe } from 'lucide-react'
import type { Site } from '../../api/types.ts'
import { MAKE_AT, PUBLISHERS } from '../../things/choosables.ts'
import { choosable, defineThing } from '../../things/thing.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { siteStatus } from './site-status.ts'

export const siteThing = defineThing<Site>({
  noun: 'site',
  title: 'Sites',
  path: '/admin/sites',
  permission: 'sites',
  icon: Globe,
  about:
    'A site is a domain of a publisher that shows ads. It decides which banners and products it accepts.',
  nameOf: ({ name }) => name,
  linkOf: ({ id }) => `/sites/${id}`,
  openAfter: ({ id }) => `/sites/${id}`,
  sort: 'name',
  columns: [
    {
      name: 'name',
      label: 'Site',
      sortBy: ({ name }) => name,
      cell: ({ name, domain }) => (
        <>
          {name} <span className="font-normal text-ink-faint">· {domain}</span>
        </>
      ),
    },
    {
      name: 'publisher',
      label: 'Publisher',
      width: '12rem',
      from: 'md',
      cell: ({ publisherName }) => publisherName,
    },
    {
      name: 'approval',
      label: 'Banners',
      width: '9rem',
      from: 'sm',
      cell: ({ approvalRequired }) => (approvalRequired ? 'After approval' : 'All'),
    },
    {
      name: 'state',
      label: 'Status',
      width: '7.5rem',
      cell: (site) => <StatusBadge status={siteStatus(site)} />,
    },
  ],
  fields: [
    {
      name: 'publisherId',
      label: 'Publisher',
      entry: { as: 'thing', of: choosable(PUBLISHERS), makeAt: MAKE_AT.publisher },
      only: 'make',
    },
    { name: 'name', label: 'Name', entry: { as: 'text', example: 'The shop' } },
    {
      name: 'domain',
      label: 'Domain',
      hint: 'A site whose domain is new has to prove it before it shows ads.',
      entry: { as: 'text', example: 'shop.example' },
    },
    {
      name: 'approvalRequired',
      label: 'Require approval',
      hint: 'Banners are shown here only after somebody of the publisher approves them.',
      entry: { as: 'switch' },
      preset: () => true,
    },
    {
      name: 'seedUrl',
      label: 'Start of the crawl',
      hint: 'Pages are read from here on, to know what they are about.',
      entry: { as: 'text', type: 'url', example: 'https://shop.example/' },
      isOptional: true,
    },
    {
      name: 'crawlCron',
      label: 'Crawl schedule',
      hint: 'Minute, hour, day, month and weekday, in UTC: 0 3 * * * is every night at three.',
      entry: { as: 'text', example: '0 3 * * *' },
      isOptional: true,
    },
    {
      name: 'adsTxtLines',
      label: 'Lines for ads.txt',
      hint: 'Further sellers of the site, one per line. Placard adds its own lines.',
      entry: { as: 'lines', example: 'exchange.example, 1234, RESELLER, abc123' },
      isOptional: true,
    },
    {
      name: 'keepUrlQueries',
      label: 'Keep query strings of page URLs',
      hint: 'When off, everything after ? or # is dropped before a URL is stored.',
      entry: { as: 'switch' },
    },
    {
      name: 'isActive',
      label: 'Serve ads',
      hint: 'When off, every ad slot of the site stays empty.',
      entry: { as: 'switch' },
      preset: () => true,
    },
  ],
  removal: { action: 'Archive', consequence: 'Its ad slots stay empty. You can restore it.' },
  touches: ['/admin/first-steps'],
})
