package dev.understudy.observatory.sample;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one file of samples: a header with the metrics' names, then a line for each sample. One thread. */
final class SegmentFile {
    private static final Pattern METRIC = Pattern.compile("[A-Za-z0-9_!-]+(\\.[A-Za-z0-9_!-]+){1,5}");
    private static final Pattern SOURCE = Pattern.compile("[A-Za-z0-9._-]{1,60} \\d{1,10}");
    private static final int MOST_COLUMNS = 1000;
    private static final int MOST_SOURCES = 1000;

    private final Path file;
    private final long from;
    private final long to;
    private final ValueSink sink;
    private final Map<String, Long> lastMicros = new HashMap<>();
    private List<String> metrics = List.of();
    private boolean hasSource;
    private long badLines;
    private @Nullable String firstBadLine;

    /** Gets each value that was read. */
    @FunctionalInterface
    interface ValueSink {
        void accept(String source, String metric, long micros, double value) throws SampleException;
    }

    /** For a span of time, both ends included, epoch microseconds. */
    SegmentFile(Path file, long from, long to, ValueSink sink) {
        this.file = file;
        this.from = from;
        this.to = to;
        this.sink = sink;
    }

    /**
     * Reads it.
     *
     * @return why it is left out; null if it was read
     * @throws SampleException if {@code sink} takes no more
     */
    @Nullable
    String read() throws SampleException {
        try (InputStream in = Files.newInputStream(file)) {
            LineSource lines = new LineSource(in);
            if (!lines.next()) {
                return "it has no complete header; was it being begun?";
            }
            String problem = readHeader(lines);
            if (problem != null) {
                return "line 1: " + problem;
            }
            int[] ends = new int[metrics.size() + (hasSource ? 3 : 2)];
            while (lines.next()) {
                String bad = readLine(lines, ends);
                if (bad != null) {
                    badLine(lines.number(), bad);
                }
            }
            if (lines.isTorn()) {
                badLine(lines.number(), "it has no end; was it being written?");
            }
            return null;
        } catch (SampleException full) {
            throw full;
        } catch (IOException | RuntimeException unreadable) {
            return "it can't be read (" + unreadable + ")";
        }
    }

    private void badLine(long number, String reason) {
        badLines++;
        if (firstBadLine == null) {
            firstBadLine = file + ":" + number + ": " + reason;
        }
    }

    private @Nullable String readHeader(LineSource lines) {
        List<String> names =
                lines.isTooLong() ? List.of() : List.of(lines.text().split(",", -1));
        if (names.size() < 3 || !names.get(0).equals("micros") || !names.get(1).equals("interval")) {
            return "it isn't the header of samples (expected: micros,interval,… as understudy node writes it)";
        }
        hasSource = names.get(2).equals("source");
        metrics = new ArrayList<>(names.subList(hasSource ? 3 : 2, names.size()));
        if (metrics.size() > MOST_COLUMNS || new HashSet<>(metrics).size() < metrics.size()) {
            return "it has " + metrics.size() + " columns (expected: up to " + MOST_COLUMNS + ", each once)";
        }
        for (String metric : metrics) {
            if (metric.length() > 100 || !METRIC.matcher(metric).matches()) {
                return "it has a column that is no metric's (expected: names such as processor.busy)";
            }
        }
        return null;
    }

    /** What is wrong with it; null if nothing is. */
    private @Nullable String readLine(LineSource lines, int[] ends) throws SampleException {
        int cells = lines.isTooLong() ? 0 : lines.split(ends);
        if (cells != ends.length) {
            return "it has other columns than the header";
        }
        long micros = lines.whole(0, ends[0]);
        long interval = lines.whole(ends[0] + 1, ends[1]);
        if (micros < 0 || interval < 0) {
            return "it doesn't begin with a time and an interval";
        }
        String source = SegmentName.HOST;
        int first = 2;
        if (hasSource) {
            source = lines.text(ends[1] + 1, Math.min(ends[2], ends[1] + 80));
            first = 3;
            if (!SOURCE.matcher(source).matches()) {
                return "it names no process (expected: a name and a number)";
            }
        }
        for (int i = first; i < ends.length; i++) {
            if (ends[i] > ends[i - 1] + 1 && Double.isNaN(lines.number(ends[i - 1] + 1, ends[i]))) {
                return "its column " + (i + 1) + " is no number";
            }
        }
        Long before = lastMicros.get(source);
        if (before == null ? lastMicros.size() >= MOST_SOURCES : micros <= before) {
            return before == null ? "there are too many processes" : "it isn't later than the one before";
        }
        lastMicros.put(source, micros);
        if (micros < from || micros > to) {
            return null;
        }
        for (int i = first; i < ends.length; i++) {
            if (ends[i] > ends[i - 1] + 1) {
                sink.accept(source, metrics.get(i - first), micros, lines.number(ends[i - 1] + 1, ends[i]));
            }
        }
        return null;
    }

    long badLines() {
        return badLines;
    }

    /** A place, and what is wrong there; null if nothing is. */
    @Nullable
    String firstBadLine() {
        return firstBadLine;
    }
}
