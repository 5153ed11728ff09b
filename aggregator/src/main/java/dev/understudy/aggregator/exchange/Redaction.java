package dev.understudy.aggregator.exchange;

import java.util.function.UnaryOperator;

/**
 * What the texts of an upstream's forms don't show, besides what its protocol leaves out; forms are equal as before.
 * Immutable.
 */
public final class Redaction {
    /** They show all of it. */
    public static final Redaction NONE = new Redaction(UnaryOperator.identity());

    private final UnaryOperator<String> masking;

    /** @param masking makes the text that is shown; stateless */
    public Redaction(UnaryOperator<String> masking) {
        this.masking = masking;
    }

    /** The form as it is shown, stored and told on. */
    public Form of(Form form) {
        return this == NONE ? form : form.shownBy(masking);
    }
}
