import type { ProblemKind } from '../../platform/problem.ts'

export const contextualProblems = {
  pageNotFound: { code: 'PAGE_NOT_FOUND', status: 404, title: 'No such page on that site' },
  notOnSite: {
    code: 'PAGE_NOT_ON_SITE',
    status: 400,
    title: 'Not a page of that site',
    remedy: 'Name an address on the host of the site.',
  },
  siteFull: {
    code: 'SITE_PAGES_FULL',
    status: 409,
    title: 'The site has as many pages as its crawl may have',
    remedy: 'Raise the page limit of the site, or exclude addresses by its rules.',
  },
  unknownCategory: {
    code: 'UNKNOWN_CATEGORY',
    status: 400,
    title: 'Not a category of the IAB Content Taxonomy 3.1',
    remedy: 'Use an id from `GET /api/v1/admin/content-categories`.',
  },
  notCorrected: {
    code: 'PAGE_NOT_CORRECTED',
    status: 404,
    title: 'Nobody has corrected what that page is about',
    remedy: 'There is nothing to take back.',
  },
  noSeed: {
    code: 'SITE_HAS_NO_SEED',
    status: 409,
    title: 'The site has no seed URL to crawl from',
    remedy: 'Give the site a seed URL first.',
  },
  notRunning: {
    code: 'JOBS_NOT_AVAILABLE',
    status: 503,
    title: 'Background work can not be ordered here',
    remedy: 'Ask a node that runs with a queue.',
  },
} satisfies Record<string, ProblemKind>
