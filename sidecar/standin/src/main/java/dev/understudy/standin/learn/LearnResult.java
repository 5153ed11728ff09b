package dev.understudy.standin.learn;

import dev.understudy.standin.model.ServiceModel;
import java.util.List;

/**
 * What was learned.
 *
 * @param notes what was left out, for people; empty if nothing
 */
public record LearnResult(ServiceModel model, List<String> notes) {
    public LearnResult {
        notes = List.copyOf(notes);
    }
}
