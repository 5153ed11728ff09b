package dev.understudy.aggregator.redis.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server says of its clients, a line each, as in {@code CLIENT LIST} and {@code CLIENT INFO}. Texts have a
 * character for each byte.
 */
public final class ClientLines {
    private static final Pattern LINE = Pattern.compile("(?md)^id=(\\d{1,18}) (.*)$");
    private static final Pattern NAME = Pattern.compile("(?:^| )name=([^ ]*)");
    private static final Pattern REDIRECTION = Pattern.compile("(?:^| )redir=(\\d{1,17})(?: |$)");

    /** A command of its own, or in a transaction that is being executed; up to Redis 6 without the subcommand. */
    private static final Pattern LISTING =
            Pattern.compile(" multi=-1 (?:.* )?cmd=client(?:\\|list)?(?: |$)| multi=\\d+ (?:.* )?cmd=exec(?: |$)");

    /** A client's own id, and the id of the one that its invalidations are redirected to. */
    private static final Pattern ID = Pattern.compile("(?md)(^id=|(?<= )redir=)(\\d{1,18})(?= |$)");

    private ClientLines() {}

    /**
     * One client.
     *
     * @param name {@code ""} if it has none
     * @param redirection the id of the one that is told what it has to forget; 0 if that is itself, or nobody
     * @param lists whether what it sent last may be what is answered by this
     */
    public record ClientLine(long id, String name, long redirection, boolean lists) {}

    /** The lines of a text; what isn't such a line is left out. */
    public static List<ClientLine> of(String text) {
        List<ClientLine> lines = new ArrayList<>();
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            byte[] name = word(NAME, line.group(2)).getBytes(StandardCharsets.ISO_8859_1);
            lines.add(new ClientLine(
                    Long.parseLong(line.group(1)),
                    new String(name, StandardCharsets.UTF_8),
                    Long.parseLong('0' + word(REDIRECTION, line.group(2))),
                    LISTING.matcher(line.group(2)).find()));
        }
        return lines;
    }

    /** The text with other ids. */
    public static String rewritten(String text, LongUnaryOperator ids) {
        return ID.matcher(text).replaceAll(found -> found.group(1) + ids.applyAsLong(Long.parseLong(found.group(2))));
    }

    private static String word(Pattern key, String line) {
        Matcher word = key.matcher(line);
        return word.find() ? word.group(1) : "";
    }
}
