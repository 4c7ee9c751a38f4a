// Shows the routes that have all the words asked for.
const label = document.querySelector('.find')
if (label) {
  label.hidden = false
  const input = label.querySelector('input')
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const section of document.querySelectorAll('section')) {
      let here = 0
      for (const row of section.querySelectorAll('li')) {
        const text = `${section.firstElementChild.textContent} ${row.textContent}`.toLowerCase()
        row.hidden = !words.every((word) => text.includes(word))
        if (!row.hidden) here++
      }
      section.hidden = here === 0
      found += here
    }
    document.querySelector('.none').hidden = found > 0
  })
}
