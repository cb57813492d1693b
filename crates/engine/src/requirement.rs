//! Programs that something needs: presence and oldest version.

use hookgate_policy::{Requirement, Version};

use hookgate_text::Quoted;

use crate::Host;

/// What is missing for what has that name, in words for the person; `None` if nothing is. `idle` is what it does without:
/// `has no effect`.
#[must_use]
pub fn missing(requirements: &[Requirement], needy: &str, idle: &str, host: &dyn Host) -> Option<String> {
    if host.assume_present() {
        return None;
    }
    requirements.iter().find_map(|requirement| {
        let name = Quoted::new(&requirement.program);
        let Some(program) = host.program(&requirement.program) else {
            return Some(format!("{name} isn't on PATH: {needy} {idle} until it is installed"));
        };
        let minimum = requirement.minimum?;
        match host.version(&program).map(|text| Version::find_in(&text)) {
            Some(Some(version)) if version >= minimum => None,
            Some(Some(version)) => Some(format!(
                "{name} is {version}, but {needy} needs {minimum}: it {idle} until {name} is updated"
            )),
            Some(None) => Some(format!(
                "{name} doesn't print a version with `--version`: {needy}, which needs {minimum}, {idle}"
            )),
            None => Some(format!(
                "the version of {name} isn't known yet: {needy} {idle} until you run `hookgate doctor`"
            )),
        }
    })
}
