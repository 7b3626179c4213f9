#!/usr/bin/env python3
"""Writes src/core/math_tables.h, the numbers of core/math_functions.cc: math_tables.py [--check].

Everything follows from formulas, in decimal arithmetic of 100 digits and more: powers of two, logarithms, Taylor coefficients of erfc, and polynomials through
Chebyshev's nodes. --check writes nothing and fails if the file differs from what would be written."""
import decimal
import fractions
import math
import pathlib
import sys

D = decimal.Decimal
decimal.getcontext().prec = 100
MANY = decimal.Context(prec=900)  # for erfc, where 340 digits cancel, twice
FILE = pathlib.Path(__file__).resolve().parent.parent / "src/core/math_tables.h"
LN2 = D(2).ln()


def nearest(x):
    """The nearest double."""
    return float(x)


def text(x):
    return float(x).hex()


def grid(x, bits):
    """The nearest multiple of 2^-bits."""
    return D(int((x * 2**bits).to_integral_value())) / 2**bits


def short(x, bits=26):
    """The nearest number with this many bits."""
    mantissa, exponent = fractions.Fraction(float(x)), 0
    while abs(mantissa) < 2 ** (bits - 1):
        mantissa, exponent = mantissa * 2, exponent - 1
    while abs(mantissa) >= 2**bits:
        mantissa, exponent = mantissa / 2, exponent + 1
    return D(round(mantissa)) * D(2) ** exponent


def pi():
    """Machin's formula."""

    def arctan_of_inverse(n):
        total, power, k = D(0), D(1) / n, 0
        while abs(power) > D(10) ** -895:
            total += power / (2 * k + 1) * (-1) ** k
            power, k = power / (n * n), k + 1
        return total

    return 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)


with decimal.localcontext(MANY):
    PI = pi()


def chebyshev_nodes(n):
    """cos((2k + 1)π/2n) to nine digits: their exact positions do not matter."""
    return [D(round(math.cos(math.pi * (2 * k + 1) / (2 * n)), 9)) for k in range(n)]


def interpolate(function, low, high, degree):
    """Coefficients, lowest power first, of the polynomial through Chebyshev's nodes."""
    points = [(low + high) / 2 + (high - low) / 2 * x for x in chebyshev_nodes(degree + 1)]
    differences = [function(x) for x in points]
    for level in range(1, len(points)):
        for i in range(len(points) - 1, level - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - level])
    out = [D(0)]
    for point, difference in zip(reversed(points), reversed(differences)):
        shifted = [D(0)] + out
        for k, value in enumerate(out):
            shifted[k] -= point * value
        shifted[0] += difference
        out = shifted
    return out[: degree + 1]


def series(terms):
    """Σ_k terms(k) x^k as a function, for terms that decrease quickly."""

    def value(x):
        total, k, power = D(0), 0, D(1)
        while k < 4 or abs(power) > D(10) ** -60:
            total += terms(k) * power
            power, k = power * x, k + 1
        return total

    return value


def factorial(n):
    return D(1) if n < 2 else n * factorial(n - 1)


def initializer(value):
    return "{" + ", ".join(map(initializer, value)) + "}" if isinstance(value, (list, tuple)) else text(value)


def array(kind, name, rows, comment):
    body = "".join(f"    {initializer(row)},\n" for row in rows)
    return f"// {comment}\nPODIUM_BOTH_TABLE {kind} {name}[] = {{\n{body}}};\n"


def power_rows():
    for i in range(128):
        power = (LN2 * i / 128).exp()
        head = D(nearest(power))
        yield nearest(head), nearest((power - head) / power)


def log_rows(per_unit):
    """1/c, and log c in two parts, c = 1 + (2i + 1)/256."""
    for i in range(128):
        c = 1 + D(2 * i + 1) / 256
        log = c.ln() * per_unit
        high = grid(log, 42)
        yield nearest(1 / c), nearest(high), nearest(log - high)


def erfc_and_scaled(x):
    """erfc(x) and exp(x²) erfc(x)."""
    total, term, k = D(0), x, 0
    while abs(term) > D(10) ** -895 or k < 10:
        total += term / (2 * k + 1)
        k += 1
        term = -term * x * x / k
    erfc = 1 - total * 2 / PI.sqrt()
    return erfc, (x * x).exp() * erfc


ERFC_DEGREE = 9


def erfc_taylor(centre):
    """erfc^(k)(c)/k!: erfc' = −2/√π exp(−x²) = −2/√π Σ (−1)^k H_k(c) exp(−c²) h^k/k!."""
    factor = -2 / PI.sqrt() * (-centre * centre).exp()
    hermite = [D(1), 2 * centre]
    for n in range(1, 40):
        hermite.append(2 * centre * hermite[n] - 2 * n * hermite[n - 1])
    return [erfc_and_scaled(centre)[0]] + [factor * (-1) ** n * hermite[n] / factorial(n) / (n + 1) for n in range(40)]


