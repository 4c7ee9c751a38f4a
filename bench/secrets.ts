/** A secret of the required length. A bench has nothing to protect. */
export const SECRETS = {
  jwtSecret: 'only for the time of this benchmark',
  userKeySecret: 'a user key secret of the bench, long enough',
  encryptionSecret: 'another secret of the bench, long enough',
  trackingKeys: '1:a-secret-of-the-bench-long-enough-to-seal',
}
