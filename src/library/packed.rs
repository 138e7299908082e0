//! A decision as a record of fixed length, in which it is stored and searched.
//!
//! The board is stored as cumulative counts for each side, in its own numbering: the number of checkers on a place or
//! closer to home, from borne off (place 0) to the bar (place 25), four bits each. The summed difference of two such
//! rows is the transport distance of the positions; differences of neighbours are the checkers. All numbers are
//! little-endian, so that files are portable.

use bytemuck::{Pod, Zeroable};

use super::decision::{Answer, Decision};
use crate::cube::{CubeAction, CubeChoice};
use crate::eval::Probabilities;
use crate::game::position::{BAR, OFF};
use crate::game::{
    CubeOwner, GameState, MatchScore, Play, Player, Position, Roll, Rules, Side, Step,
};
use crate::match_file::EventPlace;
use crate::review::{Class, PositionType};

/// Bytes per side.
pub const SIDE: usize = (BAR + 1).div_ceil(2);

/// Flags of [`PackedDecision`].
mod flag {
    pub(super) const RIGHT: u16 = 1;
    pub(super) const SILENT: u16 = 1 << 1;
    pub(super) const IN_PR: u16 = 1 << 2;
    pub(super) const ROLLED: u16 = 1 << 3;
    pub(super) const CRAWFORD: u16 = 1 << 4;
    pub(super) const JACOBY: u16 = 1 << 5;
    pub(super) const BEAVERS: u16 = 1 << 6;
    pub(super) const NO_CRAWFORD: u16 = 1 << 7;
    pub(super) const DOUBLED: u16 = 1 << 8;
}

/// A [`Decision`] in a hundred bytes, without alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PackedDecision {
    /// Cumulative checker counts of the player who decides and of the opponent.
    pub sides: [[u8; SIDE]; 2],
    class: u8,
    kind: u8,
    flags: [u8; 2],
    owner: u8,
    /// Exponent of the cube value, a power of two.
    cube: u8,
    /// Index of the roll among the 21, from 1; 0 for none.
    dice: u8,
    ply: u8,
    game: [u8; 4],
    event: [u8; 4],
    turn: [u8; 4],
    number: [u8; 4],
    length: [u8; 2],
    /// Points of the player who decides and of the opponent.
    score: [[u8; 2]; 2],
    played: [u8; 8],
    best: [u8; 8],
    error: [u8; 4],
    loss: [u8; 4],
    equity: [u8; 4],
    luck: [u8; 4],
    /// Chances in units of 1/65535.
    chances: [[u8; 2]; 5],
}

/// End of a play.
const NO_STEP: u8 = 0xff;
/// Marks a cube action; its number follows.
const CUBE: u8 = 0xfe;
/// Marks the best cube actions of both players.
const BEST: u8 = 0xfd;

// Records contain indices into these arrays: entries may only be appended.
const CLASSES: [Class; 3] = [Class::Checker, Class::Double, Class::Take];
const KINDS: [PositionType; 10] = [
    PositionType::Opening,
    PositionType::MiddleGame,
    PositionType::Blitz,
    PositionType::Priming,
    PositionType::Holding,
    PositionType::AcePoint,
    PositionType::BackGame,
    PositionType::ContactBearoff,
    PositionType::Race,
    PositionType::Bearoff,
];
const CHOICES: [CubeChoice; 5] = [
    CubeChoice::NoDouble,
    CubeChoice::Double,
    CubeChoice::Take,
    CubeChoice::Pass,
    CubeChoice::Beaver,
];
const ACTIONS: [CubeAction; 7] = [
    CubeAction::NoDouble,
    CubeAction::DoubleTake,
    CubeAction::DoublePass,
    CubeAction::TooGoodTake,
    CubeAction::TooGoodPass,
    CubeAction::NoDoubleBeaver,
    CubeAction::DoubleBeaver,
];
const OWNERS: [CubeOwner; 3] = [CubeOwner::Centred, CubeOwner::Mover, CubeOwner::Opponent];