def scaled_taylor(centre):
    """y = exp(x²) erfc(x) solves y' = 2xy − 2/√π."""
    a = [erfc_and_scaled(centre)[1]]
    a.append(2 * centre * a[0] - 2 / PI.sqrt())
    for n in range(1, 60):
        a.append((2 * centre * a[n] + 2 * a[n - 1]) / (n + 1))
    return a


def erfc_rows():
    """By x + 1 in [1, 32), sixteen parts per octave: the centre, a head of 26 bits, and the rest as a polynomial of x − centre.
    In the first octave, x < 1, for erfc(x) itself, above for exp(x²) erfc(x)."""
    for octave in range(5):
        for part in range(16):
            half = D(2) ** octave / 32
            centre = D(2) ** octave * (1 + D(part) / 16) + half - 1
            with decimal.localcontext(MANY):
                taylor = scaled_taylor(centre) if octave else erfc_taylor(centre)
            polynomial = interpolate(lambda h, taylor=taylor: sum(a * h**k for k, a in enumerate(taylor)), -half, half, ERFC_DEGREE)
            head = short(polynomial[0])
            yield nearest(head), nearest(polynomial[0] - head), [nearest(p) for p in polynomial[1:]]


def header():
    ln2_step = LN2 / 128
    ln2_step_high = grid(ln2_step, 42)
    ln2_high = grid(LN2, 42)
    inverse_ln2 = 1 / LN2
    tanh_series = tanh_coefficients(40)
    parts = [
        "// Generated by tools/math_tables.py. The numbers of math_functions.cc.\n#pragma once\n",
        '#include "core/both.h"\n',
        "namespace podium::math {\n",
        "// clang-format off",
        f"inline constexpr double kInverseStep = {text(128 / LN2)};  // 128 / ln 2",
        f"inline constexpr double kStepHigh = {text(ln2_step_high)};  // ln 2 / 128 in two parts; high: 35 bits",
        f"inline constexpr double kStepLow = {text(ln2_step - ln2_step_high)};",
        f"inline constexpr double kLn2 = {text(LN2)};",
        f"inline constexpr double kLn2High = {text(ln2_high)};  // a multiple of 2^-42",
        f"inline constexpr double kLn2Low = {text(LN2 - ln2_high)};",
        f"inline constexpr double kInverseLn2 = {text(inverse_ln2)};",
        f"inline constexpr double kInverseLn2Low = {text(inverse_ln2 - D(nearest(inverse_ln2)))};",
        f"inline constexpr double kPi = {text(PI)};",
        f"inline constexpr double kPiLow = {text(PI - D(nearest(PI)))};\n",
        "struct PowerEntry {\n  double value, tail;  // 2^(i/128) = value · (1 + tail)\n};",
        array("PowerEntry", "kPowers", power_rows(), "2^(i/128)."),
        "struct LogEntry {\n  double inverse, high, low;  // 1/c; log c, high a multiple of 2^-42\n};",
        array("LogEntry", "kLogs", log_rows(D(1)), "Natural logarithms of c = 1 + (2i + 1)/256."),
        array("LogEntry", "kLogs2", log_rows(inverse_ln2), "Logarithms to base 2 of the same."),
        "struct ErfcEntry {\n  double head, rest, slope[9];  // head of 26 bits\n};",
        array("ErfcEntry", "kErfc", erfc_rows(),
                            "By x + 1 in [1, 32), sixteen parts per octave: head + rest + Σ slope_k h^(k+1), h from the middle of the part;\n"
                            "// of erfc(x) for x < 1, of exp(x²) erfc(x) above."),
        array("double", "kLogNearOne", interpolate(series(lambda k: D((-1) ** k) / (k + 3)), -D(1) / 16, D(1) / 16, 10),
              "(log(1 + t) − t + t²/2)/t³ on |t| ≤ 1/16."),
        array("double", "kExpm1", interpolate(series(lambda k: 1 / factorial(k + 3)), D("-0.35"), D("0.35"), 10),
              "(exp(x) − 1 − x − x²/2)/x³ on |x| ≤ 0.35."),
        array("double", "kTanh", interpolate(series(lambda k: tanh_series[k + 1] if k + 1 < len(tanh_series) else D(0)), D(0), D(1) / 16, 8),
              "(tanh(x) − x)/x³ by x² on |x| ≤ 1/4."),
        "// clang-format on\n\n}  // namespace podium::math",
    ]
    return "\n".join(parts) + "\n"


def tanh_coefficients(count):
    """t_k of tanh x = Σ t_k x^(2k+1), from tanh' = 1 − tanh²."""
    t = [D(1)]
    for k in range(1, count):
        t.append(-sum(t[i] * t[k - 1 - i] for i in range(k)) / (2 * k + 1))
    return t


def main():
    wanted = header()
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != wanted:
            sys.exit(f"{FILE.name} is not what tools/math_tables.py writes")
    else:
        FILE.write_text(wanted)


if __name__ == "__main__":
    main()
