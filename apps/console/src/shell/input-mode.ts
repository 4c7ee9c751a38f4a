/**
 * Marks the page while the reader uses a pointer. A dialog gives the focus back to its button when it
 * closes, and browsers then draw a focus ring even after a click; the ring is for keyboards only.
 */
const root = document.documentElement

addEventListener('pointerdown', () => (root.dataset['input'] = 'pointer'), { capture: true })
addEventListener('keydown', () => (root.dataset['input'] = 'keys'), { capture: true })
