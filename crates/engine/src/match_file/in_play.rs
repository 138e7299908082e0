//! A match that is being played: the game that comes next, and what becomes of one that is over.

use thiserror::Error;

use super::action::Action;
use super::crawford::is_crawford_score;
use super::model::{Event, Game, GameResult, Match, score_after};
use super::variations::{NodeId, VariationNode, Variations};
use crate::game::{Player, Roll, Rules};

/// Why a game cannot stay behind another one that ends otherwise than before; with the number of the game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// A player has the points of the match before it.
    #[error("the match would be over before game {0}")]
    Over(u32),
    /// It becomes the Crawford game, in which nobody doubles.
    #[error("game {0} has a double, and would be the Crawford game")]
    CrawfordDouble(u32),
}

impl Match {
    /// A match of which nothing has been played: to so many points, or by these rules for money where that is 0.
    ///
    /// ```
    /// use luckless_engine::{game::Rules, match_file::Match};
    /// let record = Match::to_be_played(5, ["Anna".into(), "Ben".into()], Rules::default());
    /// assert_eq!((record.length, record.games.len()), (5, 1));
    /// ```
    pub fn to_be_played(length: u16, players: [String; 2], rules: Rules) -> Self {
        Self {
            format: "mat",
            encoding: "UTF-8",
            length,
            players,
            crawford: length > 0 && !rules.no_crawford,
            rules: rules.in_force(length, !rules.no_crawford),
            games: vec![Game::default()],
            ..Self::default()
        }
    }

    /// Whether a player has the points that the match is played to. For money there is no such end.
    pub fn is_won(&self) -> bool {
        let length = u32::from(self.length);
        length > 0 && self.final_score().iter().any(|points| *points >= length)
    }

    /// The game that comes next; none while the last one is not over, or once the match is won.
    pub fn next_game(&self) -> Option<Game> {
        let last = self.games.last()?;
        last.result?;
        if self.is_won() {
            return None;
        }
        let score = score_after(last.score, last.result);
        let was_crawford = self.games.iter().any(|game| game.crawford);
        Some(Game {
            number: last.number.saturating_add(1),
            score,
            crawford: !was_crawford && is_crawford_score(self, score),
            ..Game::default()
        })
    }

    /// Adds the game that comes next, if there is one.
    pub fn add_next_game(&mut self) {
        let next = self.next_game();
        self.games.extend(next);
    }

    /// Whether the last game has its result.
    pub fn has_ended(&self) -> bool {
        self.games.last().is_some_and(|game| game.result.is_some())
    }

    /// This match with games behind its last one, as they stood in the match of `before`. Their scores follow from the
    /// games before them, and so does which of them is the Crawford game. Behind the end of the match a game of which
    /// nothing was played is left out.
    ///
    /// # Errors
    /// If a game could not have been played as it was.
    pub fn followed_by(&self, later: &[Game], before: &Self) -> Result<Self, Misfit> {
        let mut whole = self.clone();
        for (i, game) in later.iter().enumerate() {
            if whole.is_won() {
                match later[i..].iter().all(|game| game.events.is_empty()) {
                    true => break,
                    false => return Err(Misfit::Over(game.number)),
                }
            }
            let next = whole.behind(game, before);
            let is_double = |event: &Event| matches!(event.action, Action::Double { .. });
            if next.crawford && next.events.iter().any(is_double) {
                return Err(Misfit::CrawfordDouble(next.number));
            }
            whole.games.push(next);
        }
        Ok(whole)
    }

    /// A game as it comes behind the last one, which stood behind a game of the match of `before`.
    fn behind(&self, game: &Game, before: &Self) -> Game {
        let after = |last: &Game| score_after(last.score, last.result);
        let follows = self.games.last().map_or(game.score, after);
        let place = self.games.len().checked_sub(1);
        let followed = place.and_then(|place| before.games.get(place)).map(after);
        // A session for money may count from 0–0 again, or anew in each game.
        let has_points = followed.is_some_and(|score| score != [0; 2]);
        let is_anew = self.length == 0 && game.score == [0; 2] && has_points;
        let score = if is_anew { game.score } else { follows };
        let was_crawford = self.games.iter().any(|game| game.crawford);
        Game {
            score,
            crawford: !was_crawford && is_crawford_score(self, score),
            // A file may have fewer points than were won, if the winner needed no more at the score of before.
            points_written: game.points_written.filter(|_| score == game.score),
            ..game.clone()
        }
    }