impl From<&Decision> for PackedDecision {
    fn from(one: &Decision) -> Self {
        let state = &one.state;
        let Probabilities {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        } = one.chances;
        let chances = [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ];
        let flags = [
            (one.player == Player::Right, flag::RIGHT),
            (one.silent, flag::SILENT),
            (one.in_pr, flag::IN_PR),
            (one.rolled, flag::ROLLED),
            (state.score.crawford, flag::CRAWFORD),
            (state.rules.jacoby, flag::JACOBY),
            (state.rules.beavers, flag::BEAVERS),
            (state.rules.no_crawford, flag::NO_CRAWFORD),
            (state.doubled, flag::DOUBLED),
        ];
        let flags = flags
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, bit)| bit)
            .sum::<u16>();
        Self {
            sides: sums(&state.position),
            class: place(&CLASSES, &one.class),
            kind: place(&KINDS, &one.kind),
            flags: flags.to_le_bytes(),
            owner: place(&OWNERS, &state.owner),
            cube: state.cube.max(1).ilog2() as u8,
            dice: state.roll.map_or(0, |roll| roll.index() as u8 + 1),
            ply: one.ply,
            game: one.game.to_le_bytes(),
            event: one.event.to_le_bytes(),
            turn: one.turn.to_le_bytes(),
            number: one.number.to_le_bytes(),
            length: state.score.length.to_le_bytes(),
            score: [state.score.mover, state.score.opponent].map(u16::to_le_bytes),
            played: answer_bytes(&one.played),
            best: answer_bytes(&one.best),
            error: one.error.to_le_bytes(),
            loss: one.loss.to_le_bytes(),
            equity: one.equity.to_le_bytes(),
            luck: one.luck.to_le_bytes(),
            chances: chances
                .map(|chance| (chance.clamp(0.0, 1.0) * 65535.0).round() as u16)
                .map(u16::to_le_bytes),
        }
    }
}

impl PackedDecision {
    /// Returns the records in these bytes; `None` if their number is not a whole number of records.
    pub fn read(bytes: &[u8]) -> Option<&[Self]> {
        bytemuck::try_cast_slice(bytes).ok()
    }

    /// Unpacks the decision; `None` if the bytes are invalid.
    pub fn unpack(&self) -> Option<Decision> {
        let is = |bit| self.has(bit);
        let state = GameState {
            position: self.position()?,
            cube: self.cube_value()?,
            owner: *OWNERS.get(usize::from(self.owner))?,
            score: MatchScore {
                length: self.length(),
                mover: u16::from_le_bytes(self.score[0]),
                opponent: u16::from_le_bytes(self.score[1]),
                crawford: self.is_crawford(),
            },
            rules: Rules {
                jacoby: is(flag::JACOBY),
                beavers: is(flag::BEAVERS),
                no_crawford: is(flag::NO_CRAWFORD),
            },
            roll: self.roll()?,
            doubled: is(flag::DOUBLED),
        };
        Some(Decision {
            game: u32::from_le_bytes(self.game),
            event: u32::from_le_bytes(self.event),
            turn: u32::from_le_bytes(self.turn),
            number: u32::from_le_bytes(self.number),
            player: self.player(),
            class: self.class()?,
            kind: self.kind()?,
            state,
            played: answer(&self.played)?,
            best: answer(&self.best)?,
            error: self.error(),
            loss: self.loss(),
            equity: f32::from_le_bytes(self.equity),
            chances: self.chances(),
            luck: f32::from_le_bytes(self.luck),
            ply: self.ply,
            rolled: is(flag::ROLLED),
            in_pr: is(flag::IN_PR),
            silent: self.is_silent(),
        })
    }

    /// Returns whether a bit of [`flag`] is set.
    fn has(&self, bit: u16) -> bool {
        u16::from_le_bytes(self.flags) & bit != 0
    }

    /// The player who decides.
    pub fn player(&self) -> Player {
        match self.has(flag::RIGHT) {
            true => Player::Right,
            false => Player::Left,
        }
    }

    /// Returns whether it is a decision not to double, made by rolling.
    pub fn is_silent(&self) -> bool {
        self.has(flag::SILENT)
    }

    pub fn is_crawford(&self) -> bool {
        self.has(flag::CRAWFORD)
    }

    /// Its game and event in the match.
    pub fn place(&self) -> EventPlace {
        (self.game() as usize, self.event() as usize)
    }

    /// The class of the decision; `None` if the byte is invalid.
    pub fn class(&self) -> Option<Class> {
        CLASSES.get(usize::from(self.class)).copied()
    }

    pub fn kind(&self) -> Option<PositionType> {
        KINDS.get(usize::from(self.kind)).copied()
    }

    /// Match length in points.
    pub fn length(&self) -> u16 {
        u16::from_le_bytes(self.length)
    }

    /// Points that the player who decides and the opponent still need; `None` in money play.
    pub fn away(&self) -> Option<(u16, u16)> {
        let length = self.length();
        (length > 0).then(|| {
            let [own, other] = self
                .score
                .map(|points| length.saturating_sub(u16::from_le_bytes(points)));
            (own, other)
        })
    }

    /// The cube value; `None` if the byte is invalid.
    pub fn cube_value(&self) -> Option<u32> {
        1u32.checked_shl(u32::from(self.cube))
    }

