//! Any program text, in the language that HOOKGATE_LANGUAGE names: reading it ends, and every place lies inside the text.

#![no_main]

use std::sync::OnceLock;

use hookgate_readers::{Language, analyse};
use libfuzzer_sys::fuzz_target;

fn language() -> Language {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    *LANGUAGE.get_or_init(|| match std::env::var("HOOKGATE_LANGUAGE").as_deref() {
        Ok("javascript") => Language::Javascript,
        Ok("perl") => Language::Perl,
        Ok("ruby") => Language::Ruby,
        Ok("php") => Language::Php,
        Ok("lua") => Language::Lua,
        Ok("statistics") => Language::Statistics,
        Ok("awk") => Language::Awk,
        Ok("sed") => Language::Sed,
        Ok("sql") => Language::Sql,
        Ok("mongo") => Language::Mongo,
        Ok("redis") => Language::Redis,
        Ok("python") | Err(_) => Language::Python,
        Ok(other) => panic!("no language is called {other}"),
    })
}

fuzz_target!(|text: &str| {
    let code = analyse(language(), text);
    for effect in &code.effects {
        assert!(effect.start <= effect.end && effect.end <= text.len(), "{effect:?}");
    }
    for (_, start, end) in &code.shell {
        assert!(start <= end && *end <= text.len(), "a text for a shell at {start}..{end}");
    }
});
