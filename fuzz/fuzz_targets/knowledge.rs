//! Any bytes as a compiled base, and any text as a file of knowledge: reading ends, and what the compiler writes is whole.

#![no_main]

use hookgate_knowledge::{Compiler, Knowledge, Specification};
use libfuzzer_sys::fuzz_target;

/// The most entries that are read of a base: broken ones may lead in circles.
const MOST: usize = 20_000;

fn walk(specification: Specification<'_>, depth: usize, left: &mut usize) {
    *left = left.saturating_sub(1);
    if depth == 0 || *left == 0 {
        return;
    }
    for option in specification.options().take(*left) {
        *left = left.saturating_sub(1 + option.names().count() + option.changes().count());
        let _ = option.value();
    }
    let _ = (specification.operands(), specification.effects().count(), specification.handler());
    for sub in specification.subcommands().take(*left) {
        walk(sub.specification, depth - 1, left);
    }
    for short in specification.short_subcommands().take(*left) {
        walk(short.specification, depth - 1, left);
    }
    if let Some(default) = specification.default() {
        walk(default, depth - 1, left);
    }
}

fn read(base: Knowledge<'_>) {
    let mut left = MOST;
    for (name, program) in base.programs().take(MOST) {
        let _ = (base.program(name), program.file());
        walk(program.specification(), 6, &mut left);
    }
    for table in base.tables().take(100) {
        for row in base.table(table).rows().take(100) {
            let _ = (row.key(), row.cells().count());
        }
    }
}

fuzz_target!(|data: &[u8]| {
    if let Some(base) = Knowledge::new(data) {
        read(base);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    for own in [true, false] {
        let mut compiler = Compiler::new();
        if own {
            compiler.add_own("own.toml", text);
        } else {
            compiler.add("libraries/some.toml", text);
        }
        match compiler.finish() {
            Ok(bytes) => read(Knowledge::new(&bytes).expect("what was compiled is a base")),
            Err(mistakes) => assert!(mistakes.iter().all(|mistake| !mistake.to_string().is_empty())),
        }
    }
});
