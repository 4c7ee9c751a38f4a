import * as contract from '@placard/contract/creatives'
import * as templates from '@placard/contract/templates'
import { strict } from '@placard/contract/shared'
import type { Database } from '../../platform/database/connect.ts'
import { httpProblems } from '../../platform/http/problems.ts'
import { Problem } from '../../platform/problem.ts'
import { defineResource } from '../../platform/resources/index.ts'
import { accountProblems } from '../accounts/index.ts'
import { accounts, users } from '../accounts/tables.ts'
import { advertisers } from '../campaigns/tables.ts'
import { siteProblems } from '../inventory/index.ts'
import { sites } from '../inventory/tables.ts'
import {
  hasNewContent,
  mediaFaults,
  needsHouse,
  normaliseRule,
  scheduleFaults,
  scheduleStatusAt,
} from './banners/banner.ts'
import { returnToPending } from './approvals/operations-review.ts'
import {
  approvalProblems,
  assetProblems,
  bannerProblems,
  brandProblems,
  categoryProblems,
  productProblems,
  seoProblems,
  templateProblems,
} from './problems.ts'
import { fillTemplate, templateFaults, templateUseFaults } from './banners/template.ts'
import { findTemplate, isHouse, isShown, isTemplateUsed, listFileFacts } from './store.ts'
import {
  assets,
  banners,
  brands,
  categories,
  creativeApprovals,
  creativeTemplates,
  products,
  seoRecords,
  type ReferenceTable,
} from './tables.ts'
import { ownPathsOf, videoFilesOf } from './assets/video-files.ts'

/** A user that the server sets on the row. Requests cannot set it. */
const person = { to: users, problem: accountProblems.accountNotFound, acrossAccounts: true }

export const banner = defineResource({
  noun: 'banner',
  plural: 'banners',
  tag: 'banners',
  permission: 'banners',
  table: banners,
  view: contract.Banner,
  create: contract.CreateBanner,
  patch: contract.PatchBanner,
  query: contract.BannerQuery,
  references: {
    advertiserId: {
      to: advertisers,
      problem: bannerProblems.advertiserNotFound,
      givesAccount: true,
      shows: { advertiserName: 'name' },
    },
    brandId: { to: brands, problem: brandProblems.notFound },
    categoryId: { to: categories, problem: categoryProblems.notFound },
    productId: { to: products, problem: productProblems.notFound },
    seoId: { to: seoRecords, problem: bannerProblems.seoNotFound },
    templateId: { to: creativeTemplates, problem: templateProblems.notFound },
    createdBy: person,
  },
  searches: ['title'],
  problems: bannerProblems,
  async complete(db, row, { now }) {
    if (needsHouse(row) && !(await isHouse(db, row.advertiserId))) {
      throw new Problem(bannerProblems.notHouse, 'Leave out source and isEvergreenFallback.')
    }
    return {
      videoFiles: videoFilesOf(row, await listFileFacts(db, ownPathsOf(row))),
      scheduleStatus: scheduleStatusAt(row, now),
      ...(await filledFrom(db, row)),
      ...(row.recurrenceRule && { recurrenceRule: normaliseRule(row.recurrenceRule) }),
    }
  },
  check(row) {
    const faults = scheduleFaults(row)
    if (faults.length > 0) {
      throw new Problem(bannerProblems.scheduleInvalid, 'The schedule is not valid.', faults)
    }
    const missing = [...mediaFaults(row), ...templateUseFaults(row)]
    if (missing.length > 0) {
      throw new Problem(httpProblems.invalidRequest, 'The banner is not complete.', missing)
    }
  },
  async afterChange(db, { before, after, actor }, deps) {
    if (!before || !hasNewContent(before, after)) return
    await returnToPending({ ...deps, db }, { bannerId: after.id, actor })
  },
})

/** A banner of a template has the template's HTML with its own values, as of its last change. */
async function filledFrom(db: Database, { templateId, templateValues }: Filled) {
  if (templateId == null) return {}
  const template = await findTemplate(db, templateId)
  if (template === undefined) return {}
  const { html, faults } = fillTemplate(template, templateValues ?? {})
  if (faults.length > 0) {
    throw new Problem(httpProblems.invalidRequest, 'The template is not filled.', faults)
  }
  return { html }
}

