package dev.understudy.it.docs;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The series of an answer of {@code /metrics}, in Prometheus' text format. Not thread-safe. */
final class Scrape {
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("([A-Za-z_:][\\w:]*)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern PART_OF_SUMMARY = Pattern.compile("_(?:count|sum|bucket)$");

    private final Map<String, String> types = new HashMap<>();
    private final Map<String, Map<String, Set<String>>> series = new TreeMap<>();

    static Scrape of(String text) {
        Scrape scrape = new Scrape();
        text.lines().forEach(scrape::read);
        return scrape;
    }

    private void read(String line) {
        Matcher type = TYPE.matcher(line);
        Matcher sample = SAMPLE.matcher(line);
        if (type.matches()) {
            types.put(type.group(1), type.group(2));
        } else if (sample.matches()) {
            Map<String, Set<String>> labels = labels(sample.group(1));
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                add(labels, label.group(1), Set.of(label.group(2)));
            }
        }
    }

    /** Adds a gauge that Prometheus makes itself. */
    Scrape with(String name, Map<String, Set<String>> labels) {
        types.put(name, "gauge");
        Map<String, Set<String>> known = labels(name);
        labels.forEach((label, values) -> add(known, label, values));
        return this;
    }

    /** Adds a label that Prometheus gives to each series. */
    Scrape withLabel(String label, Set<String> values) {
        series.values().forEach(labels -> add(labels, label, values));
        return this;
    }

    private Map<String, Set<String>> labels(String name) {
        return series.computeIfAbsent(name, added -> new TreeMap<>());
    }

    private static void add(Map<String, Set<String>> labels, String label, Set<String> values) {
        labels.computeIfAbsent(label, added -> new TreeSet<>()).addAll(values);
    }

    /** The values of each label of a metric; null if there is no such metric. */
    @Nullable
    Map<String, Set<String>> metric(String name) {
        return series.get(name);
    }

    /** Whether it only grows, so that {@code rate} means something. */
    boolean isCounter(String name) {
        String family = PART_OF_SUMMARY.matcher(name).replaceFirst("");
        return "counter".equals(types.get(name)) || (!family.equals(name) && types.containsKey(family));
    }
}
