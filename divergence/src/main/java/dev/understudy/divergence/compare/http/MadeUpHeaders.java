package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.identity.IdentityDraft;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains headers whose values each JVM makes up, wholly or in part, and learns what stands there. */
final class MadeUpHeaders {
    private static final String LOCATION = "Location";
    private static final String SEPARATORS = "/?&=;#";

    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final boolean bodiesEquivalent;

    /** @param bodiesEquivalent whether the bodies differ, and for known reasons only */
    MadeUpHeaders(IdentityDraft identities, ValueNoise noise, boolean bodiesEquivalent) {
        this.identities = identities;
        this.noise = noise;
        this.bodiesEquivalent = bodiesEquivalent;
    }

    @Nullable
    Noise explain(String path, String name, String ours, String theirs) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "etag" -> entityTag(ours, theirs);
            case "location", "content-location" -> location(path, ours, theirs);
            default -> noise.ofTextAt(path, name, ours, theirs);
        };
    }

    /**
     * An entity tag (RFC 9110, section 8.8.3) may be a hash of content, so another one means something else than the
     * same content, unless that has differed for a known reason. Either way later conditions carry debug's own.
     */
    private @Nullable Noise entityTag(String ours, String theirs) {
        Noise known = noise.ofText(ours, theirs);
        String mine = opaque(ours);
        String other = opaque(theirs);
        if (known != null || mine.length() == ours.length() || other.length() == theirs.length()) {
            return known;
        }
        identities.replace(mine, other);
        boolean alike = ours.startsWith("W/") == theirs.startsWith("W/");
        return alike && bodiesEquivalent && noise.ofText(ours, theirs) != null ? Noise.IDENTITY : null;
    }

    /** Without quotes; all of it if it isn't an entity tag. */
    private static String opaque(String tag) {
        int open = tag.startsWith("W/") ? 2 : 0;
        boolean quoted = tag.length() > open + 1 && tag.charAt(open) == '"' && tag.endsWith("\"");
        return quoted ? tag.substring(open + 1, tag.length() - 1) : tag;
    }

    /** What was created may have its name in the location only: where one part differs, it may be that name. */
    private @Nullable Noise location(String path, String ours, String theirs) {
        Noise whole = noise.ofTextAt(path, LOCATION, ours, theirs);
        int from = from(ours, theirs);
        int end = ours.length() - to(ours, theirs, from);
        int otherEnd = theirs.length() - to(ours, theirs, from);
        if (whole != null || end <= from || otherEnd <= from) {
            return whole;
        }
        return noise.ofTextAt(path, LOCATION, ours.substring(from, end), theirs.substring(from, otherEnd));
    }

    /** Where the first part begins that differs. */
    private static int from(String ours, String theirs) {
        int from = 0;
        for (int i = 0; i < Math.min(ours.length(), theirs.length()) && ours.charAt(i) == theirs.charAt(i); i++) {
            from = SEPARATORS.indexOf(ours.charAt(i)) >= 0 ? i + 1 : from;
        }
        return from;
    }

    /** How many characters from the end the last part ends that differs. */
    private static int to(String ours, String theirs, int from) {
        int to = 0;
        for (int i = 1; i <= Math.min(ours.length(), theirs.length()) - from; i++) {
            char c = ours.charAt(ours.length() - i);
            if (c != theirs.charAt(theirs.length() - i)) {
                break;
            }
            to = SEPARATORS.indexOf(c) >= 0 ? i : to;
        }
        return to;
    }
}
