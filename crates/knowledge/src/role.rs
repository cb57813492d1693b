//! What an operand or an option's value is.

use crate::kind::Kind;

macro_rules! roles {
    ($($(#[doc = $text:literal])* $role:ident = $name:literal,)*) => {
        /// What an operand or an option's value is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Role {
            $($(#[doc = $text])* $role,)*
        }

        impl Role {
            /// Every role with its name; a compiled table holds positions in this list.
            pub const ALL: &'static [(Role, &'static str)] = &[$((Role::$role, $name),)*];
        }
    };
}

roles! {
    /// Harmless text.
    Text = "text",
    /// A number.
    Number = "number",
    /// A harmless name.
    Name = "name",
    /// A format.
    Format = "format",
    /// A path that is read.
    Read = "read",
    /// A path of settings, or of a key, that the program takes for itself and shows nothing of.
    Settings = "settings",
    /// A path that is written.
    Write = "write",
    /// A path that is added to.
    Append = "append",
    /// A path that is deleted.
    Delete = "delete",
    /// A path that is moved away.
    Move = "move",
    /// A path at which a link is made.
    Link = "link",
    /// A path whose content is lost.
    Destroy = "destroy",
    /// A path whose permissions change.
    Permission = "permission",
    /// A path whose owner changes.
    Ownership = "ownership",
    /// A path that is read and written.
    Edit = "edit",
    /// The call's working directory from here on.
    Directory = "directory",
    /// A URL.
    Url = "url",
    /// A host.
    Host = "host",
    /// A package.
    Package = "package",
    /// A branch.
    Branch = "branch",
    /// A resource of some service.
    Resource = "resource",
    /// A service of the machine.
    Service = "service",
    /// A process.
    Process = "process",
    /// A container.
    Container = "container",
    /// An image.
    Image = "image",
    /// The rest of the arguments are a command that runs.
    Command = "command",
    /// Text that a shell runs.
    Shell = "shell",
    /// A program that runs.
    Program = "program",
    /// The path of a program text that runs.
    Script = "script",
    /// Python text.
    Python = "python",
    /// JavaScript text.
    JavaScript = "javascript",
    /// Perl text.
    Perl = "perl",
    /// Ruby text.
    Ruby = "ruby",
    /// PHP text.
    Php = "php",
    /// AWK text.
    Awk = "awk",
    /// A `sed` script.
    Sed = "sed",
    /// SQL text.
    Sql = "sql",
    /// `NAME=value` for the environment.
    Variable = "variable",
    /// A setting `key=value`.
    KeyValue = "key-value",
    /// The kind of the resources that follow it (`ns prod`); without any, a resource itself (`ns/prod`).
    Kind = "kind",
}

impl Role {
    /// The role of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Role> {
        Role::ALL.iter().find(|(_, known)| *known == name).map(|(role, _)| *role)
    }

    /// Is a word of this role the target of the call's effects?
    #[must_use]
    pub fn names_target(self) -> bool {
        matches!(
            self,
            Role::Package
                | Role::Branch
                | Role::Resource
                | Role::Service
                | Role::Process
                | Role::Container
                | Role::Image
                | Role::Kind
        )
    }

    /// The file effects of a path of this role.
    #[must_use]
    pub fn file_effects(self) -> &'static [Kind] {
        match self {
            Role::Read | Role::Settings => &[Kind::Read],
            Role::Write => &[Kind::Write],
            Role::Append => &[Kind::Append],
            Role::Delete => &[Kind::Delete],
            Role::Move => &[Kind::Move],
            Role::Link => &[Kind::Link],
            Role::Destroy => &[Kind::Destroy],
            Role::Permission => &[Kind::Permission],
            Role::Ownership => &[Kind::Ownership],
            Role::Edit => &[Kind::Read, Kind::Write],
            _ => &[],
        }
    }

    /// Does everything after the first word of this role belong to it, dashes or not?
    #[must_use]
    pub fn takes_the_rest(self) -> bool {
        matches!(self, Role::Command | Role::Script | Role::Shell)
    }
}
