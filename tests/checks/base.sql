-- The tables of the smallest sound matrix. Only examples about evidence need them.
create table job (
  id int primary key,
  state text not null check (state in ('ready', 'running', 'done')),
  owner text,
  epoch int not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint job_lease_only_while_running check (state = 'running' or lease_until is null),
  constraint job_running_has_lease check (state <> 'running' or lease_until is not null)
);
