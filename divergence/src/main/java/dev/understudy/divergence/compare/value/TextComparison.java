package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.ValueOrigin;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.IdentityPlace;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares two different texts line by line; what is inserted or left out doesn't make all that follows differ. */
public final class TextComparison {
    private static final int MAX_TABLE = 250_000;
    private static final int MAX_WORDS = 32_000; // characters in a line
    /** What stands before JSON that is read as such: nothing, or the name of an event's field. */
    private static final Pattern FIELD = Pattern.compile("\\s*(?:[a-z]{1,16}:\\s*)?");

    private static final Pattern WORDS = Pattern.compile("(?<=[\\s\"'<>=,;&()])|(?=[\\s\"'<>=,;&()])");

    private final ValueNoise noise;
    private final MixedText mixed;
    private final Differences differences;
    private final String path;

    /** @param path of the text; lines are shown as {@code path:line}, counted in production's text from 1 */
    public TextComparison(IdentityDraft identities, ValueNoise noise, Differences differences, String path) {
        this.mixed = new MixedText(identities, noise, differences);
        this.noise = noise;
        this.differences = differences;
        this.path = path;
    }

    /** Finds what differs between two texts that aren't equal. */
    public void compare(String production, String debug) {
        TextLines ours = new TextLines(production);
        TextLines theirs = new TextLines(debug);
        int common = Math.min(ours.size(), theirs.size());
        int from = 0;
        while (from < common && ours.get(from).equals(theirs.get(from))) {
            from++;
        }
        int cut = 0;
        while (cut < common - from && ours.get(ours.size() - 1 - cut).equals(theirs.get(theirs.size() - 1 - cut))) {
            cut++;
        }
        int mine = ours.size() - cut - from;
        int other = theirs.size() - cut - from;
        if (mine == other) {
            for (int i = from; i < from + mine && !differences.full(); i++) {
                line(i, ours.range(i), theirs.range(i));
            }
        } else if ((long) mine * other <= MAX_TABLE) {
            align(from, mine, other, ours, theirs);
        } else {
            differences.real(path, Difference.Type.LENGTH, ours.size() + " lines", theirs.size() + " lines");
            line(from, ours.range(from), theirs.range(from));
        }
    }

    private void line(int index, TextRange production, TextRange debug) {
        String place = path + ":" + (index + 1);
        String ours = production.value();
        String theirs = debug.value();
        if (!ours.equals(theirs) && !json(place, production, debug) && !mixed.words(place, production, debug)) {
            ValueOrigin outer = differences.enter(place.length(), production, debug);
            differences.add(place, Difference.Type.VALUE, ours, theirs, explain(ours, theirs));
            differences.leave(outer);
        }
    }

    /** A line that holds JSON from its beginning, or behind the same words, to its end. */
    private boolean json(String place, TextRange production, TextRange debug) {
        String ours = production.value();
        String theirs = debug.value();
        int object = ours.indexOf('{');
        int array = ours.indexOf('[');
        int at = object < 0 || (array >= 0 && array < object) ? array : object;
        return at >= 0
                && ours.regionMatches(0, theirs, 0, at + 1)
                && mixed.json(
                        place,
                        production.part(at, ours.length() - at),
                        debug.part(at, theirs.length() - at),
                        FIELD.matcher(ours).region(0, at).matches());
    }

    /** The weightiest reason, if every differing word of the line has one. */
    private @Nullable Noise explain(String ours, String theirs) {
        Noise whole = noise.ofText(ours.strip(), theirs.strip());
        if (whole != null && blanks(ours).equals(blanks(theirs))) {
            return whole;
        }
        if (ours.length() > MAX_WORDS || theirs.length() > MAX_WORDS) {
            return null;
        }
        String[] words = WORDS.split(ours, -1);
        String[] others = WORDS.split(theirs, -1);
        if (words.length != others.length) {
            return null;
        }
        Noise found = null;
        int at = 0;
        for (int i = 0; i < words.length; i++) {
            if (!words[i].equals(others[i])) {
                String name = token(ours, at);
                Noise why = name.isEmpty()
                        ? noise.ofText(words[i], others[i])
                        : noise.ofTextAt(path, name, words[i], others[i]);
                if (why == null) {
                    return null;
                }
                found = why;
            }
            at += words[i].length();
        }
        return found;
    }

    /** The name of a token of the server's that stands there; "" if none does. */
    private static String token(String line, int at) {
        PartName name = PartName.of(line, at);
        return IdentityPlace.holdsToken(name.own()) ? name.own() : name.ofToken() ? "token" : "";
    }

    private static String blanks(String line) {
        String inner = line.strip();
        return inner.isEmpty() ? line : line.replace(inner, "x");
    }

    /** Longest common subsequence of lines; lines outside it are missing or extra. */
    private void align(int from, int mine, int other, TextLines ours, TextLines theirs) {
        int[][] common = new int[mine + 1][other + 1];
        for (int i = mine - 1; i >= 0; i--) {
            for (int j = other - 1; j >= 0; j--) {
                common[i][j] = ours.get(from + i).equals(theirs.get(from + j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while ((i < mine || j < other) && !differences.full()) {
            if (i < mine && j < other && ours.get(from + i).equals(theirs.get(from + j))) {
                i++;
                j++;
            } else if (j == other || (i < mine && common[i + 1][j] >= common[i][j + 1])) {
                alone(from + i, Difference.Type.MISSING, ours.range(from + i), null);
                i++;
            } else {
                alone(from + i, Difference.Type.EXTRA, null, theirs.range(from + j));
                j++;
            }
        }
    }

    private void alone(int index, Difference.Type type, @Nullable TextRange ours, @Nullable TextRange theirs) {
        String place = path + ":" + (index + 1);
        ValueOrigin outer = differences.enter(place.length(), ours, theirs);
        differences.real(place, type, ours == null ? null : ours.value(), theirs == null ? null : theirs.value());
        differences.leave(outer);
    }
}
