//! Draws plain SVG figures: bars with intervals, and lines.

use std::fmt::Write as _;

/// Colours that are distinguishable without colour vision, and in print by their order.
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];
const WIDTH: f64 = 720.0;

/// A bar and its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bar {
    pub value: f64,
    /// Drawn as a whisker.
    pub interval: [f64; 2],
}

/// A point with an interval around its height.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spot {
    /// Its label; may come from the command line.
    pub name: String,
    /// Positive, because the axis is logarithmic.
    pub x: f64,
    pub y: f64,
    /// Drawn as a whisker.
    pub interval: [f64; 2],
}

fn head(height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"12\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n"
    )
}

fn label(out: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

fn line(out: &mut String, [x1, y1, x2, y2]: [f64; 4], style: &str) {
    let _ = writeln!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
    );
}

fn legend(out: &mut String, names: &[&str], y: f64) {
    let mut x = 12.0;
    for (name, colour) in names.iter().zip(COLOURS) {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>",
            y - 11.0
        );
        label(out, x + 17.0, y, "start", name);
        x += 34.0 + 7.2 * name.chars().count() as f64;
    }
}

/// Draws horizontal bars in groups: each of `rows` has a name and a bar for each of `names`. A dashed line marks
/// `mark`.
pub fn bars(title: &str, names: &[&str], rows: &[(String, Vec<Bar>)], mark: f64) -> String {
    let (left, right) = (150.0, WIDTH - 60.0);
    let most = rows
        .iter()
        .flat_map(|r| &r.1)
        .map(|b| b.value.max(b.interval[1]))
        .fold(mark, f64::max);
    let x = |value: f64| left + (right - left) * value / (1.02 * most);
    let thick = 13.0;
    let step = thick * names.len() as f64 + 12.0;
    let height = 66.0 + step * rows.len() as f64 + 12.0;
    let mut out = head(height, title);
    legend(&mut out, names, 46.0);
    for (i, (name, bars)) in rows.iter().enumerate() {
        let top = 62.0 + step * i as f64;
        label(&mut out, left - 8.0, top + step / 2.0 - 2.0, "end", name);
        for (j, (bar, colour)) in bars.iter().zip(COLOURS).enumerate() {
            let y = top + thick * j as f64;
            let _ = writeln!(
                out,
                "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"{colour}\"/>",
                x(bar.value) - left,
                thick - 2.0
            );
            let middle = y + thick / 2.0 - 1.0;
            let [low, high] = bar.interval.map(x);
            line(&mut out, [low, middle, high, middle], "stroke=\"black\"");
            let text = format!("{:.2}", bar.value);
            label(&mut out, high + 5.0, middle + 4.5, "start", &text);
        }
    }
    let dashed = "stroke=\"#888\" stroke-dasharray=\"4 3\"";
    line(&mut out, [x(mark), 54.0, x(mark), height - 8.0], dashed);
    out.push_str("</svg>\n");
    out
}

