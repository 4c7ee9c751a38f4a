/**
 * Robots that read pages as browsers do: an auction for them would hold money for nobody. A program's
 * own user agent says nothing about the reader it asks for.
 */
export const robotsAmong =
  (isKnownBot: (userAgent: string) => boolean) =>
  (userAgent: string | undefined): boolean =>
    userAgent !== undefined &&
    userAgent.startsWith('Mozilla/') &&
    !userAgent.includes('Headless') &&
    isKnownBot(userAgent)
