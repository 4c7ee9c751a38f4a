import { ACCOUNT_JOBS } from '../capabilities/accounts/module.ts'
import { BUDGET_JOBS } from '../capabilities/budgets/module.ts'
import { CAMPAIGN_JOBS } from '../capabilities/campaigns/module.ts'
import { CHANGE_SET_JOBS } from '../capabilities/change-sets/module.ts'
import { CHANNEL_JOBS } from '../capabilities/channels/module.ts'
import { CONTEXTUAL_JOBS } from '../capabilities/contextual/module.ts'
import { CONSENT_JOBS } from '../capabilities/consent/module.ts'
import { DECISION_JOBS } from '../capabilities/decisions/module.ts'
import { EVENT_JOBS } from '../capabilities/events-out/module.ts'
import { FIRST_STEP_JOBS } from '../capabilities/first-steps/module.ts'
import { FREQUENCY_JOBS } from '../capabilities/frequency/module.ts'
import { GEO_PROFILE_JOBS } from '../capabilities/geo-profile/module.ts'
import { INVENTORY_JOBS } from '../capabilities/inventory/module.ts'
import { LEARNING_JOBS } from '../capabilities/learning/module.ts'
import { NOTICE_JOBS } from '../capabilities/notices/module.ts'
import { REPORT_JOBS } from '../capabilities/reports/module.ts'
import { TRACKING_JOBS } from '../capabilities/tracking/module.ts'
import { PLATFORM_JOBS } from '../platform/housekeeping.ts'
import type { JobDefinition } from '../platform/jobs/job.ts'

/** All jobs. An API process enqueues and shows them; only a worker has the dependencies to run them. */
export const JOBS: readonly JobDefinition[] = [
  ...CAMPAIGN_JOBS,
  ...CHANGE_SET_JOBS,
  ...INVENTORY_JOBS,
  ...ACCOUNT_JOBS,
  ...FIRST_STEP_JOBS,
  ...PLATFORM_JOBS,
  ...CONSENT_JOBS,
  ...DECISION_JOBS,
  ...FREQUENCY_JOBS,
  ...TRACKING_JOBS,
  ...BUDGET_JOBS,
  ...REPORT_JOBS,
  ...EVENT_JOBS,
  ...CONTEXTUAL_JOBS,
  ...CHANNEL_JOBS,
  ...NOTICE_JOBS,
  ...GEO_PROFILE_JOBS,
  ...LEARNING_JOBS,
]
