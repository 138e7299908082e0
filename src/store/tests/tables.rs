use super::damaged_files::KINDS;

/// Users' files have the tables of their version. A change of the tables needs a new version.
#[test]
fn a_change_of_tables_is_a_new_version() {
    let found = KINDS.map(|kind| {
        let sum = crc32fast::hash(kind.schema.as_bytes());
        (kind.file, kind.version, sum)
    });
    let expected = [
        ("reviews.sqlite", 4, 2_776_868_167),
        ("rollouts.sqlite", 2, 3_640_107_338),
        ("notes.sqlite", 2, 1_388_062_432),
        ("library.sqlite", 1, 630_152_860),
        ("study.sqlite", 1, 4_007_645_768),
    ];
    assert_eq!(found, expected, "a new version is missing");
}
