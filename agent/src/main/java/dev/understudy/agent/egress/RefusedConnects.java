package dev.understudy.agent.egress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * How often connections were refused, by destination: of so many, the others together. The first of each is logged,
 * by a thread that isn't the one that connects: that may hold locks of a channel. Guarded by this object.
 */
final class RefusedConnects {
    static final int MOST_DESTINATIONS = 64;

    private final Map<String, Long> counts = new TreeMap<>();
    private final Consumer<String> line;
    /** What isn't told yet: one line for each destination, and one for all others. */
    private final List<String> news = new ArrayList<>();

    private long elsewhere;

    /** @param line takes what the operator should know; it is called outside the lock */
    RefusedConnects(Consumer<String> line) {
        this.line = line;
    }

    /**
     * One more.
     *
     * @param destination its host and port
     * @param address its address, where that is none
     * @return whether there is something to tell
     */
    synchronized boolean count(String destination, String address) {
        boolean known = counts.containsKey(destination);
        if (known || counts.size() < MOST_DESTINATIONS) {
            counts.merge(destination, 1L, Long::sum);
            if (!known) {
                String at = destination.contains(address) ? "" : " (" + address + ")";
                news.add("a connection to " + destination + at + " is refused: egress=deny (allow it with egress-allow="
                        + destination + "); its report counts any further");
            }
        } else if (elsewhere++ == 0) {
            news.add("connections to more than " + MOST_DESTINATIONS
                    + " destinations are refused; the others are only counted");
        }
        return !news.isEmpty();
    }

    /** Tells what wasn't told yet. */
    void tell() {
        for (String text : untold()) {
            line.accept(text);
        }
    }

    private synchronized List<String> untold() {
        List<String> all = List.copyOf(news);
        news.clear();
        return all;
    }

    /** By destination. */
    synchronized Map<String, Long> byDestination() {
        return new TreeMap<>(counts);
    }

    /** Those to destinations that found no room. */
    synchronized long elsewhere() {
        return elsewhere;
    }
}
