import { LayoutTemplate } from 'lucide-react'
import type { Placement } from '../../api/types.ts'
import { defineThing } from '../../things/thing.ts'
import { LAYOUTS } from '../creatives/banner-preview.tsx'
import { MODE_OPTIONS } from './modes.ts'
import { NewPlacement } from './new-placement.tsx'

const LAYOUT_OPTIONS = Object.entries(LAYOUTS).map(([value, { label }]) => ({ value, label }))
const TYPES = [
  { value: 'banner', label: 'Banner' },
  { value: 'feed', label: 'Feed' },
  { value: 'story', label: 'Story' },
]
const ROTATIONS = [
  { value: 'ordered', label: 'In order' },
  { value: 'weighted', label: 'At random by weight' },
]
const FORMATS = [
  { value: 'single_image', label: 'Single image' },
  { value: 'video', label: 'Video' },
  { value: 'html', label: 'HTML' },
  { value: 'native', label: 'Native' },
]

export const placementThing = defineThing<Placement>({
  noun: 'placement',
  title: 'Placements',
  path: '/admin/placements',
  permission: 'placements',
  icon: LayoutTemplate,
  about:
    'A placement is a named position for ads. Make one for each position on your pages where an ad may appear.',
  nameOf: ({ label }) => label,
  linkOf: ({ id }) => `/placements/${id}`,
  sort: 'sortOrder',
  columns: [],
  makeForm: (onClose) => <NewPlacement onClose={onClose} />,
  fields: [
    { name: 'label', label: 'Name', entry: { as: 'text' }, only: 'change' },
    {
      name: 'slug',
      label: 'Slug',
      hint: 'Names the placement in the tag: pages with the old one show nothing.',
      entry: { as: 'text' },
      only: 'change',
    },
    {
      name: 'layoutType',
      label: 'Layout',
      entry: { as: 'choice', options: LAYOUT_OPTIONS },
      only: 'change',
    },
    { name: 'type', label: 'Type', entry: { as: 'choice', options: TYPES }, only: 'change' },
    {
      name: 'mode',
      label: 'Sales mode',
      entry: { as: 'choice', options: MODE_OPTIONS },
      only: 'change',
    },
    {
      name: 'rotation',
      label: 'Order of banners',
      entry: { as: 'choice', options: ROTATIONS },
      only: 'change',
    },
    {
      name: 'maxBanners',
      label: 'Most banners at once',
      entry: { as: 'number' },
      only: 'change',
    },
    {
      name: 'formats',
      label: 'Formats',
      hint: 'Nothing chosen: all formats.',
      entry: { as: 'choices', options: FORMATS },
      only: 'change',
      isOptional: true,
    },
    {
      name: 'recommendedWidth',
      label: 'Width',
      entry: { as: 'number' },
      only: 'change',
      isOptional: true,
    },
    {
      name: 'recommendedHeight',
      label: 'Height',
      entry: { as: 'number' },
      only: 'change',
      isOptional: true,
    },
    {
      name: 'recommendedAspectRatio',
      label: 'Aspect ratio',
      entry: { as: 'text', example: '16:9' },
      only: 'change',
      isOptional: true,
    },
    {
      name: 'floorMicros',
      label: 'Floor price (CPM)',
      entry: { as: 'money' },
      only: 'change',
    },
    { name: 'timeZone', label: 'Time zone', entry: { as: 'zone' }, only: 'change' },
    {
      name: 'pageContext',
      label: 'Page',
      hint: 'Which page it is on, for lists and filters.',
      entry: { as: 'text', example: 'home' },
      only: 'change',
      isOptional: true,
    },
    {
      name: 'fallbackPlaceholderUrl',
      label: 'Picture while there is no ad',
      entry: { as: 'text', example: 'https://cdn.example/placeholder.png' },
      only: 'change',
      isOptional: true,
    },
    {
      name: 'sortOrder',
      label: 'Place in the list',
      entry: { as: 'number' },
      only: 'change',
    },
    { name: 'notes', label: 'Notes', entry: { as: 'area' }, only: 'change', isOptional: true },
    {
      name: 'allowPartialRender',
      label: 'Show fewer banners than there is room for',
      entry: { as: 'switch' },
      only: 'change',
    },
    {
      name: 'isOffered',
      label: 'Offered to every advertiser',
      hint: 'They see its size, floor, traffic and average price, and book it for auctions themselves.',
      entry: { as: 'switch' },
      only: 'change',
    },
    { name: 'isActive', label: 'Active', entry: { as: 'switch' }, only: 'change' },
  ],
  removal: {
    action: 'Archive',
    consequence: 'Pages with its tag show nothing there. Its slug stays taken. You can restore it.',
  },
  touches: ['/banners/serve', '/admin/first-steps'],
})
