package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.content.JsonScanner;
import dev.understudy.divergence.content.JsonScanner.Token;
import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.identity.IdentityDraft;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two JSON texts that are the same, byte for byte, but for some strings and numbers: the usual case. Only
 * production's is read, without making anything of it; debug's has the same tokens where its bytes are the same, and
 * where they aren't one token of its is read.
 *
 * <p>What {@link JsonComparison} would tell, it tells; whatever could be seen in another way by that isn't decided
 * here.
 */
public final class SameShapeJson {
    private static final int FEW_NAMES = 12;

    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;
    private final byte[] ours;
    private final byte[] theirs;
    private final JsonScanner scanner;
    private final JsonScanner other;
    private final Level[] levels = new Level[JsonText.MAX_DEPTH + 1];
    /** By how much later debug's tokens stand. */
    private int shift;
    /** Where production's next byte stands that debug's hasn't; beyond its end if there is none. */
    private int differs;

    private final String root;

    private SameShapeJson(
            String root,
            IdentityDraft identities,
            ValueNoise noise,
            Differences differences,
            byte[] ours,
            byte[] theirs) {
        this.root = root;
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
        this.ours = ours;
        this.theirs = theirs;
        this.scanner = new JsonScanner(ours);
        this.other = new JsonScanner(theirs);
    }

    /** Whether both could be compared so; if not, nothing that was reported counts. */
    public static boolean compare(
            String root,
            IdentityDraft identities,
            ValueNoise noise,
            Differences differences,
            byte[] ours,
            byte[] theirs) {
        return JsonText.isUtf8(ours) // as theirs is then, but in tokens that differ
                && new SameShapeJson(root, identities, noise, differences, ours, theirs).compare();
    }

    private boolean compare() {
        levels[0] = new Level();
        seek(0);
        while (true) {
            Token token = scanner.next();
            if (token == Token.WRONG || (scanner.start() > differs && token != Token.END)) {
                return false;
            }
            if (token == Token.END) {
                return differs >= ours.length && ours.length + shift == theirs.length;
            }
            if (!take(token)) {
                return false;
            }
        }
    }

    private boolean take(Token token) {
        // a number may go on where ours has ended
        boolean touched = token == Token.NUMBER ? scanner.end() >= differs : scanner.end() > differs;
        return switch (token) {
            case NAME -> !touched && levels[scanner.depth()].name(ours, scanner.start() + 1, scanner.end() - 1);
            case BEGIN_OBJECT, BEGIN_ARRAY -> {
                begin(token == Token.BEGIN_ARRAY);
                yield !touched;
            }
            case TEXT, NUMBER -> {
                levels[scanner.depth()].next();
                yield touched ? differing(token) : alike(token);
            }
            case LITERAL -> {
                levels[scanner.depth()].next();
                yield !touched;
            }
            default -> !touched;
        };
    }

    private void begin(boolean array) {
        levels[scanner.depth() - 1].next();
        Level level = levels[scanner.depth()];
        if (level == null) {
            level = new Level();
            levels[scanner.depth()] = level;
        }
        level.begin(array);
    }

    private boolean alike(Token token) {
        if (token == Token.TEXT && scanner.end() - scanner.start() - 2 >= IdentityDraft.SHORTEST) {
            String text = text(scanner, ours);
            if (text == null) {
                return false;
            }
            if (identities.shared(text)) {
                identities.agreedAt(path());
            }
        }
        return true;
    }

    private boolean differing(Token token) {
        if (other.scalarAt(scanner.start() + shift) != token) {
            return false;
        }
        boolean text = token == Token.TEXT;
        String mine = text ? text(scanner, ours) : scanner.spelled();
        String its = text ? text(other, theirs) : other.spelled();
        if (mine == null || its == null || mine.equals(its)) {
            return !text && mine != null; // a number ends where blanks differ
        }
        Noise why = text ? noise.ofText(mine, its) : noise.ofNumber(mine, its);
        if (text && why == null) {
            why = noise.learn(path(), place(), mine, its);
        }
        boolean mixed = text && why == null && MixedText.reads(mine, its); // is compared by its parts
        boolean named = why == null && isNamedBeside();
        if (mixed || named || !mayDiffer(why == null)) {
            return false;
        }
        if (!differences.full()) {
            differences.add(
                    path(), Difference.Type.VALUE, text ? '"' + mine + '"' : mine, text ? '"' + its + '"' : its, why);
        }
        shift = other.end() - scanner.end();
        seek(scanner.end());
        return true;
    }

