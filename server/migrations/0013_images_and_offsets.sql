-- One table of images: a contact before a lead was merged into it is an image whose source is the lead. An image without its lead
-- has nothing to undo.
insert into record_images (partner_id, source_id, record_id, version, before)
select i.partner_id, l.id, i.contact_id, i.version, i.before
from contact_images i
join leads l on l.partner_id = i.partner_id and l.contact_id = i.contact_id
  and l.conversion ->> 'contact' = 'filled' and (l.conversion ->> 'contact_version')::int = i.version;

drop table contact_images;

alter table imports rename column place to byte_offset;
comment on column imports.byte_offset is 'The offset of the next row in the file, in bytes.';
