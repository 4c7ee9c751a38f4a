import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { Name, nullable, oneOf, PAGE_QUERY, ROW_FIELDS, Search, strict, textOf } from '../shared.ts'

const search = Type.Optional(Search)
const Flag = Type.Boolean({ examples: [false] })

const FieldName = Type.String({ pattern: '^[a-z][a-zA-Z0-9]{0,29}$', examples: ['headline'] })
const FIELD_KINDS = ['text', 'link', 'picture', 'colour'] as const
const TemplateField = strict({
  name: FieldName,
  label: textOf(100, 'Headline'),
  kind: oneOf(FIELD_KINDS),
  isRequired: Type.Optional(Flag),
  maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, examples: [60] })),
})
const TemplateFields = Type.Array(TemplateField, {
  minItems: 1,
  maxItems: 20,
  description: 'What a banner fills in, in the order of its form',
  examples: [[{ name: 'headline', label: 'Headline', kind: 'text', isRequired: true }]],
})
const templateFields = {
  name: Name,
  description: Type.Optional(nullable(textOf(1_000, 'A headline over a colour'))),
  html: Type.String({
    minLength: 1,
    maxLength: 50_000,
    format: 'plain-text',
    description:
      'HTML with a place `{{name}}` for each field: in text, or in an attribute in double quotes',
    examples: ['<a href="{clickUrl}"><b>{{headline}}</b></a>'],
  }),
  fields: TemplateFields,
}
export const CreateTemplate = strict(templateFields)
export const PatchTemplate = patchOf(templateFields)
export const TemplateQuery = strict({
  ...PAGE_QUERY,
  search,
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt', 'name', '-name'])),
})
export const Template = Type.Object({
  ...ROW_FIELDS,
  name: Type.String(),
  description: nullable(Type.String()),
  html: Type.String(),
  fields: Type.Array(Type.Object(TemplateField.properties)),
})

export const TemplateValues = Type.Record(
  FieldName,
  Type.String({ maxLength: 4_096, format: 'plain-text' }),
  {
    additionalProperties: false,
    maxProperties: 20,
    description: 'What fills the places of the template, by the names of its fields',
    examples: [{ headline: 'Autumn sale' }],
  },
)
