//! What an event's own text wrote, and something that it starts may run.

use super::{language_of_name, shebang};
use crate::context::Context;
use crate::effect::{Effect, Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Role};
use crate::paths;
use crate::programs::unread;
use crate::state::Written;
use hookgate_shell::{Limits, parse};

impl Context<'_> {
    /// Where the project's code runs, what this very text wrote of it may run as well; and where git runs hooks, what it
    /// wrote of them.
    pub(crate) fn run_written(&mut self, first_effect: usize) {
        self.build_of_input(first_effect);
        self.fed_to_unknown(first_effect);
        if self.scope().tries_written || self.state.written().is_empty() {
            return;
        }
        self.starts_written(first_effect);
        let index = self.scope().call;
        let own = |effect: &&Effect| effect.call == index;
        let new = || self.found.effects.iter().skip(first_effect).filter(own);
        let code = new().any(|effect| match effect.kind {
            Kind::ProjectCode | Kind::Test | Kind::Build | Kind::Lint | Kind::Format | Kind::Generate => true,
            Kind::Install => matches!(&effect.target, Some(Target::Name(name)) if name.starts_with('.')),
            // Nobody knows what it reads.
            Kind::Unknown(Unknown::Program) => {
                matches!(&effect.target, Some(Target::Name(name)) if !name.starts_with('-'))
            }
            _ => false,
        });
        let hooks = new().any(|effect| {
            matches!(effect.kind, Kind::GitCommit | Kind::GitPush | Kind::GitChange | Kind::GitFetch)
        });
        let named = |path: &str| {
            new().any(|effect| {
                effect.kind == Kind::ProjectCode
                    && matches!(&effect.target, Some(Target::Path(fact)) if fact.path == path)
            })
        };
        let files: Vec<Written> = self
            .state
            .written()
            .iter()
            .filter(|file| {
                let hook = file.path.contains("/.git/hooks/") || file.path.contains("/.husky/");
                let project = paths::is_within(&file.path, &self.places().project);
                // What the call writes itself is what comes out of it: a formatter runs none of the sources.
                let result = file.call.is_some() && file.call == index;
                project && !result && !named(&file.path) && (if hook { hooks } else { code })
            })
            .cloned()
            .collect();
        self.within(
            |scope| scope.tries_written = true,
            |context| {
                for file in files {
                    context.try_written(&file);
                }
            },
        );
    }

    /// Containers that are started as a file says that the text wrote.
    fn starts_written(&mut self, first_effect: usize) {
        let index = self.scope().call;
        let starts = |effect: &Effect| {
            effect.call == index && matches!(effect.kind, Kind::ContainerChange | Kind::ClusterChange)
        };
        if !self.found.effects.iter().skip(first_effect).any(starts) {
            return;
        }
        let lets_out = |file: &Written| {
            let manifest = [".yml", ".yaml"].iter().any(|ending| file.path.ends_with(ending));
            manifest
                && matches!(&file.data, Data::Text(text) | Data::Partial(text)
                    if unread::has_part("commands/words/escaping-manifests", text))
        };
        if self.state.written().iter().any(lets_out) {
            self.possibly(|context| context.effect(Kind::ContainerEscape));
            self.annotate("as a file says that the same text writes");
        }
    }

    /// A program that nobody knows may be a shell: lines that read as commands, which it is fed, may run.
    fn fed_to_unknown(&mut self, first_effect: usize) {
        let Data::Text(text) = self.input().clone() else { return };
        let index = self.scope().call;
        let unknown = |effect: &Effect| {
            effect.call == index
                && effect.kind == Kind::Unknown(Unknown::Program)
                && matches!(&effect.target, Some(Target::Name(name)) if knowledge::program(name).is_none())
        };
        if !self.found.effects.iter().skip(first_effect).any(unknown) {
            return;
        }
        // A sentence often begins like a command (`make sure it's there`), and rarely reads like one.
        let reads = |line: &&str| parse(line, &Limits::default()).problems.is_empty();
        let commands: Vec<&str> =
            text.lines().filter(|line| unread::is_command(line)).filter(reads).collect();
        if !commands.is_empty() {
            let commands = commands.join("\n");
            self.possibly(|context| context.in_subshell(|context| context.run_shell_text(&commands)));
        }
    }

    /// What a file does that the text wrote, if whatever runs here comes to it.
    fn try_written(&mut self, file: &Written) {
        let text = match &file.data {
            Data::Text(text) | Data::Partial(text) => text.as_str(),
            _ => "",
        };
        let hook = file.path.contains("/.husky/") || file.path.contains("/.git/hooks/");
        let language = if text.starts_with("#!") || language_of_name(&file.path).is_some() {
            shebang(text, &file.path)
        } else {
            hook.then_some(Role::Shell)
        };
        // The commands that it names may run, whatever calls them.
        let named = Field::of(file.path.clone(), self.scope().span);
        if language != Some(Role::Shell) {
            self.possibly(|context| unread::spoken_in_file(context, &file.path, text, &named));
        }
        let Some(language) = language else { return };
        if self.left.written == 0 {
            return self.unread(&file.path, self.scope().span);
        }
        self.left.written -= 1;
        let field = Field::of(file.path.clone(), self.scope().span);
        match &file.data {
            Data::Text(_) | Data::Partial(_) => self.possibly(|context| {
                context.in_subshell(|context| context.run_inside(text, language, &[], &field));
            }),
            Data::Network(_) | Data::Decoded => {
                self.possibly(|context| context.run_data(language, &file.data));
            }
            Data::File(_) => {}
            _ => self.doubt(self.scope().span, "may run what this text wrote"),
        }
    }
}
