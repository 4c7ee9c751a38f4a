import type { Site } from '../../api/types.ts'

/** A site without a proven domain shows no ads, even if it is switched on. Pure. */
export const siteStatus = ({
  isActive,
  domainState,
}: Pick<Site, 'isActive' | 'domainState'>): 'active' | 'unproven' | 'off' =>
  isActive ? (domainState === 'proven' ? 'active' : 'unproven') : 'off'
