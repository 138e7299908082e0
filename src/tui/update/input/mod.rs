//! What keys, the mouse, and typed or pasted text mean.

pub(crate) mod dispatch;
pub(crate) mod mouse;
pub(crate) mod typing;
