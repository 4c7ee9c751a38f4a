/** Whatever happens in here, the page does not notice. */
export const safely =
  <Arguments extends unknown[]>(work: (...given: Arguments) => unknown) =>
  (...given: Arguments): void => {
    try {
      work(...given)
    } catch {
      // An ad less is better than a broken page.
    }
  }
