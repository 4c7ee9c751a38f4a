import * as contract from '@placard/contract/notices'
import { Problem } from '../../platform/problem.ts'
import { defineResource } from '../../platform/resources/index.ts'
import { judgeUrl } from '../../platform/http/guarded-agent.ts'
import { waysTo } from './notice.ts'
import { noticeProblems } from './problems.ts'
import { isPlatformAccount } from './store.ts'
import { notices, recipients } from './tables.ts'

export const recipient = defineResource({
  noun: 'recipient',
  plural: 'recipients',
  tag: 'notices',
  permission: 'reports',
  table: recipients,
  view: contract.Recipient,
  create: contract.CreateRecipient,
  patch: contract.PatchRecipient,
  query: contract.RecipientQuery,
  searches: ['name'],
  references: {},
  problems: { notFound: noticeProblems.recipientNotFound },
  async complete(db, { topics, accountId }) {
    const refused = contract.PLATFORM_TOPICS.filter((topic) => topics.includes(topic))
    if (refused.length > 0 && !(await isPlatformAccount(db, accountId))) {
      throw new Problem(noticeProblems.topicRefused, `Remove \`${refused.join('`, `')}\`.`)
    }
    return {}
  },
  /** Whether the host may be called is checked at each call, because its address can change. */
  check(row) {
    if (waysTo(row).length === 0) throw new Problem(noticeProblems.noWay, 'Add at least one.')
    if (!row.webhookUrl || judgeUrl(row.webhookUrl, () => true) === 'may-call') return
    throw new Problem(noticeProblems.urlRefused, 'Remove the user name and password.')
  },
})

export const notice = defineResource({
  noun: 'notice',
  plural: 'notices',
  tag: 'notices',
  permission: 'reports',
  table: notices,
  view: contract.Notice,
  create: contract.Notice,
  patch: contract.Notice,
  query: contract.NoticeQuery,
  references: { recipientId: { to: recipients, problem: noticeProblems.recipientNotFound } },
  problems: { notFound: noticeProblems.noticeNotFound },
})
