package dev.understudy.sidecar.simulate;

import java.util.Locale;

/** How times until an overflow are written in tables. */
final class Seconds {
    private static final double YEAR = 365.25 * 24 * 3600;

    private Seconds() {}

    /** {@code 15.8 s}, {@code 2.1 h}, {@code 3.0e+12 years}; {@code ∞} for what isn't finite. */
    static String words(double seconds) {
        if (!Double.isFinite(seconds)) {
            return "∞";
        }
        if (seconds < 10_000) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        if (seconds < YEAR) {
            return seconds < 360_000
                    ? String.format(Locale.ROOT, "%.1f h", seconds / 3600)
                    : String.format(Locale.ROOT, "%.1f days", seconds / 86_400);
        }
        return String.format(Locale.ROOT, seconds < 1000 * YEAR ? "%.1f years" : "%.1e years", seconds / YEAR);
    }

    /** The mean and its interval; how many runs overflowed if not all did; {@code ∞} if none. */
    static String words(Overflows overflows) {
        if (overflows.overflowed() == 0) {
            return "∞";
        }
        String interval = Double.isNaN(overflows.halfWidth())
                ? words(overflows.mean())
                : words(overflows.mean()) + " ± " + words(overflows.halfWidth());
        return overflows.all() ? interval : interval + " (" + overflows.overflowed() + "/" + overflows.runs() + ")";
    }
}
