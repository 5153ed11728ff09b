package dev.understudy.aggregator.journal.past;

import java.util.List;

/**
 * A recorded form that is like one that was asked for.
 *
 * @param text redacted
 * @param differs which parts of the request differ, by name; empty if they aren't known
 */
public record NearForm(String text, List<String> differs) {
    public NearForm {
        differs = List.copyOf(differs);
    }
}