    /// `player` gives the last game up, which loses so many points; with a roll in hand, if there is one.
    pub fn resign(&mut self, player: Player, points: u32, roll: Option<Roll>) {
        if let Some(game) = self.games.last_mut() {
            game.events.extend(roll.map(|roll| Event {
                player,
                action: Action::Hidden { roll },
                line: 0,
            }));
            game.events.push(Event {
                player,
                action: Action::Resign,
                line: 0,
            });
            game.result = Some(GameResult {
                winner: player.other(),
                points,
            });
        }
    }

    /// Takes a line of variations as what was done in the last game, with its result if it is over.
    pub fn record_line(&mut self, tree: &Variations, line: &[NodeId]) {
        let Some(game) = self.games.last_mut() else {
            return;
        };
        let nodes = || line.iter().filter_map(|id| tree.node(*id));
        let event = |node: &VariationNode| Event {
            player: node.before.player,
            action: node.action,
            line: 0,
        };
        game.events = nodes().map(event).collect();
        let ended = nodes().next_back().and_then(result);
        if game.result != ended {
            // The points that the file gave were those of another end.
            (game.result, game.points_written) = (ended, None);
        }
    }
}

/// Who has won the game that an action ends, and how much; none where the game goes on.
fn result(node: &VariationNode) -> Option<GameResult> {
    if node.after.is_some() {
        return None;
    }
    let (player, state) = (node.before.player, &node.before.state);
    match node.action {
        // The cube stays as it was before the double.
        Action::Pass => Some(GameResult {
            winner: player.other(),
            points: state.cube,
        }),
        Action::Move { play, .. } => {
            let points = play.apply(&state.position).points()?;
            let times = state.rules.times_cube(points, state.owner);
            Some(GameResult {
                // The board after a play is seen by the opponent.
                winner: if points < 0 { player } else { player.other() },
                points: times.saturating_mul(state.cube),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CubeOwner, GameState, Position, Roll};
    use crate::match_file::DecisionState;

    fn finished(mut record: Match, winner: Player, points: u32) -> Match {
        let next = record.next_game();
        match record.games.last_mut() {
            Some(game) if game.result.is_none() => {
                game.result = Some(GameResult { winner, points });
            }
            _ => {
                let result = Some(GameResult { winner, points });
                record
                    .games
                    .extend(next.map(|game| Game { result, ..game }));
            }
        }
        record
    }

    #[test]
    fn the_first_game_before_a_win_is_the_crawford_game_and_no_other_is() {
        let record = Match::to_be_played(3, Match::UNNAMED.map(Into::into), Rules::default());
        assert!(record.next_game().is_none(), "the first is not over");
        let record = finished(record, Player::Left, 2);
        let next = record.next_game().unwrap();
        assert_eq!((next.number, next.score, next.crawford), (2, [2, 0], true));
        let record = finished(record, Player::Right, 1);
        let next = record.next_game().unwrap();
        assert_eq!((next.number, next.score, next.crawford), (3, [2, 1], false));
        assert!(!record.is_won());
        let record = finished(record, Player::Right, 2);
        assert!(record.is_won() && record.next_game().is_none());
    }

    #[test]
    fn money_play_has_no_end_and_no_crawford_game() {
        let mut record = Match::to_be_played(0, Match::UNNAMED.map(Into::into), Rules::default());
        for points in [4, 60, 1] {
            record = finished(record, Player::Left, points);
        }
        let next = record.next_game().unwrap();
        assert_eq!(
            (next.number, next.score, next.crawford),
            (4, [65, 0], false)
        );
    }

    fn won(winner: Player, points: u32, action: Action) -> Game {
        let event = Event {
            player: winner,
            action,
            line: 0,
        };
        Game {
            events: vec![event],
            result: Some(GameResult { winner, points }),
            ..Game::default()
        }
    }

    /// Games behind one that ends otherwise have the scores that follow, or do not fit.
    #[test]
    fn the_heads_of_later_games_follow_from_the_results() {
        let double = Action::Double { to: 2 };
        let later: Vec<Game> = [(Player::Right, Action::Take), (Player::Left, double)]
            .into_iter()
            .zip(2..)
            .map(|((winner, action), number)| Game {
                number,
                points_written: Some(1),
                ..won(winner, 1, action)
            })
            .collect();
        let of = |length, points| {
            let names = Match::UNNAMED.map(Into::into);
            let mut record = Match::to_be_played(length, names, Rules::default());
            let mut before = record.clone();
            before.games = vec![won(Player::Right, 1, Action::Take)];
            before.games.extend(later.clone());
            record.games = vec![won(Player::Left, points, Action::Take)];
            record.followed_by(&later, &before)
        };
        let whole = of(5, 2).unwrap();
        let heads = whole.games.iter().map(|game| (game.score, game.crawford));
        let heads: Vec<_> = heads.collect();
        assert_eq!(heads, [([0, 0], false), ([2, 0], false), ([2, 1], false)]);
        assert!(
            whole.games[1..]
                .iter()
                .all(|game| game.points_written.is_none())
        );
        // The second is the Crawford game, and the third is not.
        let whole = of(5, 4).unwrap();
        let crawford = whole.games.iter().map(|game| game.crawford);
        assert_eq!(crawford.collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(of(4, 1).unwrap().games[2].score, [1, 1]);
        assert_eq!(of(5, 5).unwrap_err(), Misfit::Over(2));
        // In a session that counts each game from 0–0 it stays so.
        assert_eq!(of(0, 64).unwrap().games[2].score, [0, 0]);
        // Not where nothing had been won before.
        let mut session = Match::to_be_played(0, Match::UNNAMED.map(Into::into), Rules::default());
        session.games = vec![won(Player::Left, 2, Action::Take)];
        let mut before = session.clone();
        before.games[0].result = None;
        let whole = session.followed_by(&later, &before).unwrap();
        assert_eq!(whole.games[1].score, [2, 0]);
    }

    #[test]
    fn a_double_does_not_come_into_the_crawford_game() {
        let record = Match::to_be_played(3, Match::UNNAMED.map(Into::into), Rules::default());
        let record = finished(record, Player::Left, 2);
        let later = Game {
            number: 2,
            ..won(Player::Right, 2, Action::Double { to: 2 })
        };
        let misfit = record.followed_by(std::slice::from_ref(&later), &record);
        assert_eq!(misfit.unwrap_err(), Misfit::CrawfordDouble(2));
        let mut without = record;
        without.crawford = false;
        assert!(without.followed_by(&[later], &without).is_ok());
        // Nothing was played behind the end.
        let over = finished(without, Player::Left, 3);
        let whole = over.followed_by(&[Game::default()], &over).unwrap();
        assert_eq!(whole.games.len(), over.games.len());
    }

    /// The last checker of the player on roll is borne off, the opponent stands as given.
    fn last_roll(opponent: &[(usize, u8)], owner: CubeOwner, jacoby: bool) -> Option<GameResult> {
        let position = Position::from_points(&[(1, 1)], opponent).unwrap();
        let rules = Rules {
            jacoby,
            ..Rules::default()
        };
        let state = GameState {
            cube: 2,
            owner,
            rules,
            ..GameState::money(position)
        };
        let root = DecisionState {
            event: 9,
            player: Player::Right,
            state,
        };
        let mut tree = Variations::at(root);
        let roll: Roll = "21".parse().unwrap();
        let list = crate::game::PlayList::of(&position, roll);
        let play = list.plays()[0];
        let node = tree.add(None, Action::Move { roll, play }).unwrap();
        let mut record = Match::to_be_played(0, Match::UNNAMED.map(Into::into), Rules::default());
        record.record_line(&tree, &[node]);
        assert_eq!(record.games[0].events.len(), 1);
        record.games[0].result
    }

    #[test]
    fn a_game_borne_off_counts_by_its_size_and_the_cube() {
        let won = |points| {
            Some(GameResult {
                winner: Player::Right,
                points,
            })
        };
        let [single, gammon, backgammon] = [&[(6, 3)][..], &[(6, 15)][..], &[(20, 1), (6, 14)][..]];
        assert_eq!(last_roll(single, CubeOwner::Mover, false), won(2));
        assert_eq!(last_roll(gammon, CubeOwner::Mover, true), won(4));
        assert_eq!(last_roll(backgammon, CubeOwner::Opponent, false), won(6));
        // An automatic double leaves the cube in the middle.
        assert_eq!(last_roll(gammon, CubeOwner::Centred, true), won(2));
        assert_eq!(last_roll(gammon, CubeOwner::Centred, false), won(4));
    }

    #[test]
    fn a_pass_loses_the_cube_as_it_was_before_the_double() {
        let state = GameState {
            cube: 2,
            owner: CubeOwner::Mover,
            ..GameState::money(Position::opening())
        };
        let root = DecisionState {
            event: 4,
            player: Player::Left,
            state,
        };
        let mut tree = Variations::at(root);
        let double = tree.add(None, Action::Double { to: 0 }).unwrap();
        let mut record = Match::to_be_played(7, Match::UNNAMED.map(Into::into), Rules::default());
        record.record_line(&tree, &[double]);
        assert_eq!(record.games[0].result, None);
        let pass = tree.add(Some(double), Action::Pass).unwrap();
        record.record_line(&tree, &[double, pass]);
        let result = record.games[0].result.unwrap();
        assert_eq!((result.winner, result.points), (Player::Left, 2));
    }
}
