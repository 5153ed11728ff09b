package dev.understudy.observatory.sample;

import java.util.Map;

/** What a metric is a measure of: what requests may have waited for. */
public enum Resource {
    /** Processors, of the machine or of a quota. */
    PROCESSOR,
    /** Disks and what waits for them. */
    DISK,
    /** Memory, pages to be written, reclaim. */
    MEMORY,
    /** Network devices and sockets. */
    NETWORK,
    /** A JVM's collector, and whatever else stops all of its threads. */
    COLLECTOR,
    /** A JVM's locks. */
    LOCK,
    /** What sampling itself takes, and metrics of other versions. */
    OTHER;

    private static final Map<String, Resource> BY_PART = Map.ofEntries(
            Map.entry("processor", PROCESSOR),
            Map.entry("pressure.cpu", PROCESSOR),
            Map.entry("disk", DISK),
            Map.entry("pressure.io", DISK),
            Map.entry("memory", MEMORY),
            Map.entry("pressure.memory", MEMORY),
            Map.entry("network", NETWORK),
            Map.entry("collector", COLLECTOR),
            Map.entry("safepoint", COLLECTOR),
            Map.entry("lock", LOCK));

    /** The resource of a metric such as {@code disk.sda.busy}, by how its name begins. */
    public static Resource of(String metric) {
        int first = metric.indexOf('.');
        int second = metric.indexOf('.', first + 1);
        Resource twoParts = second < 0 ? null : BY_PART.get(metric.substring(0, second));
        return twoParts != null
                ? twoParts
                : BY_PART.getOrDefault(first < 0 ? metric : metric.substring(0, first), OTHER);
    }
}
