-- An order that fails must not keep later ones waiting: the one that was not tried for longest is next.
alter table rescores add column tried_at timestamptz;
