//! The description of the keys is a tree. That its examples are read is tested in `rules`, with the rules that there are.

use hookgate_policy::keys::{KEYS, children};

#[test]
fn every_key_stands_below_one_that_has_keys() {
    for key in KEYS {
        if let Some((parent, name)) = key.path.rsplit_once('.') {
            assert!(KEYS.iter().any(|other| other.path == parent), "{} has no parent", key.path);
            assert!(children(parent).any(|child| child == name), "{}", key.path);
        }
    }
}
