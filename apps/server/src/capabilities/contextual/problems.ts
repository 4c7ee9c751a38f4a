import type { ProblemKind } from '../../platform/problem.ts'

export const contextualProblems = {
  pageNotFound: { code: 'PAGE_NOT_FOUND', status: 404, title: 'No such page on that site' },
  notOnSite: { code: 'PAGE_NOT_ON_SITE', status: 400, title: 'Not a page of that site' },
  siteFull: {
    code: 'SITE_PAGES_FULL',
    status: 409,
    title: 'The site has as many pages as its crawl may have',
  },
  unknownCategory: {
    code: 'UNKNOWN_CATEGORY',
    status: 400,
    title: 'Not a category of the IAB Content Taxonomy 3.1',
  },
  notCorrected: {
    code: 'PAGE_NOT_CORRECTED',
    status: 404,
    title: 'Nobody has corrected what that page is about',
  },
  noSeed: {
    code: 'SITE_HAS_NO_SEED',
    status: 409,
    title: 'The site has no seed URL to crawl from',
  },
  notRunning: {
    code: 'JOBS_NOT_AVAILABLE',
    status: 503,
    title: 'Background work can not be ordered here',
  },
} satisfies Record<string, ProblemKind>
