-- The jobs database of the design export. The names of the constraints are those that
-- matrix/design-export.yml quotes where it calls a combination impossible.
create table job (
  id          bigint primary key,
  state       text not null,
  owner       text,
  epoch       integer not null default 0,
  lease_until timestamptz,
  candidate   text,
  digest      text,
  created_at  timestamptz not null default clock_timestamp(),
  constraint job_state_is_known check (state in ('ready', 'running', 'complete', 'cancelled')),
  constraint job_lease_only_while_running check (lease_until is null or state = 'running'),
  constraint job_running_has_lease check (lease_until is not null or state <> 'running'),
  constraint job_running_has_epoch check (epoch > 0 or state not in ('running', 'complete')),
  constraint job_complete_names_candidate check (state <> 'complete' or (candidate is not null and digest is not null)),
  constraint job_digest_only_when_complete check (digest is null or state = 'complete')
);
