//! Every pane keeps to its area. Tests that ask for it look at all cells outside.

use ratatui::layout::Rect;

use super::paint::Paint;

#[cfg(test)]
thread_local! {
    static IS_WATCHED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Has the frames of this thread watched from now on.
#[cfg(test)]
pub(crate) fn watch() {
    IS_WATCHED.set(true);
}

/// Draws a pane within its area.
pub(crate) fn within(paint: &mut Paint<'_>, area: Rect, draw: impl FnOnce(&mut Paint<'_>)) {
    let all = std::mem::replace(&mut paint.clip, area);
    draw_watched(paint, |paint| {
        draw(paint);
        area
    });
    paint.clip = all;
}

/// Draws what answers where it lies.
pub(crate) fn draw_watched(paint: &mut Paint<'_>, draw: impl FnOnce(&mut Paint<'_>) -> Rect) {
    #[cfg(test)]
    let before = IS_WATCHED.get().then(|| paint.buffer.clone());
    let _area = draw(paint);
    #[cfg(test)]
    if let Some(before) = before {
        let all = paint.buffer.area.positions();
        let mut spilt =
            all.filter(|cell| !_area.contains(*cell) && before[*cell] != paint.buffer[*cell]);
        if let Some(cell) = spilt.next() {
            let sign = paint.buffer[cell].symbol();
            panic!(
                "'{sign}' at {cell}, outside {_area} of {}",
                paint.buffer.area
            );
        }
    }
}
