import type { ProblemKind } from '../../platform/problem.ts'

export const noticeProblems = {
  recipientNotFound: {
    code: 'RECIPIENT_NOT_FOUND',
    status: 404,
    title: 'There is no such recipient',
  },
  noticeNotFound: {
    code: 'NOTICE_NOT_FOUND',
    status: 404,
    title: 'There is no such notice',
    remedy: 'Notices are kept for 30 days.',
  },
  noWay: {
    code: 'RECIPIENT_WITHOUT_WAY',
    status: 400,
    title: 'A recipient needs a mail address or a webhook address',
    remedy: 'Give `mailTo` or `webhookUrl`.',
  },
  urlRefused: {
    code: 'RECIPIENT_URL_REFUSED',
    status: 400,
    title: 'The webhook address contains a user name or password',
    remedy: 'Leave them out. We sign every call; verify the signature instead.',
  },
  topicRefused: {
    code: 'RECIPIENT_TOPIC_REFUSED',
    status: 400,
    title: 'Only platform recipients get notices about users to review and suspicious sessions',
    remedy: 'Remove the topics `geo-review` and `geo-session`.',
  },
  tooManyRequests: {
    code: 'RECIPIENT_CONFIRMATION_LIMIT',
    status: 429,
    title: 'The account has reached its daily limit of confirmation requests',
    remedy: 'Try again tomorrow.',
  },
  linkRefused: {
    code: 'RECIPIENT_LINK_REFUSED',
    status: 400,
    title: 'The link is used, expired or replaced by a newer one',
    remedy: 'Ask the person who added you to send it again.',
  },
  tooManyRecipients: {
    code: 'RECIPIENT_LIMIT',
    status: 409,
    title: 'The account has reached its limit of recipients',
    remedy: 'Delete an unused recipient, or add the address to an existing one.',
  },
} satisfies Record<string, ProblemKind>
