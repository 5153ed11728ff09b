package dev.understudy.sidecar.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;

/**
 * Text with tags, for HTML and XML. Whatever isn't a tag of ours is escaped; what neither may hold, and what would turn
 * the direction of the text around it, is shown by its number.
 */
public final class Markup {
    private static final Set<String> INLINE = Set.of("b", "code", "del", "ins");
    /** What all pages have in common with the console. */
    private static final String STYLE = resource("/dev/understudy/sidecar/console/page.css");

    private final StringBuilder out = new StringBuilder(16 * 1024);

    /** Nothing yet. */
    public Markup() {}

    /**
     * Begins an HTML page that needs nothing else and may load nothing, up to its body.
     *
     * @param style besides what all pages have
     */
    public Markup beginPage(String title, String style) {
        raw("<!DOCTYPE html>\n").open("html", "lang", "en").open("head");
        empty("meta", "charset", "utf-8");
        empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        empty(
                "meta",
                "http-equiv",
                "Content-Security-Policy",
                "content",
                "default-src 'none'; style-src 'unsafe-inline'");
        element("title", title);
        return open("style").raw(STYLE).raw(style).close("style").close("head").open("body");
    }

    /**
     * Opens a tag.
     *
     * @param attributes names and values, in turn
     */
    public Markup open(String tag, String... attributes) {
        start(tag, attributes);
        out.append('>');
        return this;
    }

    /** A tag with nothing in it. */
    public Markup empty(String tag, String... attributes) {
        start(tag, attributes);
        out.append("/>");
        return this;
    }

    /** Closes a tag. */
    public Markup close(String tag) {
        out.append("</").append(tag).append(INLINE.contains(tag) ? ">" : ">\n");
        return this;
    }

    /** A tag with a text in it. */
    public Markup element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close(tag);
    }

    /** A text, escaped. */
    public Markup text(String text) {
        escape(text);
        return this;
    }

    /** What was written by us, as it is. */
    public Markup raw(String ours) {
        out.append(ours);
        return this;
    }

    private void start(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
    }

    private void escape(String text) {
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\n', '\t' -> out.append((char) c);
                default -> {
                    if (isHarmless(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append("⟨U+").append(Integer.toHexString(c)).append('⟩');
                    }
                }
            }
        });
    }

    /** Whether a character is seen as itself, and steers nothing that shows it. */
    public static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Markup.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
