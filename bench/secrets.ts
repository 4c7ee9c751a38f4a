/** Long enough, and nobody's: a bench guards nothing. */
export const SECRETS = {
  jwtSecret: 'only for the time of this benchmark',
  userKeySecret: 'a user key secret of the bench, long enough',
  encryptionSecret: 'another secret of the bench, long enough',
  trackingKeys: '1:a-secret-of-the-bench-long-enough-to-seal',
}
