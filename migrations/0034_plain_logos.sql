-- The picture that documents print: small, written anew from `content` when that was taken, and following from it alone.
-- Null for a JPEG, which is printed as it is, and for what was taken before; that is made plain when it is first printed.
alter table seller_logos add column plain bytea check (length(plain) <= 1000000);
