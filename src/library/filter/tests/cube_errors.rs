//! The filter words for kinds of cube errors.

use super::{decision, holds};
use crate::cube::{CubeAction, CubeChoice};
use crate::library::{Answer, Filter};
use crate::review::{Class, CubeErrorKind};

/// Each kind of cube error has a word; quizzes also select right decisions of its class.
#[test]
fn cube_errors_have_words() {
    use CubeAction::{DoubleTake, NoDouble, TooGoodTake};
    use CubeChoice as C;
    let mut one = decision();
    one.state.roll = None;
    for (word, class, played, best) in [
        (
            "missed-double",
            Class::Double,
            C::NoDouble,
            Answer::Best(DoubleTake),
        ),
        (
            "early-double",
            Class::Double,
            C::Double,
            Answer::Best(NoDouble),
        ),
        (
            "too-good-double",
            Class::Double,
            C::Double,
            Answer::Best(TooGoodTake),
        ),
        ("wrong-take", Class::Take, C::Take, Answer::Cube(C::Pass)),
        ("wrong-pass", Class::Take, C::Pass, Answer::Cube(C::Take)),
        (
            "missed-beaver",
            Class::Take,
            C::Take,
            Answer::Cube(C::Beaver),
        ),
        (
            "wrong-beaver",
            Class::Take,
            C::Beaver,
            Answer::Cube(C::Take),
        ),
    ] {
        (one.class, one.played, one.best, one.error) = (class, Answer::Cube(played), best, 0.05);
        for kind in CubeErrorKind::ALL.map(CubeErrorKind::filter) {
            assert_eq!(holds(kind, &one), kind == word, "{kind}: {word}");
            assert_eq!(holds(&format!("!{kind}"), &one), kind != word);
        }
        one.error = 0.01;
        assert!(!holds(word, &one), "{word} is marked");
        let situation = Filter::parse(word).unwrap().of_situation();
        assert_eq!(
            situation,
            Filter::parse(&format!("class:{}", class.filter())).unwrap()
        );
    }
    assert!(!holds("missed-double", &decision()));
}
