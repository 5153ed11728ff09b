package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.ValueOrigin;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.SignedToken;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares two texts by what they hold: JSON, a signed token, or words of which one at least looks made up. So a real
 * difference beside a made-up value has a path of its own, and the made-up one can be learned.
 */
public final class MixedText {
    /** How deep a text may stand in texts. */
    private static final int MOST_NESTED = 4;

    /** Names in JSON are the schema's. */
    private static final int UNNAMED = Integer.MAX_VALUE;

    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;
    private final int nested;

    /** Compares for one exchange; what it finds and learns goes to the others. */
    public MixedText(IdentityDraft identities, ValueNoise noise, Differences differences) {
        this(identities, noise, differences, 0);
    }

    MixedText(IdentityDraft identities, ValueNoise noise, Differences differences, int nested) {
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
        this.nested = nested;
    }

    /** Whether two different texts can be compared so; nothing is reported then. */
    static boolean reads(String ours, String theirs) {
        EmbeddedJson mine = EmbeddedJson.read(ours);
        EmbeddedJson its = mine == null ? null : EmbeddedJson.read(theirs);
        boolean json = mine != null && its != null && mine.form() == its.form();
        return json
                || areTokens(ours, theirs)
                || !TextParts.of(TextRange.of(ours), TextRange.of(theirs)).isEmpty();
    }

    /** Whether two different texts could be compared so; then there is a difference at least. */
    public boolean compare(String path, String ours, String theirs) {
        TextRange mine = TextRange.of(ours);
        TextRange its = TextRange.of(theirs);
        return json(path, mine, its, true) || token(path, mine, its) || words(path, mine, its);
    }

    private static boolean areTokens(String ours, String theirs) {
        return SignedToken.read(ours) != null && SignedToken.read(theirs) != null;
    }

    /** By header and claims. Nothing is learned from them: a claim that differs is about somebody else. */
    private boolean token(String path, TextRange ours, TextRange theirs) {
        SignedToken mine = SignedToken.read(ours.value());
        SignedToken its = mine == null ? null : SignedToken.read(theirs.value());
        if (mine == null || its == null) {
            return false;
        }
        ValueOrigin outer = differences.enter(UNNAMED, before(ours), before(theirs));
        JsonComparison inner = new JsonComparison(identities, noise.withoutLearning(), differences, nested + 1);
        boolean header = inner.compare(path + ".header", mine.header(), its.header());
        boolean claims = inner.compare(path + ".claims", mine.lastingClaims(), its.lastingClaims());
        boolean another = mine.signature().length() == its.signature().length();
        if (!another || (!header && !claims)) {
            differences.real(
                    path + ".signature",
                    Difference.Type.VALUE,
                    outline(mine, ""),
                    outline(its, another ? "other " : ""));
        }
        differences.leave(outer);
        return true;
    }

    /** As masking shows a secret: nobody needs more of a signature. */
    private static String outline(SignedToken token, String which) {
        return "[masked " + token.signature().length() + " chars, " + which + "token]";
    }

    /** Claims are shown, unless the token stands within what is secret for another reason. */
    private static TextRange before(TextRange range) {
        return range.from() == 0 ? range.part(0, 0) : range.part(-1, 1);
    }

    /**
     * Only as JSON.
     *
     * @param alone whether nothing else stands there, so that a reader sees values and no characters
     */
    boolean json(String path, TextRange ours, TextRange theirs, boolean alone) {
        EmbeddedJson mine = nested == MOST_NESTED ? null : EmbeddedJson.read(ours.value());
        EmbeddedJson its = mine == null ? null : EmbeddedJson.read(theirs.value());
        if (mine == null || its == null || mine.form() != its.form()) {
            return false;
        }
        ValueOrigin outer = differences.enter(UNNAMED, ours.part(0, 1), theirs.part(0, 1));
        JsonComparison inner = new JsonComparison(identities, noise, differences, nested + 1);
        boolean found = inner.compare(path, mine.value(), its.value());
        differences.leave(outer);
        boolean free = alone && mine.form() == EmbeddedJson.Form.PLAIN;
        if (!found || (!free && !mine.isWrittenAs(its))) {
            Noise why = free ? Noise.CONTENT_FORM : null;
            outer = differences.enter(UNNAMED, ours, theirs);
            differences.add(path, Difference.Type.ENCODING, ours.value(), theirs.value(), why);
            differences.leave(outer);
        }
        return true;
    }

    /** Only by words. */
    boolean words(String path, TextRange ours, TextRange theirs) {
        List<TextPart> parts = TextParts.of(ours, theirs);
        for (TextPart part : parts) {
            StringBuilder place = new StringBuilder(path);
            part.appendTo(place);
            Noise why = why(place, part);
            if (why == null && token(place.toString(), part.ours(), part.theirs())) {
                continue;
            }
            ValueOrigin outer = differences.enter(path.length(), part.ours(), part.theirs());
            differences.add(
                    place.toString(),
                    Difference.Type.VALUE,
                    '"' + part.production() + '"',
                    '"' + part.debug() + '"',
                    why);
            differences.leave(outer);
        }
        return !parts.isEmpty();
    }

    private @Nullable Noise why(CharSequence path, TextPart part) {
        String name = part.place();
        String ours = part.inner(part.production());
        String theirs = part.inner(part.debug());
        return name.isEmpty() ? noise.ofText(ours, theirs) : noise.ofTextAt(path, name, ours, theirs);
    }
}
