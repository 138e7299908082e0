//! The engine of Luckless: the rules, the value of positions, the cube, rollouts and their statistics, and
//! recorded matches. It knows no terminal and no database, and reads no file but a net or a match.
//!
//! The modules, from the ground up. Each uses only those above it in this list:
//!
//! * [`sanitize`]: outside text made safe to show.
//! * [`words`]: words with their number.
//! * [`locks`]: locks that outlive a panic.
//! * [`panics`]: panics that end one piece of work and nothing else.
//! * [`stats`]: standard errors, confidence intervals and confidence sequences.
//! * [`game`]: the rules of backgammon.
//! * [`notation`]: plays and positions as text.
//! * [`diagram`]: boards as pictures.
//! * [`match_file`]: recorded matches.
//! * [`eval`]: evaluators: cubeless chances of a position, by nets and by bearoff tables.
//! * [`cube`]: cubeful equities, match equities and cube actions.
//! * [`analysis`]: one decision in depth: plays compared, other scores, the opening book.
//! * [`dice`]: reproducible streams of rolls.
//! * [`rollout`]: rollouts with variance reduction and coupled dice.
//! * [`duel`]: games and matches between engines.
//!
//! To read the source, begin with [`game::position`], then [`eval::Evaluator`], then [`rollout`].

pub mod analysis;
pub mod cube;
pub mod diagram;
pub mod dice;
pub mod duel;
pub mod eval;
pub mod game;
pub mod locks;
pub mod match_file;
pub mod notation;
pub mod panics;
pub mod rollout;
pub mod sanitize;
pub mod stats;
pub mod words;