type Filled = Partial<Pick<typeof banners.$inferSelect, 'templateId' | 'templateValues'>>

/** Operators write it, everybody may use it. */
export const creativeTemplate = defineResource({
  noun: 'creative template',
  plural: 'creative templates',
  tag: 'banners',
  permission: 'references',
  table: creativeTemplates,
  view: templates.Template,
  create: templates.CreateTemplate,
  patch: templates.PatchTemplate,
  query: templates.TemplateQuery,
  references: {},
  searches: ['name'],
  problems: templateProblems,
  check(row) {
    const faults = templateFaults(row)
    if (faults.length === 0) return
    throw new Problem(httpProblems.invalidRequest, 'The template is not safe to fill.', faults)
  },
  async beforeDelete(db, { id }) {
    if (await isTemplateUsed(db, id)) {
      throw new Problem(templateProblems.inUse, 'Deleted banners count too.')
    }
  },
})

/** It belongs to the site's account, which decides. The banner's account may read it. */
export const creativeApproval = defineResource({
  noun: 'creative approval',
  plural: 'creative approvals',
  tag: 'creative approvals',
  permission: 'approvals',
  table: creativeApprovals,
  view: contract.Approval,
  create: contract.SubmitApproval,
  patch: strict({}),
  query: contract.ApprovalQuery,
  references: {
    siteId: {
      to: sites,
      problem: siteProblems.notFound,
      givesAccount: true,
      acrossAccounts: true,
      shows: { siteDomain: 'domain' },
    },
    bannerId: {
      to: banners,
      problem: bannerProblems.notFound,
      shows: {
        bannerTitle: 'title',
        bannerFormat: 'format',
        bannerImageUrl: 'primaryImageUrl',
        bannerVideoUrl: 'videoUrl',
        bannerHtml: 'html',
        bannerHeadline: 'headline',
        bannerCtaUrl: 'ctaUrl',
        bannerAdProductCategory: 'adProductCategory',
      },
    },
    decidedBy: person,
  },
  problems: approvalProblems,
  uniques: { creative_approvals_site_banner_key: approvalProblems.exists },
  readers: ['bannerAccountId'],
})

export const asset = defineResource({
  noun: 'asset',
  plural: 'assets',
  tag: 'assets',
  permission: 'banners',
  table: assets,
  view: contract.Asset,
  create: contract.AssetUploadQuery,
  patch: strict({}),
  query: contract.AssetQuery,
  references: {
    accountId: { to: accounts, problem: accountProblems.accountNotFound, givesAccount: true },
  },
  problems: assetProblems,
  async beforeDelete(db, row) {
    if (!(await isShown(db, row))) return
    throw new Problem(assetProblems.inUse, 'First remove it from the banners that show it.')
  },
})

interface ReferenceKind {
  readonly noun: string
  readonly plural: string
  readonly table: ReferenceTable
  readonly problems: typeof brandProblems
  readonly uniqueIndex: string
}

const referenceResource = ({ uniqueIndex, ...kind }: ReferenceKind) =>
  defineResource({
    ...kind,
    tag: 'references',
    permission: 'references',
    view: contract.Reference,
    create: contract.CreateReference,
    patch: contract.PatchReference,
    query: contract.ReferenceQuery,
    references: {},
    searches: ['name'],
    uniques: { [uniqueIndex]: kind.problems.externalIdExists },
  })

export const brand = referenceResource({
  noun: 'brand',
  plural: 'brands',
  table: brands,
  problems: brandProblems,
  uniqueIndex: 'brands_external_id_key',
})

export const category = referenceResource({
  noun: 'category',
  plural: 'categories',
  table: categories,
  problems: categoryProblems,
  uniqueIndex: 'categories_external_id_key',
})

export const product = referenceResource({
  noun: 'product',
  plural: 'products',
  table: products,
  problems: productProblems,
  uniqueIndex: 'products_external_id_key',
})

export const seo = referenceResource({
  noun: 'seo',
  plural: 'seo records',
  table: seoRecords,
  problems: seoProblems,
  uniqueIndex: 'seo_records_external_id_key',
})

export const REFERENCES = [brand, category, product, seo] as const
