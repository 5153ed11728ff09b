package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.content.WordFilter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which of several replies is an inbound exchange's, by the values that production's reply to that shows: what a
 * service reads, or writes, mostly stands in its answer.
 *
 * <p>Only what tells the candidates apart counts. One of them is the exchange's if at least half of that is shown, and
 * nothing of any other's. Of a transaction all requests and replies count together, since a service may show what it
 * has made of what it read.
 */
final class ShownValues<R extends RecordedReply> {
    /** Candidates that are looked at; of more, none is picked. */
    static final int MOST = 32;

    /** Bytes of a reply whose values are looked for. */
    private static final long MOST_BYTES = 64 << 10;

    private final List<JournalEntry<R>> candidates;

    /** Of each candidate what it doesn't have in common with all others, those that aren't candidates included. */
    private final List<Set<Long>> own = new ArrayList<>();

    private boolean unreadable;

    /**
     * Reads the candidates.
     *
     * @param candidates with their replies, at most {@link #MOST}, in production's order
     * @param others values of replies to the same request that are none of them
     */
    ShownValues(List<JournalEntry<R>> candidates, List<Set<Long>> others) {
        this.candidates = candidates;
        for (JournalEntry<R> candidate : candidates) {
            ValueWords words = words(candidate);
            unreadable |= words.full();
            own.add(new HashSet<>(words.hashes()));
        }
        if (!own.isEmpty()) {
            Set<Long> common = new HashSet<>(own.get(0));
            own.forEach(common::retainAll);
            others.forEach(common::retainAll);
            own.forEach(words -> words.removeAll(common));
        }
    }

    /** The values that stand in a request and its reply. */
    static ValueWords of(Form form, RecordedReply reply) {
        ValueWords words = new ValueWords();
        words.add(form.text());
        read(reply, words);
        return words;
    }

    private static void read(RecordedReply reply, ValueWords words) {
        if (reply.large() != null || reply.bytes() > MOST_BYTES) {
            words.fill();
        } else {
            reply.addTo(words);
        }
    }

    /** Whether any of several is as good as the others; one that is alone may be another exchange's. */
    boolean saySame() {
        return candidates.size() > 1
                && candidates.stream().map(ShownValues::said).distinct().count() == 1;
    }

    /** Of a transaction all that was said in it counts, unless more may come; then it isn't like any other. */
    static Object said(JournalEntry<?> entry) {
        RecordedReply reply = entry.reply;
        if (reply == null || (entry.group != null && !entry.group.isOver())) {
            return entry;
        }
        return List.of(reply.answer(), entry.group == null ? 0L : entry.group.said());
    }

    /** The one that is the exchange's for sure, whose reply shows these values; null if none is. */
    @Nullable
    JournalEntry<R> pick(@Nullable WordFilter shown) {
        if (shown == null || unreadable) {
            return null;
        }
        JournalEntry<R> picked = null;
        for (int i = 0; i < candidates.size(); i++) {
            long seen = seen(own.get(i), shown);
            if (seen == 0 || (picked != null && said(picked).equals(said(candidates.get(i))))) {
                continue;
            }
            if (picked != null || 2 * seen < own.get(i).size()) {
                return null;
            }
            picked = candidates.get(i);
        }
        return picked;
    }

    /**
     * The first that seems to be no other exchange's; the first of all if each does.
     *
     * @param others says whether an exchange that may have made a candidate's call shows such values
     */
    JournalEntry<R> unclaimed(Claims<R> others) {
        for (int i = 0; i < candidates.size(); i++) {
            Set<Long> words = own.get(i);
            if (words.isEmpty() || !others.any(candidates.get(i), shown -> 2 * seen(words, shown) >= words.size())) {
                return candidates.get(i);
            }
        }
        return candidates.get(0);
    }

    /** Other exchanges, by what production's replies to them show. */
    @FunctionalInterface
    interface Claims<R extends RecordedReply> {
        boolean any(JournalEntry<R> candidate, Predicate<WordFilter> showing);
    }

    private static long seen(Set<Long> words, WordFilter shown) {
        return words.stream().filter(shown::mayContain).count();
    }

    /** The values that stand in a reply, and in the rest of its transaction. */
    static ValueWords words(JournalEntry<?> entry) {
        ValueWords words = new ValueWords();
        if (entry.reply != null) {
            read(entry.reply, words);
        }
        if (entry.group != null) {
            entry.group.addTo(words);
        }
        return words;
    }
}
