//! Debian's package. The program is linked statically, so it depends on nothing.

use std::path::{Path, PathBuf};

use super::{VERSION, copied, read, remove, run, write};

/// Where each file of the archive's tree belongs.
const PLACES: &[(&str, &str)] = &[
    ("hookgate", "usr/bin/hookgate"),
    ("man/hookgate.1", "usr/share/man/man1/hookgate.1"),
    ("completions/hookgate.bash", "usr/share/bash-completion/completions/hookgate"),
    ("completions/_hookgate", "usr/share/zsh/vendor-completions/_hookgate"),
    ("completions/hookgate.fish", "usr/share/fish/vendor_completions.d/hookgate.fish"),
    ("LICENSE-APACHE", "usr/share/doc/hookgate/LICENSE-APACHE"),
    ("LICENSE-MIT", "usr/share/doc/hookgate/copyright"),
];

pub(super) fn package(
    workspace: &Path,
    architecture: &str,
    tree: &Path,
    to: &Path,
) -> Result<PathBuf, String> {
    let name = format!("hookgate_{VERSION}_{architecture}");
    let root = to.join("tree").join(&name);
    remove(&root)?;
    for (from, place) in PLACES {
        copied(&tree.join(from), &root.join(place))?;
    }
    let control = String::from_utf8_lossy(&read(&workspace.join("packaging/debian/control"))?)
        .replace("@VERSION@", VERSION)
        .replace("@ARCHITECTURE@", architecture);
    write(&root.join("DEBIAN/control"), control.as_bytes(), 0o644)?;
    copied(&workspace.join("packaging/debian/prerm"), &root.join("DEBIAN/prerm"))?;
    let file = to.join(format!("{name}.deb"));
    let (from, into) = (root.display().to_string(), file.display().to_string());
    run("dpkg-deb", &["--root-owner-group", "--build", &from, &into], to)?;
    Ok(file)
}
