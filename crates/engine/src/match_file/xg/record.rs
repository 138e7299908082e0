//! The records of a match, read by offset. A record is complete, so all offsets are valid; fields are checked
//! at their use.

use super::container::{RECORD, pascal, wide};
use crate::game::position::Side;
use crate::game::{Play, Position, Roll};
use crate::match_file::analysis::{
    Analysis, Chances, CubeUnit, CubeVerdict, MOST_PLAYS, PlayVerdict,
};
use crate::match_file::date::civil;
use crate::notation::WrittenPlay;

/// The name of the program in analyses.
pub(super) const PROGRAM: &str = "eXtreme Gammon";

/// Size of a position, in bytes.
const BOARD: usize = 26;
/// The figure of a decision that was not analysed.
const NONE: f64 = -1000.0;

/// Days from the end of 1899 to 1 January 1970.
const TO_1970: i64 = 25_569;

#[derive(Clone, Copy)]
pub(super) struct Record<'a>(&'a [u8]);

impl<'a> Record<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        (bytes.len() == RECORD).then_some(Self(bytes))
    }

    pub(super) fn kind(&self) -> u8 {
        self.0[8]
    }

    pub(super) fn bytes(&self, at: usize, length: usize) -> &'a [u8] {
        self.0.get(at..at + length).unwrap_or(&[])
    }

    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        self.bytes(at, N).try_into().unwrap_or([0; N])
    }

    pub(super) fn u8(&self, at: usize) -> u8 {
        self.array::<1>(at)[0]
    }

    fn i8(&self, at: usize) -> i8 {
        self.u8(at) as i8
    }

    fn i16(&self, at: usize) -> i16 {
        i16::from_le_bytes(self.array(at))
    }

    pub(super) fn i32(&self, at: usize) -> i32 {
        i32::from_le_bytes(self.array(at))
    }

    fn f32(&self, at: usize) -> f64 {
        f64::from(f32::from_le_bytes(self.array(at)))
    }

    pub(super) fn f64(&self, at: usize) -> f64 {
        f64::from_le_bytes(self.array(at))
    }

    /// Returns a figure, if it was computed.
    fn figure(&self, at: usize) -> Option<f64> {
        let value = self.f64(at);
        (value.is_finite() && value > NONE && value.abs() < 1000.0).then_some(value)
    }

    pub(super) fn pascal(&self, at: usize, size: usize) -> String {
        pascal(self.bytes(at, size))
    }

    /// Reads a UTF-16 text of up to 128 units.
    pub(super) fn wide(&self, at: usize) -> String {
        wide(self.bytes(at, 258))
    }

    /// Reads a date, in days since the end of 1899, as `2026.11.20`.
    pub(super) fn date(&self, at: usize) -> Option<String> {
        let days = self.f64(at);
        if !(20_000.0..80_000.0).contains(&days) {
            return None;
        }
        let [year, month, day] = civil(days as i64 - TO_1970);
        Some(format!("{year:04}.{month:02}.{day:02}"))
    }

    /// Returns the position before a decision; `None` also for a finished game, as in records without a
    /// position.
    pub(super) fn position(&self, at: usize) -> Option<Position> {
        self.board(at).filter(|position| !position.is_over())
    }

    /// Returns whether the bytes of a position are neither empty nor valid.
    pub(super) fn has_damaged_board(&self, at: usize) -> bool {
        self.board(at).is_none() && self.bytes(at, BOARD).iter().any(|&count| count != 0)
    }

    /// Returns the position after a play, which may end the game, seen by the next player.
    fn position_after(&self, at: usize) -> Option<Position> {
        self.board(at).map(|position| position.flipped())
    }

    /// Reads 26 counts: the points of the positive side, its bar at 25, the other side's bar at 0. `None` if
    /// they are invalid.
    fn board(&self, at: usize) -> Option<Position> {
        let mut own = [0u8; BOARD];
        let mut other = [0u8; BOARD];
        for i in 0..BOARD {
            let count = self.i8(at + i);
            match count.signum() {
                1 if i > 0 => own[i] = count.unsigned_abs(),
                -1 if i < 25 => other[25 - i] = count.unsigned_abs(),
                0 => {}
                _ => return None,
            }
        }
        Position::new(Side::new(&own).ok()?, Side::new(&other).ok()?).ok()
    }

    /// Reads seven numbers: the chances of losing, then those of winning, then the equity.
    fn evaluation(&self, at: usize) -> (Option<Chances>, f64) {
        let n = |i: usize| self.f32(at + 4 * i);
        (Chances::new([n(3), n(4), n(5), n(1), n(0)]), n(6))
    }
}