    /// The roll, if there is one; `None` if the byte is invalid.
    pub fn roll(&self) -> Option<Option<Roll>> {
        match usize::from(self.dice) {
            0 => Some(None),
            n => Roll::ALL.get(n - 1).map(|roll| Some(*roll)),
        }
    }

    /// The player who may double next.
    pub fn owner(&self) -> Option<CubeOwner> {
        OWNERS.get(usize::from(self.owner)).copied()
    }

    /// Search depth of the figures.
    pub fn ply(&self) -> u8 {
        self.ply
    }

    pub fn number(&self) -> u32 {
        u32::from_le_bytes(self.number)
    }

    /// Index of its game in the match.
    pub fn game(&self) -> u32 {
        u32::from_le_bytes(self.game)
    }

    /// Index of its event in the game.
    pub fn event(&self) -> u32 {
        u32::from_le_bytes(self.event)
    }

    /// Error in points.
    pub fn error(&self) -> f32 {
        f32::from_le_bytes(self.error)
    }

    /// Error as match-winning chance, or in points multiplied by the cube.
    pub fn loss(&self) -> f32 {
        f32::from_le_bytes(self.loss)
    }

    /// Chances for the player who decides.
    pub fn chances(&self) -> Probabilities {
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ] = self
            .chances
            .map(|part| f32::from(u16::from_le_bytes(part)) / 65535.0);
        Probabilities {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        }
    }

    /// Pip counts of the player who decides and of the opponent.
    pub fn pips(&self) -> [u32; 2] {
        // Each place that a checker must still cross leaves it out of one cumulative count.
        self.sides.map(|side| {
            let sum: u32 = side
                .iter()
                .map(|&b| u32::from(b & 15) + u32::from(b >> 4))
                .sum();
            (15 * (BAR as u32 + 1)).saturating_sub(sum)
        })
    }

    /// The checkers of each side by place, borne off to bar; `None` if the cumulative counts are invalid.
    pub fn checkers(&self) -> Option<[[u8; BAR + 1]; 2]> {
        let mut all = [[0; BAR + 1]; 2];
        for (counts, side) in all.iter_mut().zip(&self.sides) {
            let mut before = 0;
            for (place, count) in counts.iter_mut().enumerate() {
                let sum = side[place / 2] >> (4 * (place % 2)) & 15;
                *count = sum.checked_sub(before)?;
                before = sum;
            }
            (before == 15).then_some(())?;
        }
        Some(all)
    }

    pub fn position(&self) -> Option<Position> {
        let [mover, opponent] = self.checkers()?;
        Position::new(Side::new(&mover).ok()?, Side::new(&opponent).ok()?).ok()
    }
}

/// The cumulative counts of a position; see the [module](self).
pub fn sums(position: &Position) -> [[u8; SIDE]; 2] {
    [&position.mover, &position.opponent].map(|side| {
        let (mut bytes, mut sum) = ([0; SIDE], 0);
        for place in OFF..=BAR {
            sum += side.at(place);
            bytes[place / 2] |= sum << (4 * (place % 2));
        }
        bytes
    })
}

fn place<T: PartialEq>(all: &[T], one: &T) -> u8 {
    all.iter().position(|other| other == one).unwrap_or(0xff) as u8
}

fn answer_bytes(answer: &Answer) -> [u8; 8] {
    let mut bytes = [NO_STEP; 8];
    match answer {
        Answer::Play(play) => {
            for (pair, step) in bytes.chunks_exact_mut(2).zip(play.steps()) {
                pair.copy_from_slice(&[step.from, step.to]);
            }
        }
        Answer::Cube(choice) => bytes[..2].copy_from_slice(&[CUBE, place(&CHOICES, choice)]),
        Answer::Best(action) => bytes[..2].copy_from_slice(&[BEST, place(&ACTIONS, action)]),
    }
    bytes
}

fn answer(bytes: &[u8; 8]) -> Option<Answer> {
    let number = usize::from(bytes[1]);
    match bytes[0] {
        CUBE => return CHOICES.get(number).copied().map(Answer::Cube),
        BEST => return ACTIONS.get(number).copied().map(Answer::Best),
        _ => {}
    }
    let mut steps = Vec::with_capacity(4);
    for pair in bytes.chunks_exact(2).take_while(|pair| pair[0] != NO_STEP) {
        let (from, to) = (pair[0], pair[1]);
        let is_place = |place: u8| usize::from(place) <= BAR;
        (is_place(from) && is_place(to)).then_some(())?;
        steps.push(Step { from, to });
    }
    Some(Answer::Play(Play::new(&steps)))
}