/// Draws lines over common x values; the vertical axis reaches from `low` to `high`.
pub fn lines(
    title: &str,
    axis: &str,
    places: &[f64],
    series: &[(&str, Vec<f64>)],
    [low, high]: [f64; 2],
) -> String {
    let (left, right, top, bottom) = (54.0, WIDTH - 16.0, 62.0, 330.0);
    let height = 372.0;
    let names: Vec<&str> = series.iter().map(|s| s.0).collect();
    let mut out = head(height, title);
    legend(&mut out, &names, 46.0);
    let first = places.first().copied().unwrap_or(0.0);
    let last = places.last().copied().unwrap_or(1.0);
    let x = |v: f64| left + (right - left) * (v - first) / (last - first).max(1e-9);
    let y = |v: f64| bottom - (bottom - top) * (v.clamp(low, high) - low) / (high - low);
    for i in 0..=5 {
        let value = low + (high - low) * f64::from(i) / 5.0;
        line(
            &mut out,
            [left, y(value), right, y(value)],
            "stroke=\"#ddd\"",
        );
        let text = format!("{value:.2}");
        label(&mut out, left - 6.0, y(value) + 4.5, "end", &text);
    }
    for &place in places {
        label(
            &mut out,
            x(place),
            bottom + 18.0,
            "middle",
            &format!("{place}"),
        );
    }
    label(&mut out, (left + right) / 2.0, height - 8.0, "middle", axis);
    for ((_, values), colour) in series.iter().zip(COLOURS) {
        let points: Vec<String> = places
            .iter()
            .zip(values)
            .map(|(p, v)| format!("{:.1},{:.1}", x(*p), y(*v)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Draws points over a logarithmic axis, one colour each.
pub fn spots(title: &str, axis: &str, spots: &[Spot]) -> String {
    let shown: Vec<&Spot> = (spots.iter())
        .filter(|s| s.x > 0.0 && s.x.is_finite() && s.y.is_finite())
        .collect();
    let axes = SpotAxes::around(&shown);
    let height = 372.0;
    let mut out = head(height, title);
    axes.grid(&mut out);
    let middle = (axes.left + axes.right) / 2.0;
    label(&mut out, middle, height - 8.0, "middle", axis);
    for (spot, colour) in shown.iter().zip(COLOURS.iter().cycle()) {
        axes.spot(&mut out, spot, colour, &shown);
    }
    out.push_str("</svg>\n");
    out
}

/// The axes of [`spots`]: their place in the drawing, and the values at their ends.
struct SpotAxes {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Exponents at the ends of the logarithmic axis.
    decades: [f64; 2],
    /// Values at the bottom and at the top.
    values: [f64; 2],
}

impl SpotAxes {
    /// Chooses axes that contain all points with their intervals.
    fn around(shown: &[&Spot]) -> Self {
        let ends = shown
            .iter()
            .flat_map(|s| [s.interval[0], s.interval[1], s.y]);
        let (low, high) = ends
            .filter(|v| v.is_finite())
            .fold((0.0f64, 0.01f64), |(a, b), v| (a.min(v), b.max(v)));
        let decades = shown.iter().map(|s| s.x.log10());
        let (first, last) = decades.fold((f64::MAX, f64::MIN), |(a, b), v| {
            (a.min(v.floor()), b.max(v.ceil()))
        });
        let margin = 0.06 * (high - low);
        Self {
            left: 64.0,
            right: WIDTH - 90.0,
            top: 48.0,
            bottom: 330.0,
            decades: if first < last {
                [first, last]
            } else {
                [-1.0, 1.0]
            },
            values: [low - margin, high + margin],
        }
    }

    fn x(&self, value: f64) -> f64 {
        let [first, last] = self.decades;
        self.left + (self.right - self.left) * (value.log10() - first) / (last - first)
    }

    fn y(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        self.bottom - (self.bottom - self.top) * (value.clamp(low, high) - low) / (high - low)
    }

    /// Draws six levels and a line for each power of ten, with labels.
    fn grid(&self, out: &mut String) {
        let [low, high] = self.values;
        for i in 0..=5 {
            let value = low + (high - low) * f64::from(i) / 5.0;
            let y = self.y(value);
            line(out, [self.left, y, self.right, y], "stroke=\"#ddd\"");
            label(
                out,
                self.left - 6.0,
                y + 4.5,
                "end",
                &format!("{value:+.3}"),
            );
        }
        let [mut decade, last] = self.decades;
        while decade <= last {
            let place = 10f64.powf(decade);
            let x = self.x(place);
            line(out, [x, self.top, x, self.bottom], "stroke=\"#ddd\"");
            label(out, x, self.bottom + 18.0, "middle", &format!("{place}"));
            decade += 1.0;
        }
    }

    /// Draws a point with its interval and name.
    fn spot(&self, out: &mut String, spot: &Spot, colour: &str, shown: &[&Spot]) {
        let (cx, cy) = (self.x(spot.x), self.y(spot.y));
        let [a, b] = spot.interval.map(|v| self.y(v));
        let style = format!("stroke=\"{colour}\" stroke-width=\"2\"");
        line(out, [cx, a, cx, b], &style);
        let _ = writeln!(
            out,
            "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"{colour}\"/>"
        );
        // If the name would overlap another point, it is written on the left.
        let room = 20.0 + 8.0 * spot.name.chars().count() as f64;
        let is_free = shown.iter().all(|other| {
            let (dx, dy) = (self.x(other.x) - cx, self.y(other.y) - cy);
            dx <= 0.0 || dx > room || dy.abs() > 16.0
        });
        let (at, anchor) = match is_free {
            true => (cx + 9.0, "start"),
            false => (cx - 9.0, "end"),
        };
        label(out, at, cy + 4.5, anchor, &escaped(&spot.name));
    }
}

fn escaped(text: &str) -> String {
    let text = crate::sanitize::clean(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_well_formed() {
        let bar = Bar {
            value: 0.5,
            interval: [0.4, 0.6],
        };
        let rows = vec![("ranks".to_owned(), vec![bar; 2])];
        let drawn = [
            bars("t", &["plain", "reduced"], &rows, 1.0),
            lines(
                "t",
                "turn",
                &[1.0, 2.0],
                &[("a", vec![0.1, 0.2])],
                [0.0, 1.0],
            ),
            spots("t", "ms", &[]),
            spots(
                "t",
                "ms",
                &[Spot {
                    name: "a<b".into(),
                    x: 0.3,
                    y: 0.02,
                    interval: [f64::NEG_INFINITY, 0.04],
                }],
            ),
        ];
        let two = [("left", 1.0), ("right", 1.05)].map(|(name, x)| Spot {
            name: name.into(),
            x,
            y: 0.0,
            interval: [-0.01, 0.01],
        });
        let both = spots("t", "ms", &two);
        let anchor = |name: &str| {
            both.lines()
                .find(|l| l.contains(&format!(">{name}<")))
                .unwrap()
        };
        assert!(anchor("left").contains("\"end\"") && anchor("right").contains("\"start\""));
        for figure in drawn {
            let opened = figure.matches('<').count();
            assert_eq!(opened, figure.matches('>').count());
            assert!(figure.starts_with("<svg") && figure.ends_with("</svg>\n"));
            assert!(!figure.contains("NaN") && !figure.contains("inf"));
        }
    }
}
