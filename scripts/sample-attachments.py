#!/usr/bin/env python3
"""Draws the attachments of the sample vault: two PNG pictures, an SVG curve, a PDF label, a CSV.

Nothing in examples/vault/Attachments comes from anywhere else. The standard library is enough, and
the same files come out every time, so a difference in `git status` means that this file changed.

    python3 scripts/sample-attachments.py
"""

import math
import struct
import zlib
from datetime import date, timedelta
from pathlib import Path

ATTACHMENTS = Path(__file__).resolve().parent.parent / "examples" / "vault" / "Attachments"

# Constituents of the invented harbour: period in hours, amplitude in metres, phase in degrees at
# the start of March 2026. Periods and amplitudes are those of "Projects/Tidebook/Tide maths.md";
# the phase of S2 puts spring tide two days after the full moon of 3 March.
CONSTITUENTS = [
    (12.4206, 0.74, 192),
    (12.0000, 0.27, 293),
    (12.6583, 0.15, 168),
    (23.9345, 0.06, 104),
    (25.8193, 0.05, 311),
]


def height(hours: float) -> float:
    """Height of the water over its mean, `hours` after the first of March 2026."""
    return sum(a * math.cos(math.tau * hours / p - math.radians(g)) for p, a, g in CONSTITUENTS)


def png(path: Path, width: int, height_px: int, pixel) -> None:
    """Writes an RGB picture whose colour at (x, y) is `pixel(x, y)`."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    rows = b"".join(
        b"\0" + bytes(channel for x in range(width) for channel in pixel(x, y))
        for y in range(height_px)
    )
    header = struct.pack(">IIBBBBB", width, height_px, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def harbour(x: int, y: int) -> tuple[int, int, int]:
    """Evening over the harbour: sky, a low sun, three roofs on the quay, water."""
    if (x - 236) ** 2 + (y - 74) ** 2 < 17**2 and y < 92:
        return (250, 214, 140)
    for left, right, ridge, colour in (
        (24, 70, 58, (132, 62, 52)),
        (78, 118, 68, (214, 178, 92)),
        (128, 176, 54, (92, 112, 104)),
    ):
        middle = (left + right) / 2
        roof = ridge + abs(x - middle) * 0.6
        if left <= x <= right and roof <= y < 100:
            return colour
    if y < 92:
        return (118 + y, 128 + y // 2, 168 - y // 3)
    if y < 100:
        return (74, 72, 78)
    ripple = int(9 * math.sin(x / 7 + y * y / 90))
    return (52 + ripple, 74 + ripple, 98 + ripple)


def shed(x: int, y: int) -> tuple[int, int, int]:
    """Plan of the shed: four walls, one of them too short, and the door in the west."""
    paper, ink, door = (244, 238, 224), (60, 54, 48), (170, 64, 48)
    skew = (y - 30) * 11 / 180  # the north wall is 11 cm shorter than the south wall
    left, right, top, bottom = 50, 262 + skew, 30, 210
    on_edge = lambda value, edge: abs(value - edge) < 2.5
    if 110 <= y <= 160 and on_edge(x, left):
        return door
    inside = left - 3 <= x <= right + 3 and top - 3 <= y <= bottom + 3
    if inside and (on_edge(x, left) or on_edge(x, right) or on_edge(y, top) or on_edge(y, bottom)):
        return ink
    return paper


def curve_svg(path: Path) -> None:
    """A day of water as a curve."""
    points = " ".join(
        f"{40 + 10 * step},{100 - 55 * height(24 * 8 + step / 2):.1f}" for step in range(49)
    )
    hours = "".join(
        f'<text x="{40 + 20 * hour}" y="192">{hour:02}</text>' for hour in range(0, 25, 6)
    )
    path.write_text(
        f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 200" role="img">
  <title>The water on 9 March 2026, in Skarvik</title>
  <rect width="560" height="200" fill="#fbf8f0"/>
  <line x1="40" y1="100" x2="520" y2="100" stroke="#b9b2a0" stroke-dasharray="4 4"/>
  <polyline points="{points}" fill="none" stroke="#2b4a66" stroke-width="3"/>
  <g font-family="serif" font-size="13" text-anchor="middle" fill="#4a463e">{hours}</g>
</svg>
""",
        encoding="utf-8",
    )


def label_pdf(path: Path) -> None:
    """A label of one page, its text in a font that every reader has."""
    lines = ["Sensor 3, boathouse roof", "Temperature and humidity", "Calibrated 2025-04-27"]
    text = "BT /F1 14 Tf 24 96 Td 20 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 260 140] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Title (Sensor label) >>",
    ]
    out, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    out += "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 6 0 R >>\n"
    out += f"startxref\n{start}\n%%EOF\n"
    path.write_bytes(out.encode("ascii"))


def gauge_csv(path: Path) -> None:
    """Highest and lowest water of each day, and the mean temperature of the mast."""
    rows = ["day,high_m,low_m,mean_temperature_c"]
    for day in range(15):
        levels = [height(24 * day + quarter / 4) for quarter in range(96)]
        temperature = 3.5 + 0.25 * day + 2 * math.sin(day * 1.7)
        when = date(2026, 3, 1) + timedelta(days=day)
        rows.append(f"{when},{max(levels):.2f},{min(levels):.2f},{temperature:.1f}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    ATTACHMENTS.mkdir(parents=True, exist_ok=True)
    png(ATTACHMENTS / "harbour.png", 320, 160, harbour)
    png(ATTACHMENTS / "shed.png", 320, 240, shed)
    curve_svg(ATTACHMENTS / "tide-curve.svg")
    label_pdf(ATTACHMENTS / "sensor label.pdf")
    gauge_csv(ATTACHMENTS / "gauge-2026-03.csv")


if __name__ == "__main__":
    main()
