package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.noise.ValueClass;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Kinds of values that differ by nature. */
public enum NoiseKind {
    /** Times that lie as far from their own exchange on one side as on the other, always. */
    CLOCK(ValueClass.TIME),
    /** UUIDs, each new. */
    UUID(ValueClass.UUID),
    /** Opaque strings, each new. */
    TOKEN(ValueClass.TOKEN),
    /** Numbers that a name calls random or an id, of fifteen digits and more, each new. */
    RANDOM(null),
    /** Whole numbers that a name calls a counter or an id, and that rise on both sides. */
    COUNTER(null),
    /** The same number but for the last digits of a binary fraction. */
    ROUNDING(null),
    /** Lists that production itself gives in another order when it is asked the same again. */
    ORDER(ValueClass.ORDER),
    /** What a name calls a host, and what never changes on either side. */
    HOST(null);

    private final @Nullable ValueClass value;

    NoiseKind(@Nullable ValueClass value) {
        this.value = value;
    }

    /** What a rule in a file can say of it; null if any such rule would overlook more than what was learned. */
    public @Nullable ValueClass value() {
        return value;
    }

    /** Its name in reports and metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether it may come and go; the others have to be there from a route's first replies on, in nearly all of them.
     */
    boolean maySetIn() {
        return this == ROUNDING || this == ORDER;
    }

    Evidence newEvidence() {
        return switch (this) {
            case CLOCK -> new ClockEvidence();
            case UUID, TOKEN, RANDOM -> new FreshEvidence();
            case COUNTER -> new CounterEvidence();
            case ROUNDING -> new RoundingEvidence();
            case ORDER -> new OrderEvidence();
            case HOST -> new HostEvidence();
        };
    }
}
