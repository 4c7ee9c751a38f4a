import type { ProblemKind } from '../../platform/problem.ts'

export const contextualProblems = {
  pageNotFound: {
    code: 'PAGE_NOT_FOUND',
    status: 404,
    title: 'There is no such page on that site',
  },
  notOnSite: {
    code: 'PAGE_NOT_ON_SITE',
    status: 400,
    title: 'That address is not a page of the site',
    remedy: 'Use an address on the site’s own host.',
  },
  siteFull: {
    code: 'SITE_PAGES_FULL',
    status: 409,
    title: 'The site has reached its page limit',
    remedy: 'Raise `crawlPageLimit` of the site, or exclude addresses in its robots.txt.',
  },
  notCorrected: {
    code: 'PAGE_NOT_CORRECTED',
    status: 404,
    title: 'The page has no correction',
    remedy: 'Nothing to do: the classifier’s categories apply.',
  },
  noSeed: {
    code: 'SITE_HAS_NO_SEED',
    status: 409,
    title: 'The site has no seed URL to crawl from',
    remedy: 'Set `seedUrl` of the site first.',
  },
  notRunning: {
    code: 'JOBS_NOT_AVAILABLE',
    status: 503,
    title: 'This node cannot order background jobs',
    remedy: 'Send the request to a node with a job queue.',
  },
} satisfies Record<string, ProblemKind>
