import type { FirstSteps } from '../../api/types.ts'

type Steps = FirstSteps['steps']
export type StepName = Steps[number]['name']

export interface FirstStep {
  readonly title: string
  /** What it is for, and how it gets done. */
  readonly text: string
  /** Where it is done, if not here. `$account` stands for the reader’s account. */
  readonly action?: { readonly label: string; readonly to: string }
}

/** The steps in the words of whoever does them. */
export const FIRST_STEPS: Readonly<Record<StepName, FirstStep>> = {
  organisation: {
    title: 'Name your organisation',
    text: 'The account “Platform” is yours. Its name stands in invitations, in the audit log and in sellers.json.',
    action: { label: 'Name it', to: '/account?tab=accounts&open=$account' },
  },
  mail: {
    title: 'Send a test mail',
    text: 'Placard mails invitations, links to choose a password, reports and alerts.',
  },
  'second-factor': {
    title: 'Protect your sign-in with a second step',
    text: 'A stolen password alone opens nothing then.',
    action: { label: 'Set it up', to: '/account?tab=two-step' },
  },
  publisher: {
    title: 'Make a publisher',
    text: 'It sells the space on your sites, in one currency.',
    action: { label: 'New publisher', to: '/placements?part=publishers&open=new' },
  },
  site: {
    title: 'Add a site',
    text: 'The domain whose pages show ads. A site that you as operator add is confirmed at once.',
    action: { label: 'New site', to: '/placements?part=sites&open=new' },
  },
  placement: {
    title: 'Make a placement',
    text: 'A named position for ads on your pages, with a layout and a size.',
    action: { label: 'New placement', to: '/placements?open=new' },
  },
  tag: {
    title: 'Put the tag on a page',
    text: 'Copy it into a page of your site and open that page. As soon as it asks for an ad, this line is ticked.',
  },
  advertiser: {
    title: 'Make an advertiser',
    text: 'Campaigns, banners and budgets belong to it.',
    action: { label: 'New advertiser', to: '/advertisers?open=new' },
  },
  campaign: {
    title: 'Book and start a campaign',
    text: 'It needs a banner: make that first. Then book the campaign on your placement and start it.',
    action: { label: 'New campaign', to: '/campaigns/new' },
  },
  impression: {
    title: 'See the first impression counted',
    text: 'Open the page with the tag again. An impression counts once the banner is seen; it stands here within seconds.',
  },
}

/** The first step that is not done. */
export const nextOf = (steps: Steps): StepName | undefined =>
  steps.find(({ isDone }) => !isDone)?.name
