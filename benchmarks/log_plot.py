"""Line plots on logarithmic axes as SVG text: panels side by side with a common vertical axis."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, GAP = 320, 250, 60, 20, 46, 56, 40
COLOURS = ("#1f5fa8", "#c2571a", "#3a7d44", "#7a4fa3")
INK, FAINT = "#222222", "#cccccc"


def ticks(low, high):
    """Round numbers of a logarithmic axis: 1, 2, 5 times powers of ten."""
    found = []
    for power in range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1):
        found += [step * 10.0**power for step in (1, 2, 5) if low <= step * 10.0**power <= high]
    return found


def label(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def text(x, y, words, anchor="middle", size=13, colour=INK, turn=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"{turn}>{escape(words)}</text>'


def panel(spec, left, low, high, reference):
    """The SVG of one panel; the reference is drawn dashed from the first point of the first line."""
    values = [x for points in spec["lines"].values() for x, _ in points]
    first, last = min(values) / 1.15, max(values) * 1.15
    across = lambda x: left + WIDTH * math.log(x / first) / math.log(last / first)  # noqa: E731
    up = lambda y: TOP + HEIGHT * (1 - math.log(y / low) / math.log(high / low))  # noqa: E731
    parts = [f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{FAINT}"/>']
    for y in ticks(low, high):
        parts.append(f'<line x1="{left}" x2="{left + WIDTH}" y1="{up(y):.1f}" y2="{up(y):.1f}" stroke="{FAINT}" stroke-width="0.6"/>')
        if left == LEFT:
            parts.append(text(left - 8, up(y) + 4, label(y), "end"))
    for x in sorted(set(values)):
        parts.append(f'<line x1="{across(x):.1f}" x2="{across(x):.1f}" y1="{TOP}" y2="{TOP + HEIGHT}" stroke="{FAINT}" stroke-width="0.6"/>')
        parts.append(text(across(x), TOP + HEIGHT + 18, label(x)))
    x0, y0 = next(iter(spec["lines"].values()))[0]
    x1 = min(max(values), x0 * high / y0)
    parts.append(f'<line x1="{across(x0):.1f}" y1="{up(y0):.1f}" x2="{across(x1):.1f}" y2="{up(y0 * x1 / x0):.1f}" stroke="{INK}" stroke-dasharray="4 4" stroke-width="1"/>')
    if left == LEFT:
        parts.append(text(left + 10, TOP + 18, f"- - {reference}", "start", 12))
    for index, (name, points) in enumerate(spec["lines"].items()):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3.5" fill="{colour}"><title>{escape(name)}: {x:,}, {y:.2f} s</title></circle>' for x, y in points]
        if left == LEFT:
            parts.append(text(left + 10, TOP + 36 + 18 * index, name, "start", 12, colour))
    parts.append(text(left + WIDTH / 2, TOP + HEIGHT + 40, spec["title"]))
    return "\n".join(parts)


def svg(panels, vertical, reference):
    """panels: [{"title": …, "lines": {name: [(x, y), …]}}]."""
    heights = [y for spec in panels for points in spec["lines"].values() for _, y in points]
    low, high = min(heights) / 1.3, max(heights) * 1.5
    wide = LEFT + len(panels) * WIDTH + (len(panels) - 1) * GAP + RIGHT
    tall = TOP + HEIGHT + BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" font-family="sans-serif" role="img">',
             f"<title>{escape(vertical)}</title>", f'<rect width="{wide}" height="{tall}" fill="#ffffff"/>', text(LEFT, TOP - 18, vertical, "start")]
    parts += [panel(spec, LEFT + index * (WIDTH + GAP), low, high, reference) for index, spec in enumerate(panels)]
    return "\n".join([*parts, "</svg>", ""])
