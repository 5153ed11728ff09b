package dev.understudy.sidecar.source;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The source of a class.
 *
 * @param path where it was found: a file, or a jar and the entry's name behind a {@code !}
 * @param lines all of them
 */
public record SourceFile(String path, List<String> lines) {
    /** Of one line that is looked at for a declaration, in characters. */
    private static final int LONGEST = 1_000;

    public SourceFile {
        lines = List.copyOf(lines);
    }

    static SourceFile of(String path, byte[] bytes) {
        return new SourceFile(
                path, new String(bytes, StandardCharsets.UTF_8).lines().toList());
    }

    /**
     * Where a method, or the class if that is "" or a constructor, seems to be declared: the first line that has its
     * name before a parenthesis and isn't the end of a statement, or else one that mentions it. 0 if there is none.
     */
    public int declaration(SourceName name) {
        String wanted = name.declared();
        Pattern call = Pattern.compile("\\b" + Pattern.quote(wanted) + "\\s*\\(");
        int mentioned = 0;
        for (int n = 0; n < lines.size(); n++) {
            String line = lines.get(n).strip();
            if (line.length() <= LONGEST
                    && !isComment(line)
                    && call.matcher(line).find()) {
                if (!line.endsWith(";") && !line.contains("return ") && !line.contains("." + wanted)) {
                    return n;
                }
                mentioned = mentioned == 0 ? n : mentioned;
            }
        }
        return mentioned;
    }

    private static boolean isComment(String line) {
        return line.startsWith("*") || line.startsWith("/*") || line.startsWith("//");
    }
}
