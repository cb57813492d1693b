//! The registry: one row per rule, ordered by group and code. `cargo xtask new-rule GROUP NAME` adds one.

use crate::rule::Rule;

/// Declares the rules' modules and lists them. A row is the name of the rule's folder: its code and its name.
macro_rules! registry {
    ($($group:ident { $($rule:ident,)+ })+) => {
        $(mod $group { $(pub(super) mod $rule;)+ })+

        /// Every rule, in the order of the rows.
        pub(crate) static RULES: &[&Rule] = &[$($(&$group::$rule::RULE,)+)+];
    };
}

registry! {
    gate {
        gate001_change_gate,
        gate002_change_agent_settings,
        gate003_loosen_gate,
        gate004_stop_gate,
        gate005_shadow_gate,
        gate006_uninstall_gate,
        gate007_settings_without_gate,
    }
    file {
        file001_delete_root,
        file002_delete_system_tree,
        file003_delete_system_file,
        file004_delete_outside,
        file005_delete_file_outside,
        file006_delete_project_files,
        file007_write_system_file,
        file008_empty_file,
        file009_change_startup,
        file010_open_to_everyone,
        file011_change_system_permissions,
        file012_change_owner,
        file013_write_program,
        file014_change_outside,
        file015_delete_project_tree,
    }
    git {
        git001_discard_work,
        git002_force_push,
        git003_lease_push,
        git004_delete_branch,
        git005_delete_remote_branch,
        git006_drop_stash,
        git007_rewrite_commits,
        git008_rewrite_history,
        git009_prune_history,
        git010_bypass_hooks,
        git011_change_git_config,
        git012_write_git_directory,
        git013_write_git_hook,
        git014_push,
        git015_skip_commit_hooks,
    }
    commit {
        commit001_missing_sign_off,
        commit002_unsigned,
        commit003_title_form,
        commit004_long_title,
        commit005_body_lines,
        commit006_misplaced_scope,
        commit007_forbidden_word,
        commit008_references,
        commit009_attribution,
        commit010_unexpected_identity,
        commit011_list_spacing,
        commit012_nothing_staged,
        commit013_computed_message,
    }
    pr {
        pr001_pull_request_title,
        pr002_pull_request_body,
        pr003_unlabelled_base,
        pr004_pull_request_words,
    }
    issue {
        issue001_issue_body,
    }
    branch {
        branch001_branch_name,
    }
    push {
        push001_unknown_remote,
        push002_other_remote,
        push003_protected_branch,
        push004_pushed_tag,
    }
    add {
        add001_forbidden_path,
        add002_large_file,
    }
    exec {
        exec001_remote_code,
        exec002_hidden_code,
        exec003_hijack,
        exec004_remote_package,
    }
    sess {
        sess001_tried_again,
        sess101_shared_stash,
        sess102_moved_branch,
        sess103_others_work,
        sess104_others_commit,
        sess105_others_process,
    }
    unk {
        unk001_unknown_program,
        unk002_unknown_target,
        unk003_unknown_command,
        unk004_unparsed,
        unk005_unknown_file,
    }
    perm {
        perm001_missed_deny,
        perm002_missed_ask,
    }
    secret {
        secret001_read_secret,
        secret002_exfiltrate,
        secret003_secret_and_upload,
        secret004_change_secret_file,
        secret005_change_credential,
        secret006_clipboard,
        secret101_embedded_secret,
        secret102_likely_secret,
        secret103_secret_in_result,
    }
    sys {
        sys001_privilege,
        sys002_service,
        sys003_machine,
        sys004_device,
        sys005_kill_everything,
        sys006_schedule,
        sys007_exhaust,
        sys008_install_global,
        sys009_install,
        sys010_uninstall,
        sys011_kill,
    }
    net {
        net001_remote_control,
        net002_listen,
        net003_remote_shell,
        net004_upload,
        net005_download,
        net006_drop_site,
    }
    agent {
        agent001_agent,
        agent002_unguarded_agent,
        agent003_change_what_an_agent_loads,
        agent004_doubtful_agent,
        agent005_change_agent,
    }
    remote {
        remote001_remote_delete,
        remote002_remote_change,
    }
    publish {
        publish001_publish,
    }
    cloud {
        cloud001_cloud_destroy,
        cloud002_cloud_change,
    }
    cluster {
        cluster001_cluster_destroy,
        cluster002_cluster_change,
    }
    infra {
        infra001_infrastructure_destroy,
        infra002_apply_unseen,
        infra003_apply,
        infra004_destroy_store,
    }
    db {
        db001_database_destroy,
        db002_database_change,
    }
    cont {
        cont001_container_destroy,
        cont002_container_escape,
        cont003_container_change,
    }
    read {
        read001_nothing,
        read002_read_files,
        read003_remote_read,
        read004_database_read,
        read005_fetch,
        read006_check,
        read007_fetch_here,
        read008_fetch_public,
    }
    dev {
        dev001_project_tools,
        dev002_project_code,
        dev003_project_files,
        dev004_local_git,
    }
    conf {
        conf001_weaken_protected,
        conf002_add_suppression,
    }
    src {
        src001_break_syntax,
        src002_invalid_syntax,
        src003_conflict_marker,
        src004_generated_file,
        src005_lock_file,
        src006_large_write,
        src007_binary_write,
        src008_open_task,
        src009_markdown_structure,
        src010_unpinned_action,
        src011_unversioned_action,
        src012_workflow_injection,
        src013_workflow_permissions,
    }
    pkg {
        pkg001_other_manager,
        pkg002_unlisted_subcommand,
    }
}
