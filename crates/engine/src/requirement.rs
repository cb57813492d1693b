//! Programs that something needs: presence and oldest version.

use hookgate_policy::{Requirement, Version};

use crate::Host;

/// What is missing for the rewrite of that code, in words for the person; `None` if nothing is.
#[must_use]
pub fn missing(requirements: &[Requirement], code: &str, host: &dyn Host) -> Option<String> {
    if host.assume_present() {
        return None;
    }
    requirements.iter().find_map(|requirement| {
        let name = &requirement.program;
        let Some(program) = host.program(name) else {
            return Some(format!("`{name}` is not found on PATH: {code} rewrites nothing until it is installed"));
        };
        let minimum = requirement.minimum?;
        match host.version(&program).map(|text| Version::find_in(&text)) {
            Some(Some(version)) if version >= minimum => None,
            Some(Some(version)) => Some(format!(
                "`{name}` is {version} and {code} needs {minimum}: it rewrites nothing until `{name}` is newer"
            )),
            Some(None) => {
                Some(format!("`{name} --version` names no version: {code}, which needs {minimum}, rewrites nothing"))
            }
            None => Some(format!(
                "the version of `{name}` has not been asked yet: {code} rewrites nothing until `hookgate doctor` has run"
            )),
        }
    })
}
