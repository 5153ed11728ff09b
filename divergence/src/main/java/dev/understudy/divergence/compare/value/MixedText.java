package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
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
        return json || areTokens(ours, theirs) || !TextParts.of(ours, theirs).isEmpty();
    }

    /** Whether two different texts could be compared so; then there is a difference at least. */
    public boolean compare(String path, String ours, String theirs) {
        return json(path, ours, theirs) || token(path, ours, theirs) || words(path, ours, theirs);
    }

    private static boolean areTokens(String ours, String theirs) {
        return SignedToken.read(ours) != null && SignedToken.read(theirs) != null;
    }

    /** By header and claims. Nothing is learned from them: a claim that differs is about somebody else. */
    private boolean token(String path, String ours, String theirs) {
        SignedToken mine = SignedToken.read(ours);
        SignedToken its = mine == null ? null : SignedToken.read(theirs);
        if (mine == null || its == null) {
            return false;
        }
        JsonComparison inner = new JsonComparison(identities, noise.withoutLearning(), differences, nested + 1);
        boolean header = inner.compare(path + ".header", mine.header(), its.header());
        boolean claims = inner.compare(path + ".claims", mine.lastingClaims(), its.lastingClaims());
        if (!header && !claims) {
            String what = " characters";
            differences.real(
                    path + ".signature",
                    Difference.Type.VALUE,
                    mine.signature().length() + what,
                    its.signature().length() + what + ", another");
        }
        return true;
    }

    /** Only as JSON. */
    boolean json(String path, String ours, String theirs) {
        EmbeddedJson mine = nested == MOST_NESTED ? null : EmbeddedJson.read(ours);
        EmbeddedJson its = mine == null ? null : EmbeddedJson.read(theirs);
        if (mine == null || its == null || mine.form() != its.form()) {
            return false;
        }
        JsonComparison inner = new JsonComparison(identities, noise, differences, nested + 1);
        if (!inner.compare(path, mine.value(), its.value())) {
            Noise why = mine.form() == EmbeddedJson.Form.PLAIN ? Noise.CONTENT_FORM : null;
            differences.add(path, Difference.Type.ENCODING, ours, theirs, why);
        }
        return true;
    }

    /** Only by words. */
    boolean words(String path, String ours, String theirs) {
        List<TextPart> parts = TextParts.of(ours, theirs);
        for (TextPart part : parts) {
            StringBuilder place = new StringBuilder(path);
            part.appendTo(place);
            Noise why = why(place, part);
            if (why == null && token(place.toString(), part.production(), part.debug())) {
                continue;
            }
            differences.add(
                    place.toString(),
                    Difference.Type.VALUE,
                    '"' + part.production() + '"',
                    '"' + part.debug() + '"',
                    why);
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
