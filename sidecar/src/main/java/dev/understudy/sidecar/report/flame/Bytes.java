package dev.understudy.sidecar.report.flame;

import java.util.Locale;

/** How sizes are written for people. */
final class Bytes {
    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};

    private Bytes() {}

    /** {@code 12 bytes}, {@code 1.2 MB}. */
    static String text(long bytes) {
        if (bytes < 1000) {
            return bytes + " bytes";
        }
        double size = bytes;
        int unit = -1;
        while (size >= 999.95 && unit < UNITS.length - 1) {
            size /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", size, UNITS[unit]);
    }
}
