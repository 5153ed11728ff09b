package dev.understudy.observatory.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads what {@code understudy node} has written, also while it writes: series on one clock. What is damaged is left
 * out and named; nothing else is lost.
 */
public final class SampleReader {
    /** A bound for who has no better one; a value takes 16 bytes, and up to three times that meanwhile. */
    public static final int MOST_VALUES = 20_000_000;

    /** No segment lasts longer, nor does the sampler's pause within one. */
    private static final long LONGEST_SEGMENT = 600_000;

    private static final int MOST_SERIES = 20_000;
    private static final int MOST_NAMED = 100;

    private final long from;
    private final long to;
    private final int mostValues;
    private final Map<String, Map<String, SeriesBuilder>> bySource = new TreeMap<>();
    private final Map<String, String> badFiles = new TreeMap<>();
    private final List<String> firstBadLines = new ArrayList<>();
    private long badLines;
    private int values;
    private int seriesCount;

    private SampleReader(long from, long to, int mostValues) {
        this.from = from;
        this.to = to;
        this.mostValues = mostValues;
    }

    /**
     * Reads the samples of a span of time.
     *
     * @param path a folder of segments, or one file
     * @param fromMicros the first moment, epoch microseconds
     * @param toMicros the last moment
     * @param mostValues a bound for memory, such as {@link #MOST_VALUES}
     * @throws SampleException if there is nothing to read, or more than {@code mostValues}; names the file, where it
     *     matters the line, and the way out
     */
    public static SampleSet read(Path path, long fromMicros, long toMicros, int mostValues) throws SampleException {
        SampleReader reader = new SampleReader(fromMicros, toMicros, mostValues);
        boolean isFolder = Files.isDirectory(path);
        for (Path file : files(path)) {
            Optional<SegmentName> name = SegmentName.of(String.valueOf(file.getFileName()));
            if (!isFolder || name.isEmpty() || reader.mayBeWanted(name.get())) {
                reader.readFile(file);
            }
        }
        if (!isFolder && !reader.badFiles.isEmpty()) {
            throw new SampleException(
                    path + ": " + reader.badFiles.values().iterator().next());
        }
        return reader.set();
    }

    /**
     * The files that {@link #read} would read, the oldest first.
     *
     * @param path a folder of segments, or one file
     * @throws SampleException if there is none
     */
    public static List<Path> files(Path path) throws SampleException {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        if (!Files.isDirectory(path)) {
            throw new SampleException(path + ": no such file (expected: a folder or a file of understudy node's)");
        }
        List<SegmentName> names;
        try (Stream<Path> files = Files.list(path)) {
            names = files.filter(Files::isRegularFile)
                    .map(file -> SegmentName.of(file.getFileName().toString()))
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparingLong(SegmentName::millis))
                    .toList();
        } catch (IOException | RuntimeException refused) {
            throw new SampleException(path + ": can't be listed (" + refused + "; expected: a readable folder)");
        }
        if (names.isEmpty()) {
            throw new SampleException(
                    path + ": no samples (expected: host-….csv files, as understudy node --out writes them)");
        }
        return names.stream().map(name -> path.resolve(name.fileName())).toList();
    }

    private boolean mayBeWanted(SegmentName name) {
        return name.millis() <= Math.floorDiv(to, 1000) && name.millis() + LONGEST_SEGMENT >= Math.floorDiv(from, 1000);
    }

    private void readFile(Path path) throws SampleException {
        String name = String.valueOf(path.getFileName());
        SegmentFile file = new SegmentFile(path, from, to, (source, metric, micros, value) -> {
            if (++values > mostValues) {
                throw new SampleException(path + ": more than " + mostValues
                        + " values up to here (expected: a shorter span of time, or fewer files in a folder)");
            }
            builder(path, source, metric).add(micros, value);
        });
        String problem = file.read();
        if (problem != null) {
            badFiles.put(name, problem);
        }
        badLines += file.badLines();
        String first = file.firstBadLine();
        if (first != null && firstBadLines.size() < MOST_NAMED) {
            firstBadLines.add(first);
        }
    }

    private SeriesBuilder builder(Path path, String source, String metric) throws SampleException {
        Map<String, SeriesBuilder> ofSource = bySource.computeIfAbsent(source, first -> new TreeMap<>());
        SeriesBuilder builder = ofSource.get(metric);
        if (builder == null) {
            if (++seriesCount > MOST_SERIES) {
                throw new SampleException(path + ": more than " + MOST_SERIES
                        + " series up to here (expected: a shorter span of time, or fewer files in a folder)");
            }
            builder = new SeriesBuilder();
            ofSource.put(metric, builder);
        }
        return builder;
    }

    private SampleSet set() {
        List<SampleSeries> series = new ArrayList<>();
        bySource.forEach(
                (source, metrics) -> metrics.forEach((metric, builder) -> series.add(builder.build(source, metric))));
        return new SampleSet(series, badLines, badFiles, firstBadLines);
    }
}
