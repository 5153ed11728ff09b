package dev.understudy.divergence.identity;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one comparison learns, before it is known whether the replies are about the same things. Confined to one thread.
 *
 * <p>Where replies really differ, a key of one may stand beside an unrelated key of the other. Then only session ids
 * and tokens are kept, which belong to no record.
 */
public final class IdentityDraft {
    /** Characters of the shortest value that may be one; {@link #shared(String)} needn't be told of shorter ones. */
    public static final int SHORTEST = OpaqueValue.MIN_LENGTH;

    private final IdentityMap identities;
    private final Map<String, String> toDebug = new LinkedHashMap<>();
    private final Map<String, String> toProduction = new HashMap<>();

    public IdentityDraft(IdentityMap identities) {
        this.identities = identities;
    }

    /** As {@link IdentityMap#learn}, at once: for values whose names tell that they belong together. */
    public boolean learn(String production, String debug) {
        return identities.learn(production, debug);
    }

    /** As {@link IdentityMap#replace}, at once. */
    public void replace(String production, String debug) {
        identities.replace(production, debug);
    }

    /**
     * As {@link IdentityMap#learn}, more careful: refuses content hashes, and what isn't clearly random where the
     * place isn't clearly an identity's. Counts in this draft; for others only after {@link #commit}.
     *
     * @param place the name of the JSON member or header that holds the values
     */
    public boolean learnAt(String place, String production, String debug) {
        if (IdentityPlace.holdsContentHash(place)) {
            return false;
        }
        if (IdentityPlace.holdsToken(place)) {
            return identities.learn(production, debug);
        }
        String known = toDebug.get(production);
        if (known != null || toProduction.containsKey(debug)) {
            return debug.equals(known);
        }
        String lasting = identities.debugValueOf(production);
        if (lasting != null) {
            return lasting.equals(debug);
        }
        if (!identities.couldLearn(production, debug, IdentityPlace.holdsIdentity(place))) {
            return false;
        }
        toDebug.put(production, debug);
        toProduction.put(debug, production);
        return true;
    }

    /** As {@link IdentityMap#shared(String)}, at once. */
    public void shared(String text) {
        identities.shared(text);
    }

    /** As {@link IdentityMap#shared(byte[])}, at once. */
    public void shared(byte[] text) {
        identities.shared(text);
    }

    /** The text with every value of production replaced by debug's, as far as either this draft or the map knows. */
    public String translate(String text) {
        return toDebug.isEmpty() ? identities.translate(text) : Translation.ofText(text, this::debugValueOf);
    }

    private @Nullable String debugValueOf(String production) {
        String drafted = toDebug.get(production);
        return drafted != null ? drafted : identities.debugValueOf(production);
    }

    /** Hands the draft to the map. */
    public void commit() {
        toDebug.forEach(identities::learn);
    }
}
