package dev.understudy.divergence.compare;

import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.SignedToken;
import org.jspecify.annotations.Nullable;

/** Explains why two values in the same place of one exchange may differ, if they may. */
public final class ValueNoise {
    private final IdentityDraft identities;
    private final ComparisonRules rules;
    private final TextSpan production;
    private final TextSpan debug;
    private final boolean learns;

    /** For an exchange whose two sides were served in these times. */
    public ValueNoise(ComparisonRules rules, IdentityDraft identities, TextSpan production, TextSpan debug) {
        this(
                rules,
                identities,
                production.widened(rules.clockTolerance()),
                debug.widened(rules.clockTolerance()),
                true);
    }

    private ValueNoise(
            ComparisonRules rules, IdentityDraft identities, TextSpan production, TextSpan debug, boolean learns) {
        this.rules = rules;
        this.identities = identities;
        this.production = production;
        this.debug = debug;
        this.learns = learns;
    }

    /** The same that knows identities and learns none: for servers whose values are records'. */
    public ValueNoise withoutLearning() {
        return new ValueNoise(rules, identities, production, debug, false);
    }

    /** When production served it, as far as its clock may be off. */
    public TextSpan productionSpan() {
        return production;
    }

    /** The same of debug. */
    public TextSpan debugSpan() {
        return debug;
    }

    /** Time stamps and identities known already. */
    @Nullable
    public Noise ofText(String productionValue, String debugValue) {
        if (TimeStamps.texts(productionValue, production, debugValue, debug, rules.localZones())) {
            return Noise.EXCHANGE_TIME;
        }
        return identities.translate(productionValue).equals(debugValue) ? Noise.IDENTITY : null;
    }

    /**
     * As {@link #ofText}, and learns what stands there if it can only be an identity.
     *
     * @param path of the values in the reply
     * @param name of the member or header that holds them
     */
    @Nullable
    public Noise ofTextAt(CharSequence path, String name, String productionValue, String debugValue) {
        Noise known = ofText(productionValue, debugValue);
        return known != null ? known : learn(path, name, productionValue, debugValue);
    }

    /** Of values that nothing explains yet: learns them, if they can only be an identity. */
    @Nullable
    public Noise learn(CharSequence path, String name, String productionValue, String debugValue) {
        if (!learns || !endAlike(productionValue, debugValue)) {
            return null;
        }
        return identities.learnAt(path, name, productionValue, debugValue) ? Noise.IDENTITY : null;
    }

    /** Whether of two signed tokens, if they are, both are valid or none. */
    public boolean endAlike(String productionValue, String debugValue) {
        return SignedToken.endAlike(productionValue, production, debugValue, debug);
    }

    /** Moments written as numbers. */
    @Nullable
    public Noise ofNumber(String productionNumber, String debugNumber) {
        boolean now = TimeStamps.numbers(productionNumber, production, debugNumber, debug);
        return now ? Noise.EXCHANGE_TIME : null;
    }
}
