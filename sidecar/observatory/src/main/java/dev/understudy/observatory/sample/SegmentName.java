package dev.understudy.observatory.sample;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a file of samples is named: {@code host-1795812596999.csv}.
 *
 * @param kind {@code host} or {@code process}
 * @param millis its first moment, epoch milliseconds
 */
public record SegmentName(String kind, long millis) {
    /** The whole machine's. */
    public static final String HOST = "host";

    /** Those of chosen processes. */
    public static final String PROCESS = "process";

    private static final Pattern NAME = Pattern.compile("(host|process)-(\\d{13})\\.csv");

    /** Reads a file's name; nothing if it isn't a segment's. */
    public static Optional<SegmentName> of(String fileName) {
        Matcher name = NAME.matcher(fileName);
        return name.matches()
                ? Optional.of(new SegmentName(name.group(1), Long.parseLong(name.group(2))))
                : Optional.empty();
    }

    /** The file's name. */
    public String fileName() {
        String digits = Long.toString(millis);
        return kind + "-" + "0".repeat(Math.max(0, 13 - digits.length())) + digits + ".csv";
    }
}
