package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.sql.SqlTokens;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one session remembers for statements that ask for it: the last generated key, the last warnings, users'
 * variables, statements prepared by name, temporary tables. Of each it knows not the value but by which statements it
 * came about, so that two sessions that did the same give the same form.
 */
final class Memory {
    private static final int MOST = 1000;
    private static final Pattern OF_THE_LAST = Pattern.compile(
            "\\b(row_count|found_rows)\\b|@@(session\\.)?(warning_count|error_count)\\b"
                    + "|^\\s*show\\s+(count\\b.*)?(warnings|errors)|\\bget\\s+diagnostics",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern OF_THE_LAST_WRITE = Pattern.compile(
            "\\b(last_insert_id|lastval)\\b|@@(session\\.)?(identity|last_insert_id|insert_id)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern TEMPORARY = Pattern.compile(
            "\\s*create\\s+(or\\s+replace\\s+)?temporary\\s+table\\s+(if\\s+not\\s+exists\\s+)?([^\\s(]+)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern PREPARED = Pattern.compile(
            "\\s*(prepare|execute|deallocate\\s+prepare|drop\\s+prepare)\\s+(\\S+)", Pattern.CASE_INSENSITIVE);

    /** Memory of a name besides its text. */
    private static final long PER_NAME = 120;

    private final Map<String, Long> named = new HashMap<>();
    private long bytes;
    private long last;
    private long lastWrite;

    /** What the statement depends on, as a number; 0 if on nothing that is remembered here. */
    long of(String sql) {
        long sum = 0;
        if (OF_THE_LAST.matcher(sql).find()) {
            sum = mix(1, last);
        }
        if (OF_THE_LAST_WRITE.matcher(sql).find()) {
            sum = mix(sum + 2, lastWrite);
        }
        for (String name : names(sql)) {
            Long origin = named.get(name);
            if (origin != null) {
                sum = mix(mix(sum + 3, hash(name)), origin);
            }
        }
        return sum;
    }

    /**
     * The session ran a statement.
     *
     * @param parameters a number that differs for different parameters
     */
    void ran(MySqlStatementKind command, String sql, long parameters) {
        long origin = mix(mix(mix(7, hash(sql)), parameters), of(sql));
        if (command == MySqlStatementKind.SET || !command.reads() || sql.contains(":=")) {
            names(sql).forEach(name -> remember(name, origin));
            Matcher temporary = TEMPORARY.matcher(sql);
            if (temporary.lookingAt()) {
                remember(plain(temporary.group(3)), origin);
            }
        }
        if (!command.local() && !command.lasting()) {
            last = origin;
            if (!command.reads()) {
                lastWrite = origin;
            }
        }
    }

    /** The session ran a statement that failed: there may be warnings of it, and nothing else. */
    void failed(String sql, long parameters) {
        last = mix(mix(mix(11, hash(sql)), parameters), of(sql));
    }

    /** Memory that the names take. */
    long heldBytes() {
        return bytes;
    }

    void forget() {
        named.clear();
        bytes = 0;
        last = 0;
        lastWrite = 0;
    }

    /** Beyond the bound all names that come count as one, which errs to the side of misses. */
    private void remember(String name, long origin) {
        if (named.size() < MOST || named.containsKey(name)) {
            bytes += named.put(name, origin) == null ? PER_NAME + 2L * name.length() : 0;
        } else {
            named.merge("", origin, Memory::mix);
        }
    }

    private Iterable<String> names(String sql) {
        if (LongRest.begun(sql)) {
            return new TreeSet<>(named.keySet()); // any of them may stand in what isn't known
        }
        TreeSet<String> names = new TreeSet<>();
        if (named.containsKey("")) {
            names.add("");
        }
        Matcher prepared = PREPARED.matcher(sql);
        if (prepared.lookingAt()) {
            names.add("statement " + plain(prepared.group(2)));
        }
        if (sql.indexOf('@') < 0 && named.isEmpty()) {
            return names;
        }
        MySqlText text = new MySqlText(sql);
        for (SqlTokens.Token token = text.next(); token != SqlTokens.Token.END; token = text.next()) {
            if (token == SqlTokens.Token.WORD || token == SqlTokens.Token.QUOTED) {
                String word = plain(text.word());
                boolean variable = word.startsWith("@") && !word.startsWith("@@");
                if (variable || (!word.startsWith("@") && named.containsKey(word))) {
                    names.add(word);
                }
            }
        }
        return names;
    }

    private static String plain(String name) {
        return name.replace("`", "").toLowerCase(Locale.ROOT);
    }

    static long hash(List<byte[]> parts) {
        long hash = 0;
        for (byte[] part : parts) {
            hash = mix(hash, part.length);
            for (byte b : part) {
                hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
            }
        }
        return hash;
    }

    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    private static long mix(long sum, long more) {
        long mixed = (sum ^ more) * 0x9e3779b97f4a7c15L;
        return mixed ^ mixed >>> 32;
    }
}
