-- The deals of a stage in the order in which they entered it: for the columns of a board, and for deals that are over the target of their stage.
create index deals_in_stage on deals (partner_id, stage_id, stage_entered_at, id) where deleted_at is null;

-- Registrations that were rejected while their deal is open: few, and shown to the partner.
create index registrations_rejected on registrations (partner_id, decided_at) where outcome is null and status = 'rejected';

create table client_movements (
  partner_id text collate "C" not null,
  at timestamptz(3) not null,
  client_id text collate "C" not null,
  version int not null,
  currency text not null,
  mrr_cents bigint not null,
  clients int not null,
  constraint client_movements_pkey primary key (partner_id, at, client_id, version, currency) include (mrr_cents, clients),
  constraint client_movements_clients_check check (clients between -1 and 1)
);
alter table client_movements
  add constraint client_movements_partner_id_client_id_fkey foreign key (partner_id, client_id) references clients (partner_id, id);
comment on table client_movements is 'append-only: by how much each change of a client changed the number and the monthly revenue of active clients. [accounts/clients, tenant]';

alter table partners add column movements_since timestamptz(3);
update partners set movements_since = now();
comment on column partners.movements_since is 'From when on the movements of its clients are complete. Null: from the beginning.';
