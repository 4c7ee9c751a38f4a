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
    title: 'A recipient has a mail address, a webhook address, or both',
    remedy: 'Give `mailTo` or `webhookUrl`.',
  },
  urlRefused: {
    code: 'RECIPIENT_URL_REFUSED',
    status: 400,
    title: 'The address of a recipient carries no user name or password',
    remedy: 'Calls are signed: check the signature instead.',
  },
  topicRefused: {
    code: 'RECIPIENT_TOPIC_REFUSED',
    status: 400,
    title: 'Only the platform is told of reviews of declared countries',
    remedy: 'Leave the topic `geo-review` out.',
  },
  tooManyAsked: {
    code: 'RECIPIENT_CONFIRMATION_LIMIT',
    status: 429,
    title: 'The account has asked as many addresses as it may in a day',
    remedy: 'Try again tomorrow.',
  },
  linkRefused: {
    code: 'RECIPIENT_LINK_REFUSED',
    status: 400,
    title: 'The link was used, is too old, or was replaced by a newer one',
    remedy: 'Ask whoever added you to send it again.',
  },
  tooManyRecipients: {
    code: 'RECIPIENT_LIMIT',
    status: 409,
    title: 'The account has as many recipients as it may have',
    remedy: 'Delete one that is not used any more, or add addresses to one.',
  },
} satisfies Record<string, ProblemKind>
