package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.ItemOrder;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.identity.IdentityPlace;
import dev.understudy.divergence.identity.OpaqueValue;
import dev.understudy.divergence.noise.ValueClass;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells which kind of noise a difference could be. */
final class NoiseClassifier {
    private static final Pattern INTEGER = Pattern.compile("\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,20}(?:\\.\\d{1,20})?(?:[eE][+-]?\\d{1,3})?");
    private static final Pattern SHORT_HEX = Pattern.compile("(?=.*[0-9])[0-9a-f]{8,15}|(?=.*[0-9])[0-9A-F]{8,15}");
    private static final Pattern LARGE = Pattern.compile("-?(?:\\d{15,20}|\\d?\\.\\d{14,20})");
    private static final Pattern CODED = Pattern.compile("[A-Za-z0-9+/_=-]{16,200}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{2,253}");
    private static final Pattern WORDS = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");
    private static final int ROUNDED_DIGITS = 12;
    private static final double ROUNDING = 1e-9;

    private static final Set<String> COUNTERS = Set.of(
            "id",
            "seq",
            "sequence",
            "counter",
            "requests",
            "request",
            "hits",
            "hit",
            "visits",
            "visit",
            "calls",
            "call",
            "served",
            "uptime",
            "millis",
            "nanos",
            "ticks",
            "generation",
            "serial",
            "offset",
            "nr",
            "number");
    private static final Set<String> RANDOMS = Set.of("random", "rand", "nonce", "salt", "seed", "jitter");
    private static final Set<String> HOSTS = Set.of(
            "host",
            "hostname",
            "node",
            "pod",
            "instance",
            "served",
            "backend",
            "container",
            "replica",
            "machine",
            "ip");

    private NoiseClassifier() {}

    /** The kind; null if what differs there may matter. */
    static @Nullable NoiseKind of(Sighting seen) {
        Difference difference = seen.difference();
        if (difference.type() == Difference.Type.ORDER) {
            return ItemOrder.read(seen.production()) != null && ItemOrder.read(seen.debug()) != null
                    ? NoiseKind.ORDER
                    : null;
        }
        if (difference.type() != Difference.Type.VALUE || isWhole(difference.path())) {
            return null;
        }
        if (quoted(difference.production()) != quoted(difference.debug()) || asked(seen)) {
            return null;
        }
        boolean text = quoted(difference.production()) || !difference.path().startsWith("body");
        return ofValues(name(difference.path()), text, seen.production(), seen.debug());
    }

    /**
     * Whether a difference at a place of that kind looks like it; hexadecimal digits may happen to be decimal ones on
     * both sides.
     */
    static boolean fits(NoiseKind kind, Sighting seen) {
        NoiseKind looks = of(seen);
        boolean digits = kind == NoiseKind.TOKEN
                && (looks == NoiseKind.COUNTER || looks == NoiseKind.CLOCK || looks == null)
                && brief(seen.production(), seen.debug());
        return looks == kind || digits;
    }

    private static @Nullable NoiseKind ofValues(String name, boolean text, String ours, String theirs) {
        boolean letters =
                Stream.of(ours, theirs).anyMatch(value -> value.chars().anyMatch(Character::isLetter));
        if (text
                && letters
                && IdentityPlace.holdsIdentity(name)
                && !IdentityPlace.holdsContentHash(name)
                && brief(ours, theirs)) {
            return NoiseKind.TOKEN;
        }
        if (isOneOf(RANDOMS, name)
                && LARGE.matcher(ours).matches()
                && LARGE.matcher(theirs).matches()) {
            return NoiseKind.RANDOM;
        }
        TimeStamps.Stamp stamp = TimeStamps.stamp(ours);
        TimeStamps.Stamp other = stamp == null ? null : TimeStamps.stamp(theirs);
        if (stamp != null && other != null) {
            return stamp.form().equals(other.form()) ? NoiseKind.CLOCK : null;
        }
        if (NUMBER.matcher(ours).matches() && NUMBER.matcher(theirs).matches()) {
            return ofNumbers(name, ours, theirs);
        }
        if (IdentityPlace.holdsContentHash(name)) {
            return null;
        }
        if (ValueClass.of(ours) == ValueClass.UUID && ValueClass.of(theirs) == ValueClass.UUID) {
            return NoiseKind.UUID;
        }
        if (isToken(name, ours, theirs)) {
            return NoiseKind.TOKEN;
        }
        boolean hosts = HOST.matcher(ours).matches() && HOST.matcher(theirs).matches();
        return hosts && isOneOf(HOSTS, name) ? NoiseKind.HOST : null;
    }

