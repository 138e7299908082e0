//! Matches in progress: the next game, and the result of a finished one.

use thiserror::Error;

use super::action::Action;
use super::crawford::is_crawford_score;
use super::model::{Event, Game, GameResult, Match, score_after};
use super::variations::{NodeId, VariationNode, Variations};
use crate::game::{Player, Roll, Rules};

/// Why a game cannot follow an earlier game with a changed result; contains the number of the game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// A player has already won the match.
    #[error("the match would be over before game {0}")]
    Over(u32),
    /// The game becomes the Crawford game but contains a double.
    #[error("game {0} has a double, and would be the Crawford game")]
    CrawfordDouble(u32),
}

impl Match {
    /// Creates a match without events, to `length` points, or for money by `rules` if `length` is 0.
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

    /// Returns whether a player has won the match. A money session never ends.
    pub fn is_won(&self) -> bool {
        let length = u32::from(self.length);
        length > 0 && self.final_score().iter().any(|points| *points >= length)
    }

    /// Returns the next game; `None` while the last game is unfinished, or if the match is won.
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

    /// Adds the next game, if there is one.
    pub fn add_next_game(&mut self) {
        let next = self.next_game();
        self.games.extend(next);
    }

    /// Returns whether the last game has a result.
    pub fn has_ended(&self) -> bool {
        self.games.last().is_some_and(|game| game.result.is_some())
    }

    /// Appends later games, taken from the match `before`. Scores and the Crawford game are recomputed from
    /// the results. After the end of the match, empty games are dropped.
    ///
    /// # Errors
    /// If a game does not fit the new scores.
    pub fn followed_by(&self, later: &[Game], before: &Self) -> Result<Self, Misfit> {
        let mut whole = self.clone();
        for (i, game) in later.iter().enumerate() {
            if whole.is_won() {
                match later[i..].iter().all(|game| game.events.is_empty()) {
                    true => break,
                    false => return Err(Misfit::Over(game.number)),
                }
            }
            let next = whole.next_game_as_played(game, before);
            let is_double = |event: &Event| matches!(event.action, Action::Double { .. });
            if next.crawford && next.events.iter().any(is_double) {
                return Err(Misfit::CrawfordDouble(next.number));
            }
            whole.games.push(next);
        }
        Ok(whole)
    }

    /// Returns `game`, taken from the match `before`, as it follows the last game of this match.
    fn next_game_as_played(&self, game: &Game, before: &Self) -> Game {
        let after = |last: &Game| score_after(last.score, last.result);
        let follows = self.games.last().map_or(game.score, after);
        let place = self.games.len().checked_sub(1);
        let followed = place.and_then(|place| before.games.get(place)).map(after);
        // A money session may stay at 0–0, or start each game at 0–0.
        let has_points = followed.is_some_and(|score| score != [0; 2]);
        let is_anew = self.length == 0 && game.score == [0; 2] && has_points;
        let score = if is_anew { game.score } else { follows };
        let was_crawford = self.games.iter().any(|game| game.crawford);
        Game {
            score,
            crawford: !was_crawford && is_crawford_score(self, score),
            // A file may give fewer points than were won, if the winner needed no more at the old score.
            points_written: game.points_written.filter(|_| score == game.score),
            ..game.clone()
        }
    }

    /// Ends the last game: `player` resigns and loses this many points, perhaps with a roll not yet played.
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

    /// Replaces the events of the last game by a line of variations, and sets its result.
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
            // The written points belong to another result.
            (game.result, game.points_written) = (ended, None);
        }
    }
}

/// Returns the result of the game after an action, or `None` if the game goes on.
fn result(node: &VariationNode) -> Option<GameResult> {
    if node.after.is_some() {
        return None;
    }
    let (player, state) = (node.before.player, &node.before.state);
    match node.action {
        // A pass loses the value before the double.
        Action::Pass => Some(GameResult {
            winner: player.other(),
            points: state.cube,
        }),
        Action::Move { play, .. } => {
            let points = play.apply(&state.position).points()?;
            let times = state.rules.times_cube(points, state.owner);
            Some(GameResult {
                // The position after a play is seen by the opponent.
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

    /// Games after a game with a changed result get new scores, or do not fit.
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
        let followed = |length, points| {
            let names = Match::UNNAMED.map(Into::into);
            let mut record = Match::to_be_played(length, names, Rules::default());
            let mut before = record.clone();
            before.games = vec![won(Player::Right, 1, Action::Take)];
            before.games.extend(later.clone());
            record.games = vec![won(Player::Left, points, Action::Take)];
            record.followed_by(&later, &before)
        };
        let whole = followed(5, 2).unwrap();
        let heads = whole.games.iter().map(|game| (game.score, game.crawford));
        let heads: Vec<_> = heads.collect();
        assert_eq!(heads, [([0, 0], false), ([2, 0], false), ([2, 1], false)]);
        assert!(
            whole.games[1..]
                .iter()
                .all(|game| game.points_written.is_none())
        );
        // The second game is the Crawford game, and the third is not.
        let whole = followed(5, 4).unwrap();
        let crawford = whole.games.iter().map(|game| game.crawford);
        assert_eq!(crawford.collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(followed(4, 1).unwrap().games[2].score, [1, 1]);
        assert_eq!(followed(5, 5).unwrap_err(), Misfit::Over(2));
        // A session that counts each game from 0–0 keeps doing so.
        assert_eq!(followed(0, 64).unwrap().games[2].score, [0, 0]);
        // Unless no points were won before.
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
        // Empty games after the end are dropped.
        let over = finished(without, Player::Left, 3);
        let whole = over.followed_by(&[Game::default()], &over).unwrap();
        assert_eq!(whole.games.len(), over.games.len());
    }

    /// Bears off the last checker of the player on roll; the opponent stays in the given position.
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
        // After an automatic double the cube is still in the middle.
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
