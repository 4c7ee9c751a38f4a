import { describe, expect, test } from 'vitest'
import { fillTemplate, type TemplateField, templateFaults } from './template.ts'

const field = (name: string, kind: TemplateField['kind'] = 'text', more = {}): TemplateField => ({
  name,
  label: name,
  kind,
  ...more,
})
const messagesOf = (html: string, ...fields: TemplateField[]) =>
  templateFaults({ html, fields }).map(({ path, message }) => `${path} ${message}`)

describe('where a place may stand', () => {
  test.each([
    ['in text', '<b>{{x}}</b>', 'text'],
    ['before any tag', '{{x}} <i>and</i>', 'text'],
    ['in a plain attribute in double quotes', '<img alt="{{x}}">', 'text'],
    ['as an address', '<a href="{{x}}">Go</a>', 'link'],
    ['as a picture', '<img src="{{x}}">', 'picture'],
    ['as a colour in a style', '<p style="color: {{x}}">', 'colour'],
    ['after a tag with a > in quotes', '<a title="a > b" href="{{x}}">', 'link'],
  ] as const)('%s', (...[, html, kind]) => {
    expect(messagesOf(html, field('x', kind))).toEqual([])
  })

  test.each([
    ['a text as an address', '<a href="{{x}}">', 'text'],
    ['a link in a style', '<p style="background: url({{x}})">', 'link'],
    ['anything in a script', '<script>let a = "{{x}}"</script>', 'text'],
    ['anything in a script that never ends', '<script>{{x}}', 'text'],
    ['anything in a style sheet', '<style>p { color: {{x}} }</style>', 'colour'],
    ['anything in a comment', '<!-- {{x}} -->', 'text'],
    ['anything in a handler', '<a onclick="{{x}}">', 'text'],
    ['anything in single quotes', "<a title='{{x}}'>", 'text'],
    ['anything without quotes', '<a title={{x}}>', 'text'],
    ['the name of a tag', '<{{x}}>', 'text'],
    ['the name of an attribute', '<a {{x}}="1">', 'text'],
    ['a document in a frame', '<iframe srcdoc="{{x}}"></iframe>', 'text'],
    ['a tag that never ends', '<a title={{x}}', 'text'],
  ] as const)('never %s', (...[what, html, kind]) => {
    const found = messagesOf(html, field('x', kind))

    expect([what, found.length]).toEqual([what, 1])
  })

  test('every field has a place, and every place a field', () => {
    expect(messagesOf('<b>{{y}}</b>', field('x'), field('x'))).toEqual([
      'body/fields/1/name “x” is there twice',
      'body/fields/0/name has no place {{x}} in the HTML',
      'body/fields/1/name has no place {{x}} in the HTML',
      'body/html {{y}} has no field',
    ])
  })
})

describe('a banner fills a template', () => {
  const template = {
    html: '<a href="{clickUrl}" style="color: {{ink}}"><img src="{{photo}}" alt="{{name}}">{{name}}</a>',
    fields: [
      field('ink', 'colour'),
      field('photo', 'picture'),
      field('name', 'text', { isRequired: true, maxLength: 40 }),
    ],
  }

  test('with text that stays text, and macros of its own that stay where the operator put them', () => {
    const values = {
      ink: '#0f3d3e',
      photo: 'https://cdn.example/a.png?a=1&b=2',
      name: '"<b>{clickUrl}',
    }

    expect(fillTemplate(template, values)).toEqual({
      faults: [],
      html:
        '<a href="{clickUrl}" style="color: #0f3d3e"><img src="https://cdn.example/a.png?a=1&#38;b=2" ' +
        'alt="&#34;&#60;b&#62;&#123;clickUrl&#125;">&#34;&#60;b&#62;&#123;clickUrl&#125;</a>',
    })
  })

  test('with every fault named', () => {
    const values = { ink: 'red', photo: 'javascript:alert(1)', name: '', more: 'x' }
    const { faults } = fillTemplate(template, values)

    expect(faults).toEqual([
      { path: 'body/templateValues/ink', message: 'must be a colour such as #0f3d3e' },
      { path: 'body/templateValues/photo', message: 'must be the address of a picture' },
      { path: 'body/templateValues/name', message: 'is required' },
      { path: 'body/templateValues/more', message: 'is no field of the template' },
    ])
    const long = fillTemplate(template, { name: 'x'.repeat(41) }).faults
    expect(long).toMatchObject([{ message: 'must have at most 40 characters' }])
  })
})