/// Returns the depth of an analysis in XG's words.
fn level(number: i16) -> String {
    match number {
        0..=6 => format!("{}-ply", number + 1),
        12 => "3-ply red".to_owned(),
        100 => "rollout".to_owned(),
        998 | 999 => "opening book".to_owned(),
        1000 => "XG Roller".to_owned(),
        1001 => "XG Roller+".to_owned(),
        1002 => "XG Roller++".to_owned(),
        _ => "level not known".to_owned(),
    }
}

#[derive(Clone, Copy)]
pub(super) struct CubeRecord<'a>(pub(super) Record<'a>);

impl CubeRecord<'_> {
    /// Returns the analysis of the cube from XG's three figures; `None` if they are missing.
    pub(super) fn verdict(&self) -> Option<CubeVerdict> {
        let record = &self.0;
        let [no_double, take, pass] = [88, 92, 96].map(|at| record.f32(64 + at));
        let figures = [no_double, take, pass];
        let sensible = |x: &f64| x.is_finite() && x.abs() < 100.0;
        if !figures.iter().all(sensible) || figures.iter().all(|&x| x == 0.0) {
            return None;
        }
        let (chances, _) = record.evaluation(64 + 60);
        Some(CubeVerdict {
            level: level(record.i32(64 + 28).clamp(-1, 2000) as i16),
            unit: CubeUnit::Points,
            no_double: Some(no_double),
            double_take: Some(take),
            double_pass: Some(pass),
            chances,
            error: record.figure(200).map(f64::abs),
            answer_error: None,
        })
    }

    /// Returns the analysis of doubling or not doubling.
    pub(super) fn analysis(&self) -> Option<Analysis> {
        let cube = self.verdict()?;
        Some(Analysis {
            program: PROGRAM.to_owned(),
            cube: Some(cube),
            ..Analysis::default()
        })
    }

    /// Returns the analysis of the answer to a double.
    pub(super) fn answer(&self) -> Option<Analysis> {
        let mut cube = self.verdict()?;
        cube.error = None;
        cube.answer_error = self.0.figure(216).map(f64::abs);
        Some(Analysis {
            program: PROGRAM.to_owned(),
            cube: Some(cube),
            ..Analysis::default()
        })
    }
}

/// A roll and its play.
#[derive(Clone, Copy)]
pub(super) struct MoveRecord<'a>(pub(super) Record<'a>);

