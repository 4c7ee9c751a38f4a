import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { Instant, LinkUrl, nullable, PAGE_QUERY, strict, textOf, Uuid } from '../shared.ts'

export const LinkParams = Type.Object({ campaignId: Uuid, placementId: Uuid })
export const AssignmentParams = Type.Object({
  campaignId: Uuid,
  placementId: Uuid,
  bannerId: Uuid,
})
export const LinkQuery = strict(PAGE_QUERY)

const IsActive = Type.Boolean({ examples: [true] })

/** Books a campaign on a placement. */
export const LinkPlacement = strict({ placementId: Uuid, isActive: Type.Optional(IsActive) })
export const PatchPlacementLink = strict({ isActive: IsActive })
export const PlacementLink = Type.Object({
  campaignId: Uuid,
  placementId: Uuid,
  placementSlug: Type.String(),
  placementLabel: Type.String(),
  isActive: Type.Boolean(),
  version: Type.Integer(),
  createdAt: Instant,
})

const assignmentFields = {
  displayOrder: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0], description: 'Lowest first' }),
  ),
  weight: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      examples: [100],
      description:
        'Among equal `order`, the highest goes first; in a weighted rotation, the weight of the draw',
    }),
  ),
  isFallback: Type.Optional(Type.Boolean({ examples: [false] })),
  fallbackPriority: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] })),
  ),
  isActive: Type.Optional(IsActive),
  overrideCtaLabel: Type.Optional(nullable(textOf(100, 'Shop now'))),
  overrideCtaUrl: Type.Optional(nullable(LinkUrl)),
  overrideHeadline: Type.Optional(nullable(textOf(255))),
  overrideSubheadline: Type.Optional(nullable(textOf(255, 'Until Sunday'))),
  transitionDurationMs: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: 600_000, examples: [400] })),
  ),
}

/** Books a campaign's banner on a placement. */
export const AssignBanner = strict({ ...assignmentFields, bannerId: Uuid })
export const PatchAssignment = patchOf(assignmentFields)
export const Assignment = Type.Object({
  campaignId: Uuid,
  placementId: Uuid,
  bannerId: Uuid,
  bannerTitle: Type.String(),
  displayOrder: Type.Integer(),
  weight: Type.Integer(),
  isFallback: Type.Boolean(),
  fallbackPriority: nullable(Type.Integer()),
  isActive: Type.Boolean(),
  overrideCtaLabel: nullable(Type.String()),
  overrideCtaUrl: nullable(Type.String()),
  overrideHeadline: nullable(Type.String()),
  overrideSubheadline: nullable(Type.String()),
  transitionDurationMs: nullable(Type.Integer()),
  version: Type.Integer(),
  createdAt: Instant,
  updatedAt: Instant,
})
