package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.match.TimeSpan;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The replies that were given to one of several requests that may have been theirs: whoever asks next may lack its own
 * among what is left. Bounded: of each of {@value #FORMS} forms the last {@value #KEPT}. Guarded by its journal.
 */
final class DoubtfulReplies {
    private static final int FORMS = 256;
    private static final int KEPT = 512;
    private static final int WORDS = 2;
    private static final int MOST_WORDS = 64;

    private final Map<Form, Given> byForm = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Form, Given> eldest) {
            return size() > FORMS;
        }
    };

    private static final class Given {
        /** When production had them. */
        private final ArrayDeque<TimeSpan> spans = new ArrayDeque<>(2);

        private final ArrayDeque<Set<Long>> words = new ArrayDeque<>(WORDS);
    }

    /** One was given, in which these values stand. */
    void add(JournalEntry<?> entry, Set<Long> words) {
        Given given = byForm.computeIfAbsent(entry.form(), first -> new Given());
        given.spans.addLast(new TimeSpan(entry.startNanos, entry.endNanos));
        if (given.spans.size() > KEPT) {
            given.spans.removeFirst();
        }
        if (words.size() <= MOST_WORDS && !given.words.contains(words)) {
            given.words.addLast(Set.copyOf(words));
            if (given.words.size() > WORDS) {
                given.words.removeFirst();
            }
        }
    }

    /** Whether one of this form was given lately. */
    boolean knows(Form form) {
        return byForm.containsKey(form);
    }

    /** Whether one of this form lies within the span. */
    boolean anyWithin(Form form, TimeSpan span) {
        Given given = byForm.get(form);
        return given != null && given.spans.stream().anyMatch(span::contains);
    }

    /** The values of the latest of this form. */
    List<Set<Long>> words(Form form) {
        Given given = byForm.get(form);
        return given == null ? List.of() : List.copyOf(given.words);
    }
}
