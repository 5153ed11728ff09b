package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.RequestOutline;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers forms longer than their exchanges, so that a miss can be explained and its nearest forms named.
 *
 * <p>Bounded: the most recent families, and in each the most recent forms. Guarded by its journal.
 */
public final class KnownForms {
    private static final int FAMILIES = 128;
    private static final int FORMS_PER_FAMILY = 32;
    private static final int NEAREST = 3;

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Map<Form, Past>> families = recent(FAMILIES);

    /** An exchange of this form was recorded. */
    public void recorded(Form form) {
        Past past = past(form);
        past.recorded++;
    }

    /** The form with its family's name as it is known here already. */
    public Form shared(Form form) {
        String same = names.get(form.family());
        if (same == null) {
            if (names.size() >= FAMILIES) {
                names.clear();
            }
            names.put(form.family(), form.family());
            return form;
        }
        return form.of(same);
    }

    /** Something like this was seen, and not recorded. */
    public void seen(Form form) {
        past(form);
    }

    /** One of this form left unused. */
    public void evicted(Form form, Eviction reason) {
        past(form).evicted.merge(reason, 1L, Long::sum);
    }

    /**
     * A sentence that says why there is nothing for a form.
     *
     * @param absence what it says of forms that aren't known
     */
    public String why(Form form, Absence absence) {
        Past past = families.getOrDefault(form.family(), Map.of()).get(form);
        if (past == null) {
            return absence.text();
        }
        if (past.recorded == 0) {
            return "production sent this request lately, and its reply wasn't recorded: see `unframed` in /v1/status";
        }
        long unusable =
                past.evicted.values().stream().mapToLong(Long::longValue).sum();
        long used = past.recorded - unusable;
        String evicted = past.evicted.isEmpty() ? "" : ", " + unusable + " evicted unused " + past.evicted;
        return "production sent this request lately (%d), and its replies are used already (%d)%s"
                .formatted(past.recorded, used, evicted);
    }

    /** At most three texts: the form itself first if it is known, then by parts and text that differ. */
    public List<NearForm> nearest(Form form) {
        Map<Form, Past> family = families.getOrDefault(form.family(), Map.of());
        return family.keySet().stream()
                .map(known -> new Candidate(known, distance(form, known), differences(form, known)))
                .sorted(Comparator.<Candidate>comparingInt(
                                near -> near.differs().size())
                        .thenComparingInt(Candidate::distance))
                .limit(NEAREST)
                .map(near -> new NearForm(near.form().text(), near.differs()))
                .toList();
    }

    private record Candidate(Form form, int distance, List<String> differs) {}

    /** The parts that differ; none where they aren't known. */
    private static List<String> differences(Form asked, Form known) {
        RequestOutline ours = asked.outline();
        RequestOutline theirs = known.outline();
        return asked.equals(known) || ours == null || theirs == null ? List.of() : ours.differences(theirs);
    }

    /** Characters that are left when what both texts have at their start and end in common is taken off. Linear. */
    private static int distance(Form asked, Form known) {
        if (asked.equals(known)) {
            return -1;
        }
        String a = asked.text();
        String b = known.text();
        int shorter = Math.min(a.length(), b.length());
        int start = 0;
        while (start < shorter && a.charAt(start) == b.charAt(start)) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && a.charAt(a.length() - 1 - end) == b.charAt(b.length() - 1 - end)) {
            end++;
        }
        return Math.max(a.length(), b.length()) - start - end;
    }

    private Past past(Form form) {
        return families.computeIfAbsent(form.family(), f -> recent(FORMS_PER_FAMILY))
                .computeIfAbsent(form, f -> new Past());
    }

    private static <K, V> Map<K, V> recent(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    private static final class Past {
        private long recorded;
        private final Map<Eviction, Long> evicted = new EnumMap<>(Eviction.class);
    }
}
