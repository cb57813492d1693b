//! The table of cmdlets. It is read line by line when a text of PowerShell is, and never built.

/// See the head of the file.
const TABLE: &str = include_str!("cmdlets.txt");

/// A cmdlet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cmdlet {
    /// Its name in full.
    pub(super) name: &'static str,
    parameters: &'static str,
    /// What it does besides.
    pub(super) effects: &'static str,
}

/// A parameter of a cmdlet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    names: &'static str,
    /// What its value is.
    pub(super) role: &'static str,
    /// It can be given without its name.
    pub(super) positional: bool,
    /// It takes all values that follow.
    pub(super) repeats: bool,
}

/// The cmdlet of that name or alias.
pub(super) fn cmdlet(name: &str) -> Option<Cmdlet> {
    TABLE.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut columns = line.split('|').map(str::trim);
        let mut names = columns.next()?.split(' ');
        let first = names.next()?;
        let is_meant =
            first.eq_ignore_ascii_case(name) || names.any(|alias| alias.eq_ignore_ascii_case(name));
        is_meant.then(|| Cmdlet {
            name: first,
            parameters: columns.next().unwrap_or_default(),
            effects: columns.next().unwrap_or_default(),
        })
    })
}

impl Cmdlet {
    /// Its parameters, in the order of their positions.
    pub(super) fn parameters(self) -> impl Iterator<Item = Parameter> {
        self.parameters.split(' ').filter_map(|text| {
            let (names, role) = text.split_once('=')?;
            let (positional, names) = names.strip_prefix('-').map_or((true, names), |names| (false, names));
            let (repeats, role) = role.strip_suffix("...").map_or((false, role), |role| (true, role));
            Some(Parameter { names, role, positional, repeats })
        })
    }

    /// The parameter that a name or the beginning of one means.
    pub(super) fn parameter(self, name: &str) -> Option<Parameter> {
        let exact = |known: &str| known.eq_ignore_ascii_case(name);
        self.parameters().find(|parameter| parameter.names.split(',').any(exact)).or_else(|| {
            self.parameters().find(|parameter| parameter.names.split(',').any(|known| begins(known, name)))
        })
    }
}

/// Parameters without a value, of any cmdlet.
const SWITCHES: &[&str] = &[
    "Recurse",
    "Force",
    "Verbose",
    "Debug",
    "WhatIf",
    "Confirm",
    "Append",
    "NoNewline",
    "NoClobber",
    "PassThru",
    "Hidden",
    "System",
    "Directory",
    "File",
    "ReadOnly",
    "Wait",
    "NoNewWindow",
    "AsJob",
    "UseBasicParsing",
    "Raw",
    "AllMatches",
    "List",
    "Quiet",
    "SimpleMatch",
    "CaseSensitive",
    "NotMatch",
    "Unique",
    "Descending",
    "AutoSize",
    "Wrap",
    "ListAvailable",
    "Compress",
    "AsHashtable",
    "Leaf",
    "Parent",
    "NoTypeInformation",
    "UseCulture",
    "IsValid",
    "Stream",
    "HideTableHeaders",
    "AsByteStream",
    "Line",
    "Word",
    "Character",
    "Sum",
    "Average",
    "Maximum",
    "Minimum",
    "Parallel",
    "FollowSymlink",
    "Resolve",
    "Container",
    "AllowClobber",
    "Detailed",
    "Full",
    "Examples",
    "Online",
    "AsPlainText",
    "Update",
    "SkipCertificateCheck",
    "FromSession",
    "RemoveData",
    "RemoveOEM",
];

/// Parameters with a value that is no path, of any cmdlet.
const VALUES: &[&str] = &[
    "Filter",
    "Include",
    "Exclude",
    "Encoding",
    "Value",
    "ItemType",
    "Type",
    "Depth",
    "Tail",
    "TotalCount",
    "Head",
    "First",
    "Last",
    "Skip",
    "Index",
    "Property",
    "ExpandProperty",
    "ExcludeProperty",
    "Pattern",
    "Context",
    "Delimiter",
    "ErrorAction",
    "ErrorVariable",
    "WarningAction",
    "InformationAction",
    "OutVariable",
    "PipelineVariable",
    "Name",
    "Id",
    "Method",
    "Headers",
    "ContentType",
    "UserAgent",
    "TimeoutSec",
    "MaximumRedirection",
    "Credential",
    "ComputerName",
    "ScriptBlock",
    "Begin",
    "Process",
    "End",
    "FilterScript",
    "Verb",
    "WindowStyle",
    "Seconds",
    "Milliseconds",
    "Format",
    "Message",
    "ForegroundColor",
    "BackgroundColor",
    "Object",
    "InputObject",
    "Separator",
    "Algorithm",
    "PathType",
    "Width",
    "Header",
    "Scope",
    "Session",
    "ThrottleLimit",
    "StartupType",
    "Description",
    "FileSystem",
    "Port",
    "Count",
    "Repository",
    "Version",
    "MinimumVersion",
    "RequiredVersion",
    "CompressionLevel",
    "Target",
    "CommandType",
    "Module",
    "Action",
    "Trigger",
    "ErrorId",
    "Category",
    "EQ",
    "NE",
    "GT",
    "LT",
    "GE",
    "LE",
    "Like",
    "NotLike",
    "Match",
    "In",
    "Contains",
    "Profile",
    "Enabled",
    "Direction",
    "Protocol",
    "LocalPort",
    "Status",
    "ExclusionPath",
    "DisableRealtimeMonitoring",
    "AccountType",
    "NewName",
];

/// How a parameter that is not the cmdlet's own goes on; `None` where it is not known.
pub(super) fn takes_value(name: &str) -> Option<bool> {
    let exact = |known: &&str| known.eq_ignore_ascii_case(name);
    if SWITCHES.iter().any(exact) {
        return Some(false);
    }
    if VALUES.iter().any(exact) {
        return Some(true);
    }
    if SWITCHES.iter().any(|known| begins(known, name)) {
        return Some(false);
    }
    VALUES.iter().any(|known| begins(known, name)).then_some(true)
}

/// Is it a name that the beginning stands for?
pub(super) fn begins(name: &str, beginning: &str) -> bool {
    name.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}