    /** What a string means; null if it can't be read. */
    private static @Nullable String text(JsonScanner at, byte[] bytes) {
        byte[] token = Arrays.copyOfRange(bytes, at.start(), at.end());
        if (!at.escaped()) {
            return JsonText.isUtf8(token) ? at.string() : null;
        }
        return JsonText.parse(token) instanceof JsonValue.Str string ? string.text() : null;
    }

    /** Items of an array of which several differ, and not by noise, may have changed places only. */
    private boolean mayDiffer(boolean real) {
        for (int depth = 1; depth <= scanner.depth(); depth++) {
            if (!levels[depth].differs(real)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a member beside it, or beside what it stands in, may be its name. */
    private boolean isNamedBeside() {
        for (int depth = scanner.depth(); depth > 0; depth--) {
            if (!levels[depth].array && SiblingName.mayName(levels[depth].name(ours))) {
                return true;
            }
        }
        return false;
    }

    /** The name of the nearest member. */
    private String place() {
        for (int depth = scanner.depth(); depth > 0; depth--) {
            if (!levels[depth].array) {
                return levels[depth].name(ours);
            }
        }
        return root;
    }

    private String path() {
        StringBuilder path = new StringBuilder(root);
        for (int depth = 1; depth <= scanner.depth(); depth++) {
            Level level = levels[depth];
            if (level.array) {
                path.append('[').append(level.index).append(']');
            } else {
                JsonComparison.appendName(path, level.name(ours));
            }
        }
        return path.toString();
    }

    private void seek(int from) {
        int mismatch = Arrays.mismatch(ours, from, ours.length, theirs, from + shift, theirs.length);
        differs = mismatch < 0 ? ours.length : from + mismatch;
        if (mismatch >= 0 && from + mismatch == ours.length) {
            differs = ours.length - 1; // debug's is longer: no token that is alike ends so late
        }
    }

    /** One object or array that isn't over, or the text itself. */
    private static final class Level {
        private final int[] starts = new int[FEW_NAMES];
        private final int[] ends = new int[FEW_NAMES];
        private @Nullable Set<String> more;
        private boolean array;
        private int index;
        private int names;
        private int nameStart;
        private int nameEnd;
        private int lastDifferent;
        private boolean several;
        private boolean real;

        void begin(boolean ofItems) {
            array = ofItems;
            index = -1;
            names = 0;
            more = null;
            lastDifferent = -1;
            several = false;
            real = false;
        }

        /** A value begins. */
        void next() {
            index++;
        }

        /** False if it stood there before. */
        boolean name(byte[] text, int start, int end) {
            nameStart = start;
            nameEnd = end;
            if (names == FEW_NAMES && more == null) {
                more = new HashSet<>();
                for (int i = 0; i < FEW_NAMES; i++) {
                    more.add(new String(text, starts[i], ends[i] - starts[i], StandardCharsets.UTF_8));
                }
            }
            if (more != null) {
                return more.add(name(text));
            }
            for (int i = 0; i < names; i++) {
                if (Arrays.equals(text, starts[i], ends[i], text, start, end)) {
                    return false;
                }
            }
            starts[names] = start;
            ends[names++] = end;
            return true;
        }

        String name(byte[] text) {
            return new String(text, nameStart, nameEnd - nameStart, StandardCharsets.UTF_8);
        }

        /** False if it isn't known any more whether the items changed places. */
        boolean differs(boolean really) {
            several |= lastDifferent >= 0 && lastDifferent != index;
            real |= really;
            lastDifferent = index;
            return !array || !several || !real;
        }
    }
}
