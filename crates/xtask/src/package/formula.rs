//! Homebrew's formula.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{Target, VERSION, read};

pub(super) fn write(workspace: &Path, archives: &[(&Target, String)], to: &Path) -> Result<PathBuf, String> {
    let template = read(&workspace.join("packaging/homebrew/hookgate.rb"))?;
    let formula = String::from_utf8_lossy(&template)
        .replace("@VERSION@", VERSION)
        .replace("@ARCHIVES@", &systems(archives));
    let path = to.join("hookgate.rb");
    super::write(&path, formula.as_bytes(), 0o644)?;
    Ok(path)
}

/// Where each system's archive is, and its checksum.
fn systems(archives: &[(&Target, String)]) -> String {
    let mut systems = String::new();
    for system in ["on_macos", "on_linux"] {
        let mut blocks = String::new();
        for (target, sum) in archives.iter().filter(|(target, _)| target.brew.0 == system) {
            let (triple, processor) = (target.triple, target.brew.1);
            let _ = write!(
                blocks,
                "    {processor} do\n      url \"{}/releases/download/v{VERSION}/hookgate-{VERSION}-{triple}.tar.gz\"\n      \
                 sha256 \"{sum}\"\n    end\n",
                env!("CARGO_PKG_REPOSITORY")
            );
        }
        if !blocks.is_empty() {
            let _ = write!(systems, "\n  {system} do\n{blocks}  end\n");
        }
    }
    systems
}
