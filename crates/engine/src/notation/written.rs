//! A play as written, and its resolution to a legal play.

use super::play::{PlayError, dice, hits, play_text, push_place};
use super::shown::shown;
use crate::game::position::{BAR, OFF, POINTS};
use crate::game::{Play, PlayList, Position, Roll, Side};

/// Maximum number of steps that are parsed; a play has at most four.
const MOST_LEGS: usize = 16;
/// Number of legal plays listed in an error.
const LISTED: usize = 4;

/// A parsed play, independent of a position: entries `a/b`, `a/b/c`, `a/b(2)`, separated by blanks or commas.
/// `-` may replace `/`, the bar is `bar` or `25`, off is `off` or `0`, and `*` may follow any place; case is
/// ignored. An entry may merge steps (`24/14` for 6-4).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WrittenPlay {
    entries: Vec<Entry>,
}

/// One or more checkers with the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// The written places, each with its star.
    places: Vec<(u8, bool)>,
    times: u8,
}

/// The legal play that a text means.
#[derive(Debug, Clone)]
pub struct Resolved {
    pub play: Play,
    /// The text determines all hits on the way.
    pub certain: bool,
    /// Legal plays that move the same checkers but hit others.
    pub others: Vec<Play>,
}

impl WrittenPlay {
    /// Returns whether no checker moves.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Creates a play of single steps, each from one place to another (25 = bar, 0 = off).
    pub fn of_steps(steps: &[(u8, u8)]) -> Self {
        let place = |p: u8| (p.min(BAR as u8), false);
        let entries = steps.iter().take(MOST_LEGS).map(|&(from, to)| Entry {
            places: vec![place(from), place(to)],
            times: 1,
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// Returns the play as text, close to the written form.
    pub fn text(&self) -> String {
        let entries: Vec<String> = self.entries.iter().map(Entry::text).collect();
        entries.join(" ")
    }

    /// Parses the text without a position. [`NO_PLAY`](super::NO_PLAY), `Cannot Move` and similar words are
    /// an empty play.
    ///
    /// # Errors
    /// [`PlayError::Character`].
    pub fn parse(text: &str) -> Result<Self, PlayError> {
        Self::read(text, false)
    }

    /// Parses the text, also allowing steps to higher points, which no legal play has.
    pub fn with_hops_back(text: &str) -> Result<Self, PlayError> {
        Self::read(text, true)
    }

    fn read(text: &str, hops_back: bool) -> Result<Self, PlayError> {
        if is_dance(text) {
            return Ok(Self::default());
        }
        let mut reader = Reader {
            chars: text.chars().collect(),
            at: 0,
            hops_back,
        };
        let mut entries = Vec::new();
        let mut legs = 0;
        loop {
            reader.skip(|c| c.is_whitespace() || c == ',');
            if reader.at == reader.chars.len() {
                return Ok(Self { entries });
            }
            let entry = reader.entry()?;
            legs += (entry.places.len() - 1) * usize::from(entry.times);
            if legs > MOST_LEGS {
                return Err(reader.error("no more than four steps"));
            }
            // 0/0: some servers write it for a die that cannot be played.
            if entry
                .places
                .iter()
                .any(|place| place.0 != entry.places[0].0)
            {
                entries.push(entry);
            }
        }
    }

    /// Parses a play in digits only, as people type it while watching a game: `85 65`, or with blanks between
    /// places, `8 5 6 5`. `None` for any other text.
    pub fn of_digits(text: &str) -> Option<Self> {
        Self::readings_of_digits(text).into_iter().next()
    }

    /// Returns the readings of digits, the usual one first: `21 10` is two steps, or one from point 21.
    fn readings_of_digits(text: &str) -> Vec<Self> {
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .collect();
        let together = words.iter().map(|word| split_places(word)).collect();
        let pairs = words.chunks(2).map(|pair| match *pair {
            [from, to] => step(from, to),
            _ => None,
        });
        let readings: [Option<Vec<(u8, u8)>>; 2] = [together, pairs.collect()];
        let readings = readings.into_iter().flatten();
        let plays = readings.filter(|steps| (1..=4).contains(&steps.len()));
        plays.map(|steps| Self::of_steps(&steps)).collect()
    }

    /// Finds the legal play that moves these checkers. `legal` contains all plays of `roll` in `position`.
    ///
    /// # Errors
    /// [`PlayError::Illegal`].
    pub fn resolve(
        &self,
        position: &Position,
        roll: Roll,
        legal: &PlayList,
    ) -> Result<Resolved, PlayError> {
        let Some(wanted) = self.arrangement(position) else {
            return Err(self.illegal(position, roll, legal));
        };
        let landings = self.landings(position);
        let mut fitting: Vec<(u32, Play)> = legal
            .plays()
            .iter()
            .zip(legal.results())
            .filter(|(_, result)| (0..=BAR).all(|p| result.opponent.at(p) == wanted[p]))
            .map(|(play, _)| (hits(position, play), *play))
            .collect();
        if fitting.is_empty() {
            return Err(self.illegal(position, roll, legal));
        }
        let extra = |mask: u32| (mask & !landings).count_ones();
        let missing = |mask: u32| (landings & !mask).count_ones();
        let on_the_way = if self.single_dice(roll) {
            0
        } else {
            self.unexplained_stars(position)
        };
        fitting.sort_by_key(|&(mask, _)| (missing(mask), extra(mask).abs_diff(on_the_way), mask));
        let fits = |&&(mask, _): &&(u32, Play)| missing(mask) == 0 && extra(mask) == on_the_way;
        let exact = fitting.iter().filter(fits).count();
        if fitting.len() > 1 && exact != 1 {
            fitting.sort_by_key(|&(mask, _)| (missing(mask), extra(mask), mask));
        }
        Ok(Resolved {
            play: fitting[0].1,
            certain: fitting.len() == 1 || exact == 1,
            others: fitting[1..].iter().map(|&(_, play)| play).collect(),
        })
    }

    /// Returns the play with its backward steps reversed.
    pub fn forward(&self) -> Self {
        let mut play = self.clone();
        let back = play.entries.iter_mut().filter(|e| e.first() < e.last());
        back.for_each(|entry| entry.places.reverse());
        play
    }

    /// Returns whether `after`, seen by the next player, differs from the result of this play by at most one
    /// checker of the mover.
    pub fn is_near(&self, position: &Position, after: &Position) -> bool {
        let counts = self.counts(position).into_iter().enumerate();
        let apart = counts.map(|(p, count)| count.abs_diff(after.opponent.at(p) as i8));
        apart.map(u32::from).sum::<u32>() <= 2
    }

    /// Returns the mover's checkers after the play; `None` if a place has too few.
    fn arrangement(&self, position: &Position) -> Option<[u8; BAR + 1]> {
        let mut after = [0; BAR + 1];
        for (place, count) in after.iter_mut().zip(self.counts(position)) {
            *place = u8::try_from(count).ok()?;
        }
        Some(after)
    }

    /// Returns the mover's checkers after the play, negative where checkers are missing.
    fn counts(&self, position: &Position) -> [i8; BAR + 1] {
        let mut counts = [0i8; BAR + 1];
        for (p, count) in counts.iter_mut().enumerate() {
            *count = position.mover.at(p) as i8;
        }
        for entry in &self.entries {
            counts[usize::from(entry.first())] -= entry.times as i8;
            counts[usize::from(entry.last())] += entry.times as i8;
        }
        counts
    }

    /// Returns the position, seen by the next player, if the play is made as written, even if the roll does
    /// not allow it. `None` if checkers are missing, more than four move, or one lands on a point that the
    /// opponent holds.
    pub fn carried_out(&self, position: &Position) -> Option<Position> {
        let moved: u32 = self.entries.iter().map(|e| u32::from(e.times)).sum();
        let own = Side::new(&self.arrangement(position)?).ok()?;
        let hit = self.landings(position);
        let mut other = [0u8; BAR + 1];
        for (place, count) in other.iter_mut().enumerate().skip(1) {
            *count = position.opponent.at(place);
            if place != BAR && hit >> (BAR - place) & 1 != 0 {
                *count -= 1;
            }
        }
        other[BAR] += hit.count_ones() as u8;
        let after = Position::new(Side::new(&other).ok()?, own).ok()?;
        (1..=4).contains(&moved).then_some(after)
    }

    /// Returns the written landing points with a blot of the opponent, one bit each.
    fn landings(&self, position: &Position) -> u32 {
        self.legs()
            .map(|(_, to, _)| usize::from(to))
            .filter(|&to| to != OFF && to != BAR && position.opponent.at(BAR - to) == 1)
            .fold(0, |mask, to| mask | 1 << to)
    }

    /// Counts the stars on points without a blot: these hits were on the way.
    fn unexplained_stars(&self, position: &Position) -> u32 {
        let landings = self.landings(position);
        self.legs()
            .filter(|&(_, to, star)| star && landings >> to & 1 == 0)
            .count() as u32
    }

    /// Returns whether every written step is one die, so that the points determine all hits.
    fn single_dice(&self, roll: Roll) -> bool {
        self.legs().all(|(from, to, _)| {
            let pips = from.saturating_sub(to);
            pips == roll.high()
                || pips == roll.low()
                || (usize::from(to) == OFF && pips <= roll.high())
        })
    }

    /// Iterates over the written steps (from, to, star), once for each entry.
    fn legs(&self) -> impl Iterator<Item = (u8, u8, bool)> + '_ {
        self.entries.iter().flat_map(|entry| {
            entry
                .places
                .windows(2)
                .map(|pair| (pair[0].0, pair[1].0, pair[1].1))
        })
    }

    fn illegal(&self, position: &Position, roll: Roll, legal: &PlayList) -> PlayError {
        PlayError::Illegal {
            reason: self.reason(position, roll, legal),
            legal: legal_plays_text(position, roll, legal),
        }
    }

    /// Describes the first error.
    fn reason(&self, position: &Position, roll: Roll, legal: &PlayList) -> String {
        if self.is_empty() {
            return format!("{} can be played", dice(roll));
        }
        let mut taken = [0u8; BAR + 1];
        let mut arrived = [0u8; BAR + 1];
        for (entry, place) in self
            .entries
            .iter()
            .flat_map(|e| e.places[1..].iter().map(move |p| (e, usize::from(p.0))))
        {
            if place != OFF && place != BAR && position.opponent.at(BAR - place) > 1 {
                let step = entry.text();
                return format!("{step} is not legal: point {place} is held by the opponent");
            }
            arrived[place] = arrived[place].saturating_add(entry.times);
        }
        let (on_bar, longest) = (
            position.mover.bar(),
            legal.plays().iter().map(Play::len).max().unwrap_or(0),
        );
        if on_bar > 0 && longest == 0 {
            return "no checker can enter from the bar".to_owned();
        }
        for entry in &self.entries {
            let from = usize::from(entry.first());
            taken[from] = taken[from].saturating_add(entry.times);
            let there = position.mover.at(from) + arrived[from];
            if from == OFF || taken[from] > there {
                return format!("{} is not legal: {}", entry.text(), too_few(from, there));
            }
        }
        if taken[BAR] < on_bar && longest > 0 {
            return match taken[BAR] {
                0 => "a checker on the bar must enter first",
                _ => "the other checkers on the bar must enter first",
            }
            .to_owned();
        }
        let pips: u32 = self.entries.iter().map(Entry::pips).sum();
        let borne_off = self.entries.iter().any(|e| usize::from(e.last()) == OFF);
        if !borne_off && longest > 0 && pips > roll.pips() {
            return format!(
                "the play moves {pips} pips, {} is {}",
                dice(roll),
                roll.pips()
            );
        }
        match self.is_of_one_die(roll) && longest == 2 {
            true => "both dice can be played".to_owned(),
            false => format!("that is not a legal way to play {}", dice(roll)),
        }
    }

    /// Returns whether a single checker moves, by one of two different dice.
    fn is_of_one_die(&self, roll: Roll) -> bool {
        let [entry] = &self.entries[..] else {
            return false;
        };
        let is_step = entry.times == 1 && entry.places.len() == 2 && !roll.is_double();
        is_step
            && [roll.high(), roll.low()]
                .map(u32::from)
                .contains(&entry.pips())
    }
}

/// Parses a forward step between two places in digits.
fn step(from: &str, to: &str) -> Option<(u8, u8)> {
    let place = |text: &str| {
        let is_plain =
            text.bytes().all(|c| c.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse()
            .ok()
            .filter(|p: &u8| is_plain && usize::from(*p) <= BAR)
    };
    let (from, to) = (place(from)?, place(to)?);
    (to < from).then_some((from, to))
}

/// Splits a word of digits into two places. At most one split is possible, because checkers move forward.
fn split_places(word: &str) -> Option<(u8, u8)> {
    // A place has at most two digits. Limit the length, because every split of a long word would be tried.
    if word.len() > 4 {
        return None;
    }
    (1..word.len()).find_map(|at| step(word.get(..at)?, word.get(at..)?))
}

/// Parses a play of `roll` in `position`, in the forms of [`WrittenPlay`] and [`WrittenPlay::of_digits`].
///
/// ```
/// use luckless_engine::game::{Position, Roll};
/// use luckless_engine::notation::{parse_play, play_text};
/// let opening = Position::opening();
/// let play = parse_play("6/5, 8-5", &opening, Roll::new(3, 1).unwrap()).unwrap();
/// assert_eq!(play_text(&opening, &play), "8/5 6/5");
/// ```
///
/// # Errors
/// A [`PlayError`] with the column, or with the step at fault and the legal plays.
pub fn parse_play(text: &str, position: &Position, roll: Roll) -> Result<Play, PlayError> {
    let list = PlayList::of(position, roll);
    let resolve = |play: &WrittenPlay| play.resolve(position, roll, &list).map(|found| found.play);
    let why = match WrittenPlay::parse(text) {
        Ok(play) => return resolve(&play),
        Err(why) => why,
    };
    let readings = WrittenPlay::readings_of_digits(text);
    let mut found = readings.iter().map(resolve);
    let first = found.next().ok_or(why)?;
    // Otherwise take another reading that is legal.
    first.or_else(|why| found.find_map(Result::ok).ok_or(why))
}

fn too_few(place: usize, there: u8) -> String {
    let place = match place {
        BAR => "the bar".to_owned(),
        OFF => return "a checker borne off stays off".to_owned(),
        p => format!("point {p}"),
    };
    match there {
        0 => format!("there is no checker on {place}"),
        1 => format!("there is only one checker on {place}"),
        n => format!("there are only {n} checkers on {place}"),
    }
}

/// Lists the legal plays, in short, for a message.
fn legal_plays_text(position: &Position, roll: Roll, legal: &PlayList) -> String {
    if legal.plays().iter().all(Play::is_empty) {
        return format!("{} allows no play", dice(roll));
    }
    let shown: Vec<String> = legal
        .plays()
        .iter()
        .take(LISTED)
        .map(|play| play_text(position, play))
        .collect();
    let more = legal.len() - shown.len();
    let list = shown.join(", ");
    match more {
        0 => format!("{} allows {list}", dice(roll)),
        _ => format!("{} allows {list} and {more} more", dice(roll)),
    }
}

/// Returns whether `text` means that nothing is played.
fn is_dance(text: &str) -> bool {
    let letters: String = text
        .chars()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    let wordless = text.trim().is_empty() || text.trim() == "-";
    let words = [
        "cannotmove",
        "cantmove",
        "dance",
        "dances",
        "nomove",
        "noplay",
        "pass",
    ];
    wordless || (words.contains(&&*letters) && !text.contains(|c: char| c.is_ascii_digit()))
}

impl Entry {
    fn first(&self) -> u8 {
        self.places[0].0
    }

    fn last(&self) -> u8 {
        self.places[self.places.len() - 1].0
    }

    fn pips(&self) -> u32 {
        u32::from(self.first().saturating_sub(self.last())) * u32::from(self.times)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (i, &(place, star)) in self.places.iter().enumerate() {
            if i > 0 {
                text.push('/');
            }
            push_place(&mut text, place);
            if star {
                text.push('*');
            }
        }
        text
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    hops_back: bool,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    fn error(&self, expected: &'static str) -> PlayError {
        PlayError::Character {
            column: self.at + 1,
            found: match self.peek() {
                Some(c) => format!("'{}'", shown(&c.to_string())),
                None => "the end".to_owned(),
            },
            expected,
        }
    }

    fn entry(&mut self) -> Result<Entry, PlayError> {
        let mut places = vec![self.place()?];
        let mut times = 1;
        loop {
            let here = self.at;
            self.skip(char::is_whitespace);
            match self.peek() {
                Some('/' | '-') => {
                    self.at += 1;
                    self.skip(char::is_whitespace);
                    let start = self.at;
                    let next = self.place()?;
                    if !self.hops_back && next.0 > places[places.len() - 1].0 {
                        self.at = start;
                        return Err(self.error("a lower point: checkers move down"));
                    }
                    places.push(next);
                }
                Some('(') if places.len() > 1 => {
                    times = self.times()?;
                    if self.stars() {
                        let last = places.len() - 1;
                        places[last].1 = true;
                    }
                    break;
                }
                _ if places.len() > 1 => {
                    self.at = here;
                    break;
                }
                _ => return Err(self.error("'/' and a point")),
            }
        }
        Ok(Entry { places, times })
    }

    /// Parses the number of checkers with the same way: `(2)`.
    fn times(&mut self) -> Result<u8, PlayError> {
        self.at += 1;
        let times = match self.peek().and_then(|c| c.to_digit(10)) {
            Some(n @ 1..=4) => n as u8,
            _ => return Err(self.error("how many times, 1 to 4")),
        };
        self.at += 1;
        if self.peek() != Some(')') {
            return Err(self.error("')'"));
        }
        self.at += 1;
        Ok(times)
    }

    fn stars(&mut self) -> bool {
        let before = self.at;
        self.skip(|c| c == '*');
        self.at > before
    }

    /// Parses a place and its star.
    fn place(&mut self) -> Result<(u8, bool), PlayError> {
        const EXPECTED: &str = "a point from 1 to 24, bar or off";
        let star_before = self.stars();
        let start = self.at;
        let place = if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            let mut value = 0u32;
            while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                value = (value * 10 + digit).min(1000);
                self.at += 1;
            }
            u8::try_from(value)
                .ok()
                .filter(|&p| usize::from(p) <= POINTS + 1)
        } else {
            self.skip(|c| c.is_ascii_alphabetic());
            let word: String = self.chars[start..self.at]
                .iter()
                .map(char::to_ascii_lowercase)
                .collect();
            match &*word {
                "bar" | "b" => Some(BAR as u8),
                "off" | "o" => Some(OFF as u8),
                _ => None,
            }
        };
        let Some(place) = place else {
            self.at = start;
            return Err(self.error(EXPECTED));
        };
        let star = self.stars();
        Ok((place, star || star_before))
    }
}
