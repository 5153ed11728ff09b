package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.compare.ValueOrigin;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Masks the differences of one verdict. A value that was cut from a text is masked as it is in the whole text, and so
 * is a name that the path has from there. Confined to one thread.
 */
final class DifferenceMask {
    private static final Pattern SEPARATORS = Pattern.compile("[\\[\\].\"]+");
    private static final Pattern NAME = Pattern.compile("[^\\[\\].\"]{3,}");
    /** From the first name of any characters to the last one. */
    private static final Pattern QUOTED = Pattern.compile("(?s)\\[\"(.*)\"]");
    /** The end of a name that was cut. */
    private static final Pattern CUT = Pattern.compile("([^\\s\"'=:/?&;,<>]{8,})…");

    /** Behind a text that is like the other one where nothing is masked. */
    private static final String DIFFERS = " (what is masked differs)";

    private final Masking masking;
    private final IdentityHashMap<String, SecretSpans> secrets = new IdentityHashMap<>();

    DifferenceMask(Masking masking) {
        this.masking = masking;
    }

    Difference of(Difference difference) {
        if (difference.noise() == Noise.DATE_HEADER) {
            return difference; // two HTTP dates and nothing else
        }
        boolean secret = difference.noise() == Noise.IDENTITY
                || (isSecretPath(difference.path()) && !isPlainAttribute(difference));
        if (secret && SecretOutline.isOne(difference.production()) && SecretOutline.isOne(difference.debug())) {
            return difference;
        }
        String production = secret ? null : shown(difference.production(), difference.origin(), true);
        String debug = secret ? null : shown(difference.debug(), difference.origin(), false);
        SecretOutline ours = outline(difference.production(), production);
        SecretOutline theirs = outline(difference.debug(), debug);
        if (ours != null) {
            production = ours.alone();
        }
        if (theirs != null) {
            debug = theirs.equals(ours) ? theirs.other() : theirs.alone();
        }
        if (ours == null
                && production != null
                && production.equals(debug)
                && production.contains(Masking.MASK)
                && !Objects.equals(difference.production(), difference.debug())) {
            debug += DIFFERS;
        }
        return new Difference(path(difference), difference.type(), production, debug, difference.noise());
    }

    /** Whether it is of a cookie's attribute; not of a name that was chosen. */
    private boolean isPlainAttribute(Difference difference) {
        if (!CookieAttributes.contain(difference)) {
            return false;
        }
        for (String name : SEPARATORS.split(difference.path(), -1)) {
            if (masking.isChosen(name)) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable SecretOutline outline(@Nullable String value, @Nullable String shown) {
        return value == null || shown != null ? null : SecretOutline.of(value);
    }

    private boolean isSecretPath(String path) {
        for (String name : SEPARATORS.split(path, -1)) {
            if (masking.isSecret(name)) {
                return true;
            }
        }
        return false;
    }

    /** Null if all of it is secret. */
    private @Nullable String shown(@Nullable String value, @Nullable ValueOrigin origin, boolean ofProduction) {
        String shown = value;
        for (ValueOrigin at = origin; at != null && shown != null; at = at.outer()) {
            TextRange range = ofProduction ? at.production() : at.debug();
            shown = range == null ? shown : shown(shown, range);
        }
        return shown == null ? null : masking.within(shown);
    }

    private @Nullable String shown(String value, TextRange range) {
        SecretSpans spans = secrets(range.text());
        if (range.from() == range.to() || !spans.touches(range.from(), range.to())) {
            return value;
        }
        String whole = range.value();
        boolean masked = spans.covers(range.from(), range.to()) || !value.contains(whole);
        return masked ? null : value.replace(whole, spans.masked(range.from(), range.to()));
    }

    private SecretSpans secrets(String text) {
        return secrets.computeIfAbsent(text, masking::secrets);
    }

    private String path(Difference difference) {
        String path = difference.path();
        for (ValueOrigin at = difference.origin(); at != null; at = at.outer()) {
            path = path(path, at.named(), at.production());
            path = path(path, at.named(), at.debug());
        }
        String shown =
                QUOTED.matcher(path).replaceAll(name -> Matcher.quoteReplacement("[\"" + name(name.group(1)) + "\"]"));
        SecretSpans secret = new SecretSpans(shown);
        SecretForms.find(shown, secret);
        return secret.isEmpty() ? shown : secret.masked(0, shown.length());
    }

    /** A name of any characters may hold a secret, and the end of one that was cut may be a secret's beginning. */
    private String name(String name) {
        String shown = masking.within(name);
        return CUT.matcher(shown).replaceAll(cut -> {
            String end = SecretForms.isRandom(cut.group(1)) ? Masking.MASK + '…' : cut.group();
            return Matcher.quoteReplacement(end);
        });
    }

    private String path(String path, int named, @Nullable TextRange range) {
        if (range == null || named >= path.length() || secrets(range.text()).isEmpty()) {
            return path;
        }
        SecretSpans spans = secrets(range.text());
        String names = path.substring(named);
        return path.substring(0, named)
                + NAME.matcher(names).replaceAll(name -> {
                    String shown = spans.hold(name.group()) ? Masking.MASK : name.group();
                    return Matcher.quoteReplacement(shown);
                });
    }
}
