//! The binary as its users meet it: one test program, one module per contract.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test may panic and print, and says where"
)]

mod agents;
mod always_an_answer;
mod arriving;
mod audit;
mod bounds;
mod broken_policy;
mod bypass;
mod consequence;
mod disguises;
mod elsewhere;
mod endings;
mod exceptions;
mod files;
mod guarding;
mod hooks;
mod import;
mod monotone;
mod notify;
mod other_tools;
mod overrides;
mod own_knowledge;
mod packages;
mod policy;
mod protocol;
mod questions;
mod reference;
mod remotes;
mod rewrites;
mod secrets;
mod self_protection;
mod settings;
mod soundness;
mod sources;
mod stop;
mod support;
mod syscalls;
mod volume;

#[test]
fn no_test_file_is_forgotten() {
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(module) = name.strip_suffix(".rs") else { continue };
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is in no test program");
    }
}
