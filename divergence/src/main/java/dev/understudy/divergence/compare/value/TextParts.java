package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.content.TimeStamps;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words in which two texts differ that are built alike: the same separators, in the same order. Time and memory
 * are in proportion to the texts, at most {@value #MOST} words are kept.
 *
 * <p>Where only what stands around a word shows that it is a secret, masking looks at that. A private key and the
 * number of a card stay one thing.
 */
final class TextParts {
    private static final int LONGEST = 1 << 20;
    private static final int MOST = 64;
    private static final int HTTP_DATE = 29;
    private static final String SEPARATORS = " \t\r\n\"'<>=,;&()[]{}|\\";
    private static final String MARKS = ".:!?";
    /** They separate within paths, unless a word is made up as a whole. */
    private static final String OF_PATHS = "/?#";

    private static final String PRIVATE_KEY = "PRIVATE KEY-----";
    private static final Pattern GROUP_OF_DIGITS = Pattern.compile("\\d{3,8}");
    /** A date and a time, which may have a blank between them and a comma before the fraction. */
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?");

    private final TextRange production;
    private final TextRange debug;
    private final String ours;
    private final String theirs;
    private final Matcher ourTime;
    private final Matcher theirTime;
    private final List<TextPart> parts = new ArrayList<>();
    private boolean madeUp;

    private TextParts(TextRange production, TextRange debug) {
        this.production = production;
        this.debug = debug;
        ours = production.value();
        theirs = debug.value();
        ourTime = TIME.matcher(ours);
        theirTime = TIME.matcher(theirs);
    }

    /**
     * What differs, each once.
     *
     * @return empty if the texts aren't built alike, if nothing in them looks made up, or nothing is around it
     */
    static List<TextPart> of(TextRange ours, TextRange theirs) {
        if (ours.length() > LONGEST || theirs.length() > LONGEST) {
            return List.of();
        }
        TextParts found = new TextParts(ours, theirs);
        boolean readable = !found.ours.contains(PRIVATE_KEY);
        return readable && found.alike() && found.madeUp ? found.parts : List.of();
    }

    private boolean alike() {
        int mine = 0;
        int other = 0;
        for (int word = 1; parts.size() <= MOST; word++) {
            int end = end(ours, mine, ourTime);
            int otherEnd = end(theirs, other, theirTime);
            boolean last = end == ours.length();
            if (last != (otherEnd == theirs.length()) || (!last && ours.charAt(end) != theirs.charAt(otherEnd))) {
                return false;
            }
            boolean equal = end - mine == otherEnd - other && ours.regionMatches(mine, theirs, other, end - mine);
            if (!equal && !word(word, mine, production.part(mine, end - mine), debug.part(other, otherEnd - other))) {
                return false;
            }
            if (last) {
                return true;
            }
            mine = end + 1;
            other = otherEnd + 1;
        }
        return false;
    }

    /** Where the word ends that begins there, without marks behind it. */
    private static int end(String text, int from, Matcher time) {
        if (from < text.length() && isDigit(text.charAt(from)) && text.startsWith("-", from + 4)) {
            time.region(from, Math.min(text.length(), from + 40));
            if (time.lookingAt() && (time.end() == text.length() || isSeparator(text.charAt(time.end())))) {
                return time.end();
            }
        } else if (text.startsWith(", ", from + 3) && from + HTTP_DATE <= text.length()) {
            if (TimeStamps.httpDate(text.substring(from, from + HTTP_DATE)) != null) {
                return from + HTTP_DATE;
            }
        }
        int end = from;
        while (end < text.length() && !isSeparator(text.charAt(end))) {
            end++;
        }
        while (end > from && MARKS.indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return end;
    }

    /** False if the texts are better shown as a whole. */
    private boolean word(int index, int at, TextRange mine, TextRange its) {
        boolean whole = mine.length() == ours.length() && its.length() == theirs.length();
        String word = mine.value();
        boolean card = GROUP_OF_DIGITS.matcher(word).matches() && isBesideDigits(at, word.length());
        if (card || (whole && word.indexOf('/') < 0)) { // a name with its prefix ("req:17…") is one thing, too
            return false;
        }
        TextPart part = new TextPart(PartName.of(ours, at), index, mine, its);
        if ((whole || !keep(part)) && !split(part)) {
            parts.add(part);
        }
        return true;
    }

    private boolean isBesideDigits(int at, int length) {
        int next = at + length + 1;
        boolean before = at > 1 && ours.charAt(at - 1) == ' ' && isDigit(ours.charAt(at - 2));
        return before || (next < ours.length() && ours.charAt(next - 1) == ' ' && isDigit(ours.charAt(next)));
    }

    /** Keeps what looks made up. */
    private boolean keep(TextPart part) {
        boolean is = part.isMadeUp();
        if (is) {
            parts.add(part);
            madeUp = true;
        }
        return is;
    }

    /** A path by its segments; false if it is none, if both aren't built alike, or if it may name a password. */
    private boolean split(TextPart part) {
        String mine = part.production();
        String its = part.debug();
        if (mine.indexOf('/') < 0 || mine.indexOf('@') >= 0 || its.indexOf('@') >= 0) {
            return false;
        }
        List<String> segments = segments(mine);
        List<String> others = segments(its);
        boolean alike = segments.size() == others.size();
        for (int i = 1; i < segments.size() && alike; i += 2) {
            alike = segments.get(i).equals(others.get(i));
        }
        int at = 0;
        int other = 0;
        for (int i = 0; i < segments.size() && alike; i += 2) {
            int length = segments.get(i).length();
            int otherLength = others.get(i).length();
            if (!segments.get(i).equals(others.get(i))) {
                PartName name = i < 2 ? part.name() : part.name().behind(segments.get(i - 2));
                TextPart segment = new TextPart(
                        name,
                        part.index() + i,
                        part.ours().part(at, length),
                        part.theirs().part(other, otherLength));
                if (!keep(segment)) {
                    parts.add(segment);
                }
            }
            at += length + 1;
            other += otherLength + 1;
        }
        return alike;
    }

    /** Words and separators, in turn. */
    private static List<String> segments(String word) {
        List<String> segments = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < word.length() && segments.size() < 2 * MOST; i++) {
            if (OF_PATHS.indexOf(word.charAt(i)) >= 0) {
                segments.add(word.substring(from, i));
                segments.add(word.substring(i, i + 1));
                from = i + 1;
            }
        }
        segments.add(word.substring(from));
        return segments;
    }

    private static boolean isSeparator(char c) {
        return SEPARATORS.indexOf(c) >= 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
