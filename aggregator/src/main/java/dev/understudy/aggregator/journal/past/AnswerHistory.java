package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Form;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Knows for which forms production was given different answers: only for those it matters which of them is given.
 *
 * <p>Bounded: the forms recorded longest ago are forgotten. Guarded by its journal.
 */
public final class AnswerHistory {
    private static final int FORMS = 16_384;

    private final Map<Long, Past> forms = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Past> eldest) {
            return size() > FORMS;
        }
    };

    /** An answer was recorded. */
    public void recorded(Form form, long answer) {
        Past past = forms.computeIfAbsent(form.fingerprint(), first -> new Past(answer));
        past.changing |= past.first != answer;
    }

    /** Whether two answers to this form were different. */
    public boolean changing(Form form) {
        Past past = forms.get(form.fingerprint());
        return past != null && past.changing;
    }

    private static final class Past {
        private final long first;
        private boolean changing;

        Past(long first) {
            this.first = first;
        }
    }
}