impl MoveRecord<'_> {
    pub(super) fn dice(&self) -> Option<Roll> {
        let die = |at: usize| u8::try_from(self.0.i32(at)).ok();
        Roll::new(die(100)?, die(104)?)
    }

    /// Returns the number of the remark, negative if there is none.
    pub(super) fn comment(&self) -> i32 {
        self.0.i32(2524)
    }

    /// Returns the play; `None` if it was never entered.
    pub(super) fn steps(&self) -> Option<WrittenPlay> {
        let numbers: [i32; 8] = std::array::from_fn(|i| self.0.i32(68 + 4 * i));
        if numbers == [0; 8] {
            return None;
        }
        Some(written(numbers.chunks(2).map(|pair| (pair[0], pair[1]))))
    }

    /// Returns whether the record marks the play as illegal.
    pub(super) fn is_invalid(&self) -> bool {
        self.0.i32(2480) != 0
    }

    /// Returns the position after the play, seen by the next player.
    pub(super) fn after(&self) -> Option<Position> {
        self.0.position_after(35)
    }

    /// Returns XG's candidates, without duplicates and at most `room`. `find` converts the steps, or the
    /// resulting position, to a legal play.
    pub(super) fn analysis(
        &self,
        room: usize,
        find: impl Fn(&WrittenPlay, Option<Position>) -> Option<Play>,
    ) -> Option<Analysis> {
        const BLOCK: usize = 124;
        let record = &self.0;
        let count = usize::try_from(record.i32(BLOCK + 64)).unwrap_or(0);
        let mut analysis = Analysis {
            program: PROGRAM.to_owned(),
            error: record.figure(2312).map(f64::abs),
            luck: record.figure(2320),
            ..Analysis::default()
        };
        for i in 0..count.min(MOST_PLAYS) {
            if analysis.plays.len() >= room {
                break;
            }
            let at = BLOCK + 900 + 8 * i;
            let steps = (0..4).map(|s| {
                let number = |n: usize| i32::from(record.i8(at + 2 * s + n));
                (number(0), number(1))
            });
            let after = record.position_after(BLOCK + 68 + 26 * i);
            let (chances, equity) = record.evaluation(BLOCK + 1284 + 28 * i);
            let is_new = |play: &Play| analysis.plays.iter().all(|known| known.play != *play);
            let play = find(&written(steps), after).filter(is_new);
            if let Some(play) = play.filter(|_| equity.is_finite() && equity.abs() < 100.0) {
                analysis.plays.push(PlayVerdict {
                    play,
                    level: level(record.i16(BLOCK + 1156 + 4 * i)),
                    equity,
                    chances,
                });
            }
        }
        analysis.plays.shrink_to_fit();
        // They keep XG's order, in which deeper analysis comes first.
        let plays = &analysis.plays;
        let found = !plays.is_empty() || analysis.error.is_some() || analysis.luck.is_some();
        found.then_some(analysis)
    }
}

fn place(number: i32) -> u8 {
    number.saturating_add(1).clamp(0, 25) as u8
}

/// Converts steps of XG: the mover's points less one, 24 for the bar, below 0 for off.
fn written(steps: impl Iterator<Item = (i32, i32)>) -> WrittenPlay {
    let steps: Vec<(u8, u8)> = steps
        .take_while(|&(from, _)| from >= 0)
        .map(|(from, to)| (place(from), place(to)))
        .collect();
    WrittenPlay::of_steps(&steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;

    #[test]
    fn steps_from_and_to_anywhere() {
        let steps = [(23, 17), (24, -1), (i32::MAX, i32::MIN), (-1, 9), (5, 2)];
        let text = written(steps.into_iter()).text();
        assert_eq!(text, "24/18 bar/off bar/off");
    }

    #[test]
    fn each_candidate_is_kept_once_while_there_is_room() {
        let mut bytes = vec![0u8; RECORD];
        bytes[188] = 3;
        // Steps in XG's numbers.
        for (i, (from, to)) in [(7, 4), (7, 4), (5, 4)].into_iter().enumerate() {
            let at = 1024 + 8 * i;
            bytes[at..at + 3].copy_from_slice(&[from, to, u8::MAX]);
        }
        let record = MoveRecord(Record::new(&bytes).unwrap());
        let [long, short] = [8, 6].map(|from| Play::new(&[Step { from, to: 5 }]));
        let find = |steps: &WrittenPlay, _| match steps.text().as_str() {
            "8/5" => Some(long),
            _ => Some(short),
        };
        for (room, wanted) in [(9, &[long, short][..]), (1, &[long][..]), (0, &[][..])] {
            let found = record.analysis(room, find).unwrap();
            let plays: Vec<Play> = found.plays.iter().map(|one| one.play).collect();
            assert_eq!(plays, wanted, "{room}");
        }
    }

    #[test]
    fn days_are_dates() {
        for (days, date) in [
            (25_569.0, "1970.01.01"),
            (36_585.0, "2000.02.29"),
            (46_346.4, "2026.11.20"),
        ] {
            let mut bytes = vec![0u8; RECORD];
            bytes[128..136].copy_from_slice(&f64::to_le_bytes(days));
            let record = Record::new(&bytes).unwrap();
            assert_eq!(record.date(128).as_deref(), Some(date));
        }
    }
}
