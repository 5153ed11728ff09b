package dev.understudy.aggregator.http.form;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What counts of an XML body: all of its text, but for the order of a tag's attributes, which quotes they have and the
 * blanks between them (XML 1.0, section 3.1). Nothing is looked up, and names keep their prefixes.
 */
final class XmlForm {
    private static final Pattern NAME = Pattern.compile("[^\\s<>/!?=\"'&]++");
    private static final String BLANKS = " \t\r\n";
    private static final int MOST_ATTRIBUTES = 1_000;

    private final String text;
    private final StringBuilder counted;
    private int at;

    private XmlForm(String text) {
        this.text = text;
        this.counted = new StringBuilder(text.length() + 1).append('x'); // as no other kind begins
    }

    /** What counts; null if that isn't certain: a document type, another kind of encoding, a tag that isn't one. */
    static byte @Nullable [] counted(byte[] body) {
        for (byte b : body) {
            if (b == 0 || b == 0x1b) {
                return null; // wide characters, or shifts to those
            }
        }
        XmlForm form = new XmlForm(new String(body, StandardCharsets.ISO_8859_1));
        return form.read() ? form.counted.toString().getBytes(StandardCharsets.ISO_8859_1) : null;
    }

    private boolean read() {
        while (at < text.length()) {
            int tag = text.indexOf('<', at);
            int end = tag < 0 ? text.length() : tag;
            counted.append(text, at, end);
            at = end;
            if (tag >= 0 && !markup()) {
                return false;
            }
        }
        return true;
    }

    private boolean markup() {
        if (text.startsWith("<!--", at)) {
            return copyTo("-->", 4);
        }
        if (text.startsWith("<![CDATA[", at)) {
            return copyTo("]]>", 9);
        }
        if (text.startsWith("<?", at)) {
            return copyTo("?>", 2);
        }
        if (text.startsWith("</", at)) {
            return copyTo(">", 2);
        }
        return start();
    }

    private boolean copyTo(String end, int from) {
        int found = text.indexOf(end, at + from);
        if (found < 0) {
            return false;
        }
        counted.append(text, at, found + end.length());
        at = found + end.length();
        return true;
    }

    private boolean start() {
        String name = name(at + 1);
        if (name.isEmpty()) {
            return false;
        }
        at += 1 + name.length();
        Map<String, String> attributes = new TreeMap<>();
        int end = at;
        blanks();
        while (!text.startsWith("/>", at) && !text.startsWith(">", at)) {
            if (at == end || attributes.size() == MOST_ATTRIBUTES || !attribute(attributes)) {
                return false;
            }
            end = at;
            blanks();
        }
        counted.append('<').append(name);
        attributes.forEach((attribute, value) ->
                counted.append(' ').append(attribute).append('=').append(value));
        return copyTo(">", 0);
    }

    /** Adds the next one, in quotes that its value hasn't; false if there is none, or one of its name. */
    private boolean attribute(Map<String, String> attributes) {
        String name = name(at);
        at += name.length();
        blanks();
        if (name.isEmpty() || !text.startsWith("=", at)) {
            return false;
        }
        at++;
        blanks();
        char quote = at < text.length() ? text.charAt(at) : 0;
        int end = quote == '"' || quote == '\'' ? text.indexOf(quote, at + 1) : -1;
        if (end < 0) {
            return false;
        }
        String value = text.substring(at + 1, end);
        at = end + 1;
        char used = value.indexOf('"') < 0 ? '"' : '\'';
        return value.indexOf('<') < 0 && attributes.put(name, used + value + used) == null;
    }

    private String name(int from) {
        Matcher name = NAME.matcher(text).region(from, text.length());
        return name.lookingAt() ? name.group() : "";
    }

    private void blanks() {
        while (at < text.length() && BLANKS.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
