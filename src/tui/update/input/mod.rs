//! What keys, the mouse, and typed or pasted text mean.

pub(in crate::tui::update) mod dispatch;
pub(in crate::tui::update) mod mouse;
pub(in crate::tui::update) mod typing;
pub(in crate::tui::update) mod windows;
