/** Errors inside never reach the page. */
export const safely =
  <Arguments extends unknown[]>(work: (...given: Arguments) => unknown) =>
  (...given: Arguments): void => {
    try {
      work(...given)
    } catch {
      // A missing ad is better than a broken page.
    }
  }
