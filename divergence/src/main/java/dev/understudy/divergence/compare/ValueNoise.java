package dev.understudy.divergence.compare;

import dev.understudy.divergence.content.Span;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.identity.IdentityDraft;
import org.jspecify.annotations.Nullable;

/** Explains why two values in the same place of one exchange may differ, if they may. */
final class ValueNoise {
    private final IdentityDraft identities;
    private final ComparisonRules rules;
    private final Span production;
    private final Span debug;

    ValueNoise(ComparisonRules rules, IdentityDraft identities, Span production, Span debug) {
        this.rules = rules;
        this.identities = identities;
        this.production = production.widened(rules.clockTolerance());
        this.debug = debug.widened(rules.clockTolerance());
    }

    Span productionSpan() {
        return production;
    }

    Span debugSpan() {
        return debug;
    }

    /** Time stamps and identities known already. */
    @Nullable
    Noise ofText(String productionValue, String debugValue) {
        if (TimeStamps.texts(productionValue, production, debugValue, debug, rules.localZones())) {
            return Noise.EXCHANGE_TIME;
        }
        return identities.translate(productionValue).equals(debugValue) ? Noise.IDENTITY : null;
    }

    /** As {@link #ofText}, and learns what stands there if it can only be an identity. */
    @Nullable
    Noise ofTextAt(String place, String productionValue, String debugValue) {
        Noise known = ofText(productionValue, debugValue);
        if (known != null) {
            return known;
        }
        return identities.learnAt(place, productionValue, debugValue) ? Noise.IDENTITY : null;
    }

    @Nullable
    Noise ofNumber(String productionNumber, String debugNumber) {
        boolean now = TimeStamps.numbers(productionNumber, production, debugNumber, debug);
        return now ? Noise.EXCHANGE_TIME : null;
    }
}
