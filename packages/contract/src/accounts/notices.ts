import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { HandedLink, LinkToken } from './accounts.ts'
import {
  BY_NAME,
  Instant,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  Search,
  strict,
  Uuid,
  WebUrl,
} from '../shared.ts'

/** Topics a recipient can subscribe to. A report names its own recipient. */
export const TOPICS = [
  'under-delivery',
  'exhausted-early',
  'ctr-collapse',
  'sync-failing',
  'geo-review',
  'geo-session',
  'proposals',
  'conversion-held',
  'film-errors',
  'site-domain',
] as const
export type Topic = (typeof TOPICS)[number]

/** Topics about users, for the platform's own recipients. */
export const PLATFORM_TOPICS: readonly Topic[] = ['geo-review', 'geo-session']

const MailAddress = Type.String({
  format: 'email',
  maxLength: 254,
  examples: ['ada@northwind.example'],
})

const FIELDS = {
  name: Name,
  mailTo: Type.Array(MailAddress, {
    maxItems: 20,
    uniqueItems: true,
    description: 'All addresses receive the same mail; needs `SMTP_URL`',
    examples: [['ada@northwind.example']],
  }),
  webhookUrl: nullable(WebUrl),
  topics: Type.Array(oneOf(TOPICS), {
    maxItems: TOPICS.length,
    uniqueItems: true,
    description: 'Topics it receives; `geo-review` and `geo-session` are for the platform only',
    examples: [['under-delivery']],
  }),
  isActive: Type.Boolean({ examples: [true] }),
}

export const CreateRecipient = strict({
  name: FIELDS.name,
  mailTo: Type.Optional(FIELDS.mailTo),
  webhookUrl: Type.Optional(FIELDS.webhookUrl),
  topics: Type.Optional(FIELDS.topics),
})
export const PatchRecipient = patchOf(FIELDS)
export const RecipientQuery = strict({
  ...PAGE_QUERY,
  search: Type.Optional(Search),
  sort: Type.Optional(BY_NAME),
  isActive: Type.Optional(Type.Boolean()),
})
export const Recipient = Type.Object({
  ...ROW_FIELDS,
  ...FIELDS,
  confirmedMail: Type.Array(MailAddress, {
    description: 'Confirmed addresses. The others get nothing but the request to confirm',
    examples: [['ada@northwind.example']],
  }),
  confirmedWebhook: nullable(WebUrl),
})
export const RecipientParams = Type.Object({ recipientId: Uuid })
/** Who was asked to confirm. Contains the links, once, when no mail is sent. */
export const Confirmations = Type.Object({ items: Type.Array(HandedLink) })
export const ConfirmRecipient = strict({ linkToken: LinkToken })
export const RecipientConfirmed = Type.Object({ address: MailAddress })
export const NewRecipient = Type.Object({
  ...Recipient.properties,
  secret: Type.String({ description: 'Verifies the signatures of our calls; shown once' }),
  confirmations: Confirmations.properties.items,
})

const Status = oneOf(['waiting', 'sending', 'sent', 'failed'])
const Way = oneOf(['mail', 'webhook'])

export const NoticeQuery = strict({
  ...PAGE_QUERY,
  recipientId: Type.Optional(Uuid),
  status: Type.Optional(Status),
  way: Type.Optional(Way),
})
export const Notice = Type.Object({
  id: Uuid,
  recipientId: Uuid,
  way: Way,
  topic: Type.String(),
  subject: Type.String(),
  words: Type.String(),
  status: Status,
  attempts: Type.Integer(),
  dueAt: Instant,
  lastError: nullable(Type.String()),
  createdAt: Instant,
  finishedAt: nullable(Instant),
})
