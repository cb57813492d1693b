//! The rooms of ARCHITECTURE.md stand in the order of their dependencies: a room names none that stands behind it.

use std::fs;
use std::path::Path;

#[test]
fn a_room_depends_on_rooms_to_its_left() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let rooms: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate |"))
        .skip(2)
        .map_while(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    let mut folders: Vec<String> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    let mut named = rooms.clone();
    named.sort_unstable();
    assert_eq!(named, folders, "every crate is a room of the table");

    for (place, room) in rooms.iter().enumerate() {
        let manifest = fs::read_to_string(root.join("crates").join(room).join("Cargo.toml")).unwrap();
        let dependencies = manifest
            .lines()
            .skip_while(|line| *line != "[dependencies]")
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.strip_prefix("hookgate-")?.split_once(['.', ' ']));
        for (dependency, _) in dependencies {
            let Some(other) = rooms.iter().position(|room| *room == dependency) else {
                panic!("{room} depends on {dependency}, which is no room");
            };
            assert!(other < place, "{room} depends on {dependency}, which stands behind it");
        }
    }
}