    private static @Nullable NoiseKind ofNumbers(String name, String ours, String theirs) {
        double one = Double.parseDouble(ours);
        double two = Double.parseDouble(theirs);
        int digits = Math.max(digits(ours), digits(theirs));
        boolean fractions = ours.indexOf('.') >= 0 || theirs.indexOf('.') >= 0;
        if (fractions && digits >= ROUNDED_DIGITS && Math.abs(one - two) <= ROUNDING * Math.abs(one)) {
            return NoiseKind.ROUNDING;
        }
        boolean integers =
                INTEGER.matcher(ours).matches() && INTEGER.matcher(theirs).matches();
        return integers && isOneOf(COUNTERS, name) ? NoiseKind.COUNTER : null;
    }

    private static boolean isToken(String name, String ours, String theirs) {
        boolean identity = IdentityPlace.holdsIdentity(name);
        int from = prefix(ours, theirs);
        String mine = ours.substring(from);
        String other = theirs.substring(from);
        boolean brief = identity && brief(mine, other);
        boolean coded = IdentityPlace.holdsToken(name)
                && mine.length() == other.length()
                && CODED.matcher(mine).matches()
                && CODED.matcher(other).matches();
        return brief || coded || OpaqueValue.alike(mine, other, identity);
    }

    /** Short hexadecimal texts of one length. */
    private static boolean brief(String ours, String theirs) {
        return ours.length() == theirs.length()
                && SHORT_HEX.matcher(ours).matches()
                && SHORT_HEX.matcher(theirs).matches();
    }

    /**
     * How long the beginning is that both share, up to a separator: {@code req_} of {@code req_8f…} and
     * {@code req_17…}.
     */
    private static int prefix(String ours, String theirs) {
        int common = Arrays.mismatch(ours.toCharArray(), theirs.toCharArray());
        for (int i = Math.min(Math.max(common, 0), 32); i > 0; i--) {
            if ("_-:./".indexOf(ours.charAt(i - 1)) >= 0
                    && !ours.substring(0, i).chars().anyMatch(Character::isDigit)) {
                return i;
            }
        }
        return 0;
    }

    /** Whether the request names one of the values: then they say what it was about. */
    private static boolean asked(Sighting seen) {
        return names(seen.request(), seen.production()) || names(seen.request(), seen.debug());
    }

    private static boolean names(String request, String value) {
        int at = value.isEmpty() ? -1 : request.indexOf(value);
        while (at >= 0) {
            int end = at + value.length();
            boolean begins = at == 0 || !Character.isLetterOrDigit(request.charAt(at - 1));
            boolean ends = end == request.length() || !Character.isLetterOrDigit(request.charAt(end));
            if (begins && ends) {
                return true;
            }
            at = request.indexOf(value, at + 1);
        }
        return false;
    }

    /** Whether that is all of a reply, or a part whose kind its values don't tell. */
    private static boolean isWhole(String path) {
        return List.of("status", "reason", "version", "body").contains(path) || path.endsWith("…");
    }

    private static boolean quoted(@Nullable String shown) {
        return shown != null && shown.startsWith("\"");
    }

    /** The last name of a path: {@code requestId} of {@code body.items[3].requestId} and {@code body.requestId[2]}. */
    private static String name(String path) {
        String bare = path.replaceAll("(?:\\[\\d+])+$", "");
        String last = bare.substring(bare.lastIndexOf('.') + 1);
        int bracket = last.indexOf('[');
        return bracket < 0 ? last : last.substring(bracket + 1).replaceAll("[\"\\]]", "");
    }

    private static boolean isOneOf(Set<String> words, String name) {
        return Arrays.stream(WORDS.split(name))
                .map(word -> word.toLowerCase(Locale.ROOT))
                .anyMatch(words::contains);
    }

    private static int digits(String number) {
        int end = Math.max(number.indexOf('e'), number.indexOf('E'));
        return (int) number.substring(0, end < 0 ? number.length() : end)
                .replaceFirst("^-?0?\\.?0*", "")
                .chars()
                .filter(c -> c >= '0' && c <= '9')
                .count();
    }
}
