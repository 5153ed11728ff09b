package dev.understudy.it.docs;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The meters of a registry as a table; what a meter doesn't describe itself, people do. */
final class MeterTables {
    private static final String OURS = "understudy.";
    private static final int MOST_SHOWN = 4;

    private MeterTables() {}

    /** Those whose names begin so, or not so if {@code isWithout}. */
    static Part of(MeterRegistry registry, String prefix, boolean isWithout) {
        return before -> {
            Map<String, List<Meter>> meters = new TreeMap<>();
            for (Meter meter : registry.getMeters()) {
                String name = meter.getId().getName();
                if (name.startsWith(OURS) && name.startsWith(prefix) != isWithout) {
                    meters.computeIfAbsent(name, added -> new ArrayList<>()).add(meter);
                }
            }
            Table table = new Table("meter", "type", "tags", "meaning");
            meters.forEach((name, all) -> table.add(
                    "`" + name + "`",
                    all.get(0).getId().getType().name().toLowerCase(Locale.ROOT),
                    shown(all),
                    Table.cell(Objects.requireNonNullElse(all.get(0).getId().getDescription(), ""))));
            return table.lines(before);
        };
    }

    /** The values of tags that have many, as parts {@code tag METER KEY}. */
    static Map<String, Part> tagParts(MeterRegistry registry) {
        Map<String, Part> parts = new TreeMap<>();
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(OURS))
                .collect(Collectors.groupingBy(meter -> meter.getId().getName()))
                .forEach((name, meters) -> tags(meters).forEach((key, values) -> {
                    if (values.size() > MOST_SHOWN) {
                        parts.put("tag " + name + " " + key, before -> {
                            Table table = new Table("`" + key + "`", "meaning");
                            values.forEach(value -> table.add("`" + value + "`", ""));
                            return table.lines(before);
                        });
                    }
                }));
        return parts;
    }

    private static Map<String, Set<String>> tags(List<Meter> meters) {
        Map<String, Set<String>> values = new TreeMap<>();
        for (Meter meter : meters) {
            for (Tag tag : meter.getId().getTags()) {
                values.computeIfAbsent(tag.getKey(), added -> new TreeSet<>()).add(tag.getValue());
            }
        }
        return values;
    }

    /** The keys of tags, with their values where these are few but more than one. */
    private static String shown(List<Meter> meters) {
        return tags(meters).entrySet().stream()
                .map(tag -> "`" + tag.getKey() + "`" + shown(tag.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String shown(Set<String> values) {
        boolean few = values.size() > 1 && values.size() <= MOST_SHOWN;
        return few ? " (" + String.join(", ", values) + ")" : "";
    }
}
