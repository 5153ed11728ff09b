package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.identity.IdentityPlace;
import dev.understudy.divergence.identity.OpaqueValue;
import dev.understudy.divergence.noise.ValueClass;
import java.util.regex.Pattern;

/**
 * Two different words in the same place of two texts.
 *
 * @param index which word of the text it is, from 1
 */
record TextPart(PartName name, int index, String production, String debug, TextRange ours, TextRange theirs) {
    private static final String PREFIX_ENDS = "-_.~:";
    private static final Pattern CODED = Pattern.compile("[A-Za-z0-9+/_=-]{16,200}");
    private static final Pattern HASH = Pattern.compile("(?i).*(?:sha-?\\d*|md5|integrity)");

    /** Two that stand there. */
    TextPart(PartName name, int index, TextRange ours, TextRange theirs) {
        this(name, index, ours.value(), theirs.value(), ours, theirs);
    }

    /** Whether each side may have made up its own, or both are times. */
    boolean isMadeUp() {
        String mine = inner(production);
        String its = inner(debug);
        if (holdsHash()) {
            return false;
        }
        boolean uuids = ValueClass.of(mine) == ValueClass.UUID && ValueClass.of(its) == ValueClass.UUID;
        return isTime()
                || uuids
                || isCoded(mine, its)
                || OpaqueValue.alike(mine, its, IdentityPlace.holdsIdentity(place()));
    }

    private boolean isTime() {
        TimeStamps.Stamp stamp = TimeStamps.stamp(production);
        TimeStamps.Stamp other = stamp == null ? null : TimeStamps.stamp(debug);
        return stamp != null && other != null && stamp.form().equals(other.form());
    }

    private boolean isCoded(String mine, String its) {
        return IdentityPlace.holdsToken(place())
                && mine.length() == its.length()
                && CODED.matcher(mine).matches()
                && CODED.matcher(its).matches();
    }

    /** Whether other values mean other content. */
    private boolean holdsHash() {
        String own = ownName();
        return IdentityPlace.holdsContentHash(own) || HASH.matcher(own).matches();
    }

    /**
     * The name under which identities are learned there, which a text of many words has to say itself; "" if they
     * mustn't be.
     */
    String place() {
        if (holdsHash()) {
            return "";
        }
        String own = ownName();
        return IdentityPlace.holdsIdentity(own) ? own : name.ofToken() ? "token" : "";
    }

    /** Without the prefix that both have, up to a separator. */
    String inner(String value) {
        return value.substring(prefix());
    }

    private int prefix() {
        if (isTime()) {
            return 0;
        }
        int end = 0;
        for (int i = 0; i < Math.min(production.length(), debug.length()); i++) {
            char c = production.charAt(i);
            if (c != debug.charAt(i)) {
                break;
            }
            end = PREFIX_ENDS.indexOf(c) >= 0 ? i + 1 : end;
        }
        return end;
    }

    /** What the prefix says, as in {@code nonce-…}, or what the text says. */
    private String ownName() {
        int prefix = prefix();
        String own = prefix == 0 ? "" : PartName.last(production.substring(0, prefix - 1));
        return own.isEmpty() ? name.own() : own;
    }

    /** Appends how a path calls it, by names of which masking knows a secret. */
    void appendTo(StringBuilder path) {
        String own = ownName();
        if (own.isEmpty() && !name.before().isEmpty()) {
            JsonComparison.appendName(path, name.before());
        }
        if (!own.equals(name.own()) && !name.own().isEmpty()) {
            JsonComparison.appendName(path, name.own());
        }
        JsonComparison.appendName(path, own.isEmpty() ? "word" + index : own);
    }
}
