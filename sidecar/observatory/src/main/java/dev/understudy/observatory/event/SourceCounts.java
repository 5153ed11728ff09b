package dev.understudy.observatory.event;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was read of one source, and what was left out for which reason. Confined to one thread. */
public final class SourceCounts {
    private static final int MOST_NOTES = 8;

    private final List<String> notes = new ArrayList<>();
    private final Map<Omission, Long> counts = new EnumMap<>(Omission.class);
    private long exchanges;
    private long unsure;

    /** Why something of a source is no exchange. */
    public enum Omission {
        /** A request without a whole reply. */
        UNANSWERED("requests without a whole reply"),
        /** It ends before it begins: a clock stepped, or the file is damaged. */
        BACKWARDS("exchanges that end before they begin"),
        /** A connection of which something is missing; its rest is left out. */
        INCOMPLETE("connections that weren't recorded whole"),
        /** A connection that left HTTP, for WebSocket say; its rest is left out. */
        UNFRAMED("connections that left HTTP"),
        /** A reply that the debug JVM was given: a journal strikes it out. */
        STRUCK("exchanges that the journal has struck out"),
        /** A block that can't be read. */
        DAMAGED("damaged blocks");

        private final String text;

        Omission(String text) {
            this.text = text;
        }
    }

    SourceCounts() {}

    void took(TierExchange exchange) {
        exchanges++;
        unsure += exchange.sure() ? 0 : 1;
    }

    void omitted(Omission reason, long count) {
        counts.merge(reason, count, Long::sum);
    }

    void note(String note) {
        if (notes.size() < MOST_NOTES) {
            notes.add(note);
        }
    }

    /** Exchanges that were read. */
    public long exchanges() {
        return exchanges;
    }

    /** Those of them that are turns of a protocol that isn't read here. */
    public long unsure() {
        return unsure;
    }

    /** How much was left out for that reason. */
    public long omitted(Omission reason) {
        return counts.getOrDefault(reason, 0L);
    }

    /** All that a reader should know of it, one short text each. */
    public List<String> notes() {
        List<String> all = new ArrayList<>();
        if (unsure > 0) {
            all.add(unsure + " of " + exchanges + " exchanges are turns of a protocol that isn't read");
        }
        for (Omission reason : Omission.values()) {
            if (omitted(reason) > 0) {
                all.add(omitted(reason) + " " + reason.text);
            }
        }
        all.addAll(notes);
        return all;
    }
}
