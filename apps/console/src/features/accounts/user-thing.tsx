import type { InvitedUser } from '@placard/contract/accounts'
import { Users } from 'lucide-react'
import type { Static } from 'typebox'
import { ACCOUNTS } from '../../things/choosables.ts'
import { choosable, defineThing } from '../../things/thing.ts'
import { Badge } from '../../ui/badge.tsx'
import { ROLES, type User } from './user-help.tsx'
import { UserLinks } from './user-links.tsx'

export const userThing = defineThing<User, Static<typeof InvitedUser>>({
  noun: 'user',
  title: 'Users',
  path: '/admin/users',
  makeAt: '/admin/users/invite',
  newLabel: 'Invite user',
  permission: 'users',
  icon: Users,
  about:
    'A user is a person of an account, with a role. They choose a password by a link that works for three days.',
  nameOf: ({ displayName }) => displayName,
  sort: 'displayName',
  columns: [
    {
      name: 'displayName',
      label: 'Name',
      sortBy: ({ displayName }) => displayName,
      cell: ({ displayName }) => displayName,
    },
    { name: 'email', label: 'E-mail', from: 'md', cell: (user) => mailOf(user) },
    { name: 'account', label: 'Account', from: 'sm', cell: ({ accountName }) => accountName },
    {
      name: 'two-step',
      label: 'Two-step',
      from: 'md',
      width: '6rem',
      cell: ({ hasFactor }) =>
        hasFactor ? <Badge tone="good">On</Badge> : <span className="text-ink-faint">Off</span>,
    },
    {
      name: 'role',
      label: 'Role',
      width: '8rem',
      cell: ({ role, isActive }) =>
        isActive ? <Badge>{role}</Badge> : <Badge tone="warn">Deactivated</Badge>,
    },
  ],
  fields: [
    { name: 'displayName', label: 'Name', entry: { as: 'text', example: 'Ada Lovelace' } },
    {
      name: 'email',
      label: 'E-mail',
      entry: { as: 'text', type: 'email', example: 'ada@northwind.example' },
      only: 'make',
    },
    {
      name: 'accountId',
      label: 'Account',
      entry: { as: 'thing', of: choosable(ACCOUNTS) },
      only: 'make',
    },
    {
      name: 'role',
      label: 'Role',
      hint: 'A role belongs to one kind of account. A change takes effect at once.',
      entry: { as: 'choice', options: ROLES },
      preset: () => 'advertiser',
    },
    {
      name: 'isActive',
      label: 'Active',
      hint: 'When off, the user is signed out and cannot sign in.',
      entry: { as: 'switch' },
      only: 'change',
    },
  ],
  removal: {
    action: 'Archive',
    consequence:
      'They are signed out and cannot sign in. What they did stays. You can restore them.',
  },
  touches: ['/me'],
  shownOnce: (invited, onClose) => <UserLinks links={[invited]} onClose={onClose} />,
})

const mailOf = ({ email, signsInBy }: User) =>
  signsInBy === 'provider' ? `${email} (company sign-in)` : email
