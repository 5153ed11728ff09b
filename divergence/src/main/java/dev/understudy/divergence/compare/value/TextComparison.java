package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.identity.IdentityDraft;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares two different texts line by line; what is inserted or left out doesn't make all that follows differ. */
public final class TextComparison {
    private static final int MAX_TABLE = 250_000;
    private static final int MAX_WORDS = 32_000; // characters in a line
    /** Lines of forms and pages that carry a token of the server's: identities are learned there. */
    private static final Pattern TOKEN_LINE = Pattern.compile("(?i)[cx]srf|nonce|_token|session-?id");

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
        List<String> ours = Arrays.asList(production.split("\n", -1));
        List<String> theirs = Arrays.asList(debug.split("\n", -1));
        int common = Math.min(ours.size(), theirs.size());
        int from = 0;
        while (from < common && ours.get(from).equals(theirs.get(from))) {
            from++;
        }
        int cut = 0;
        while (cut < common - from && ours.get(ours.size() - 1 - cut).equals(theirs.get(theirs.size() - 1 - cut))) {
            cut++;
        }
        List<String> mine = ours.subList(from, ours.size() - cut);
        List<String> other = theirs.subList(from, theirs.size() - cut);
        if (mine.size() == other.size()) {
            for (int i = 0; i < mine.size() && !differences.full(); i++) {
                line(from + i, mine.get(i), other.get(i));
            }
        } else if ((long) mine.size() * other.size() <= MAX_TABLE) {
            align(from, mine, other);
        } else {
            differences.real(path, Difference.Type.LENGTH, ours.size() + " lines", theirs.size() + " lines");
            line(from, mine.get(0), other.get(0));
        }
    }

    private void line(int index, String ours, String theirs) {
        String place = path + ":" + (index + 1);
        if (!ours.equals(theirs) && !json(place, ours, theirs) && !mixed.words(place, ours, theirs)) {
            differences.add(place, Difference.Type.VALUE, ours, theirs, explain(ours, theirs));
        }
    }

    /** A line that holds JSON from its beginning, or behind the same words, to its end. */
    private boolean json(String place, String ours, String theirs) {
        int object = ours.indexOf('{');
        int array = ours.indexOf('[');
        int at = object < 0 || (array >= 0 && array < object) ? array : object;
        return at >= 0
                && theirs.length() > at
                && ours.regionMatches(0, theirs, 0, at)
                && mixed.json(place, ours.substring(at), theirs.substring(at));
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
        boolean token = TOKEN_LINE.matcher(ours).find();
        Noise found = null;
        for (int i = 0; i < words.length; i++) {
            if (!words[i].equals(others[i])) {
                Noise why =
                        token ? noise.ofTextAt(path, "token", words[i], others[i]) : noise.ofText(words[i], others[i]);
                if (why == null) {
                    return null;
                }
                found = why;
            }
        }
        return found;
    }

    private static String blanks(String line) {
        String inner = line.strip();
        return inner.isEmpty() ? line : line.replace(inner, "x");
    }

    /** Longest common subsequence of lines; lines outside it are missing or extra. */
    private void align(int offset, List<String> ours, List<String> theirs) {
        int[][] common = new int[ours.size() + 1][theirs.size() + 1];
        for (int i = ours.size() - 1; i >= 0; i--) {
            for (int j = theirs.size() - 1; j >= 0; j--) {
                common[i][j] = ours.get(i).equals(theirs.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while ((i < ours.size() || j < theirs.size()) && !differences.full()) {
            if (i < ours.size() && j < theirs.size() && ours.get(i).equals(theirs.get(j))) {
                i++;
                j++;
            } else if (j == theirs.size() || (i < ours.size() && common[i + 1][j] >= common[i][j + 1])) {
                differences.real(path + ":" + (offset + i + 1), Difference.Type.MISSING, ours.get(i), null);
                i++;
            } else {
                differences.real(path + ":" + (offset + i + 1), Difference.Type.EXTRA, null, theirs.get(j));
                j++;
            }
        }
    }
}
