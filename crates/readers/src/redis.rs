//! Commands of a Redis client: one a line.

use super::Code;
use hookgate_facts::Kind;

/// What the commands do.
pub(super) fn analyse(text: &str) -> Code {
    let mut code = Code::new();
    let mut at = 0;
    for line in text.split('\n') {
        let (start, end) = (at, at + line.len());
        at = end + 1;
        let mut words = line.split_whitespace().map(str::to_ascii_lowercase);
        let Some(command) = words.next() else { continue };
        let next = words.next().unwrap_or_default();
        match command.as_str() {
            "flushall" | "flushdb" | "del" | "unlink" | "swapdb" | "restore" => {
                code.push(Kind::DatabaseDestroy, None, start, end);
            }
            // Whole scripts, functions and groups of readers, and a copy that takes another's data for its own.
            "script" | "function" | "xgroup" | "module"
                if matches!(next.as_str(), "flush" | "delete" | "destroy" | "kill" | "unload") =>
            {
                code.lose();
                code.push(Kind::DatabaseDestroy, None, start, end);
            }
            "slaveof" | "replicaof" | "failover" => {
                code.lose();
                code.push(Kind::Service, None, start, end);
            }
            "eval" | "eval_ro"
                if ["flushall", "flushdb", "'del'", "\"del\"", "'unlink'"]
                    .iter()
                    .any(|name| line.to_ascii_lowercase().contains(name)) =>
            {
                code.lose();
                code.push(Kind::DatabaseDestroy, None, start, end);
            }
            "shutdown" => code.push(Kind::Service, None, start, end),
            "config" if next == "get" => code.push(Kind::DatabaseRead, None, start, end),
            "config" if next == "set" => {
                // `dir` and `dbfilename` choose the file that `save` writes, `save` and `maxmemory` what is kept.
                code.lose();
                code.push(Kind::Service, None, start, end);
            }
            "config" | "debug" => code.push(Kind::Service, None, start, end),
            "eval" | "evalsha" | "fcall" | "module" | "function" | "script" | "migrate" => {
                code.lose();
                code.push(Kind::DatabaseChange, None, start, end);
            }
            "acl" | "auth" => code.push(Kind::Credential, None, start, end),
            "client" if next == "kill" => code.push(Kind::Kill, None, start, end),
            "cluster" | "xtrim" | "ltrim"
                if !matches!(next.as_str(), "info" | "nodes" | "slots" | "shards" | "keyslot" | "myid") =>
            {
                code.push(Kind::DatabaseDestroy, None, start, end);
            }
            "get" | "mget" | "keys" | "scan" | "exists" | "type" | "ttl" | "pttl" | "info" | "ping"
            | "dbsize" | "strlen" | "hget" | "hgetall" | "hkeys" | "hvals" | "hlen" | "hmget" | "hexists"
            | "hscan" | "lrange" | "llen" | "lindex" | "smembers" | "scard" | "sismember" | "sscan"
            | "zrange" | "zcard" | "zscore" | "zrank" | "zcount" | "zrangebyscore" | "zrevrange"
            | "zscan" | "xlen" | "xrange" | "xrevrange" | "xinfo" | "xread" | "xpending" | "memory"
            | "object" | "time" | "lastsave" | "slowlog" | "latency" | "client" | "command" | "monitor"
            | "randomkey" | "getrange" | "bitcount" | "pfcount" | "geopos" | "role" | "echo" | "select"
            | "cluster" | "dump" | "json.get" | "ft.search" | "ft.info" | "subscribe" | "psubscribe"
            | "pubsub" | "quit" | "hello" | "multi" | "exec" | "discard" | "watch" => {
                code.push(Kind::DatabaseRead, None, start, end);
            }
            "set" | "setex" | "setnx" | "mset" | "append" | "incr" | "incrby" | "decr" | "decrby"
            | "expire" | "pexpire" | "expireat" | "persist" | "rename" | "renamenx" | "hset" | "hmset"
            | "hsetnx" | "hincrby" | "hdel" | "lpush" | "rpush" | "lpop" | "rpop" | "lset" | "lrem"
            | "linsert" | "sadd" | "srem" | "spop" | "smove" | "zadd" | "zrem" | "zincrby" | "xadd"
            | "xdel" | "xack" | "xgroup" | "publish" | "getset" | "getdel" | "setrange" | "setbit"
            | "pfadd" | "geoadd" | "copy" | "move" | "touch" | "save" | "bgsave" | "bgrewriteaof"
            | "json.set" => code.push(Kind::DatabaseChange, None, start, end),
            _ => {
                code.lose();
                code.push(Kind::DatabaseChange, None, start, end);
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::Language::Redis;

    #[test]
    fn commands_are_sorted_by_what_they_lose() {
        check(Redis, "GET flushall", &["database-read"], true);
        check(Redis, "SET a 1\nFLUSHALL", &["database-change", "database-destroy"], true);
        check(Redis, "config set dir /home/dev/.ssh", &["service"], false);
        check(Redis, "eval 'return 1' 0", &["database-change"], false);
        check(Redis, "eval \"redis.call('flushall')\" 0", &["database-destroy"], false);
        check(Redis, "script flush", &["database-destroy"], false);
        check(Redis, "replicaof no one", &["service"], false);
    }
}
