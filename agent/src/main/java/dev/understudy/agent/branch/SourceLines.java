package dev.understudy.agent.branch;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * What the line numbers of a class file stand for that are no lines of its own source, as its source map says (JSR 45):
 * Kotlin's compiler numbers the lines of inlined functions anew, above those of the file. Immutable.
 *
 * <p>Rows that aren't understood are passed over; then numbers stand for themselves.
 */
final class SourceLines {
    private static final int MOST_ROWS = 100_000;
    private static final int LONGEST_NAME = 200;
    /** Where Kotlin's compiler says which line of the class's own source each inlined line was called from. */
    private static final String CALLS = "KotlinDebug";

    private static final Pattern FILE = Pattern.compile("(\\+ )?(\\d{1,9}) (.+)");
    private static final Pattern RANGE =
            Pattern.compile("(\\d{1,9})(?:#(\\d{1,9}))?(?:,(\\d{1,9}))?:(\\d{1,9})(?:,([1-9]\\d{0,8}))?");

    private final String own;
    private final NavigableMap<Integer, Range> sources = new TreeMap<>();
    private final NavigableMap<Integer, Range> calls = new TreeMap<>();

    private SourceLines(String own, String map) {
        this.own = own;
        read(map.split("\r?\n", MOST_ROWS));
    }

    /** Those of a class file. */
    static SourceLines of(ClassReader reader) {
        SourceLines[] found = {new SourceLines("", "")};
        ClassVisitor finder = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitSource(@Nullable String source, @Nullable String debug) {
                found[0] = new SourceLines(source == null ? "" : source, debug == null ? "" : debug);
            }
        };
        reader.accept(finder, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        return found[0];
    }

    /** The line of that number, with where it was inlined. */
    BranchLine line(int number) {
        BranchLine plain = target(number);
        Range call = at(calls, number);
        return plain.source.isEmpty() || call == null
                ? plain
                : new BranchLine(number, plain.source + " (inlined at line " + call.line(number) + ")");
    }

    /** The same, for where a jump leads: without where it was inlined. */
    BranchLine target(int number) {
        Range range = at(sources, number);
        if (range == null || (range.line(number) == number && range.file.equals(own))) {
            return new BranchLine(number, "");
        }
        return new BranchLine(number, range.line(number) + " of " + range.file);
    }

    private static @Nullable Range at(NavigableMap<Integer, Range> ranges, int number) {
        Map.Entry<Integer, Range> below = ranges.floorEntry(number);
        return below == null || !below.getValue().has(number) ? null : below.getValue();
    }

    /** The third row names the stratum that numbers are of unless somebody asks for another. */
    private void read(String[] rows) {
        String stratum = "";
        String section = "";
        Map<String, String> files = new HashMap<>();
        String file = "0";
        for (int i = 3; i < rows.length; i++) {
            if (rows[i].startsWith("*")) {
                section = rows[i].substring(0, Math.min(2, rows[i].length()));
                if (section.equals("*S")) {
                    stratum = rows[i].substring(2).trim();
                    files.clear();
                }
                continue;
            }
            Matcher named = FILE.matcher(rows[i]);
            if (section.equals("*F") && named.matches()) {
                files.put(named.group(2), named.group(3));
                i += named.group(1) == null ? 0 : 1; // its path is in the next row
                continue;
            }
            Matcher range = RANGE.matcher(rows[i]);
            if (section.equals("*L") && range.matches()) {
                file = range.group(2) == null ? file : range.group(2);
                String name = files.getOrDefault(file, "");
                Range found = new Range(range, name.substring(0, Math.min(LONGEST_NAME, name.length())));
                if (stratum.equals(CALLS)) {
                    calls.put(found.first, found);
                } else if (stratum.equals(rows[2].trim()) && !name.isEmpty()) {
                    sources.put(found.first, found);
                }
            }
        }
    }

    /** Numbers in a row that stand for lines in a row of one file. */
    private static final class Range {
        private final String file;
        private final int from;
        private final int count;
        private final int first;
        /** How many numbers each line has. */
        private final int each;

        Range(Matcher row, String file) {
            this.file = file;
            this.from = Integer.parseInt(row.group(1));
            this.count = row.group(3) == null ? 1 : Integer.parseInt(row.group(3));
            this.first = Integer.parseInt(row.group(4));
            this.each = row.group(5) == null ? 1 : Integer.parseInt(row.group(5));
        }

        private boolean has(int number) {
            return number - first < (long) count * each;
        }

        private int line(int number) {
            return from + (number - first) / each;
        }
    }
}
