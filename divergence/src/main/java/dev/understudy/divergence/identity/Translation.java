package dev.understudy.divergence.identity;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds known values where requests carry them and puts others in their place. */
final class Translation {
    private static final String WIDE = "._~+/=-";
    private static final String NARROW = "._~-";
    private static final Set<String> UNTOUCHED = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        UNTOUCHED.addAll(Set.of("Host", "Connection", "Content-Length", "Transfer-Encoding", "Content-Type", "Accept"));
    }

    /** Finds the value that stands for another, or null. */
    interface Dictionary {
        @Nullable
        String find(String value);
    }

    private Translation() {}

    static RequestHead ofHead(RequestHead head, Dictionary dictionary) {
        String target = PercentText.target(head.target(), dictionary);
        List<Header> headers = new ArrayList<>(head.headers().size());
        boolean changed = !target.equals(head.target());
        for (Header header : head.headers()) {
            String value = header.value();
            if (value.length() >= OpaqueValue.MIN_LENGTH && !UNTOUCHED.contains(header.name())) {
                value = header.is("Cookie") ? ofCookies(value, dictionary) : ofText(value, dictionary);
            }
            boolean same = value.equals(header.value());
            changed |= !same;
            headers.add(same ? header : new Header(header.name(), value));
        }
        return changed ? new RequestHead(head.method(), target, head.version(), headers) : head;
    }

    /** The pairs of a Cookie header (RFC 6265, section 4.2), each value as a whole first. */
    private static String ofCookies(String cookies, Dictionary dictionary) {
        return each(cookies, ";", pair -> {
            int equals = pair.indexOf('=');
            String value = equals < 0 ? "" : pair.substring(equals + 1).strip();
            boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            String bare = quoted ? value.substring(1, value.length() - 1) : value;
            String other = dictionary.find(bare);
            return other == null ? ofText(pair, dictionary) : pair.replace(bare, other);
        });
    }

    /** Applies a change to the parts between separators, which stay as they are. */
    static String each(String text, String separators, UnaryOperator<String> change) {
        StringBuilder changed = new StringBuilder(text.length() + 16);
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || separators.indexOf(text.charAt(i)) >= 0) {
                String part = text.substring(start, i);
                changed.append(part.length() < OpaqueValue.MIN_LENGTH ? part : change.apply(part));
                if (i < text.length()) {
                    changed.append(text.charAt(i));
                }
                start = i + 1;
            }
        }
        return changed.toString();
    }

    /** Looks at runs of characters that identities consist of: whole, after their first "=", then in narrower runs. */
    static String ofText(String text, Dictionary dictionary) {
        return runs(text, WIDE, run -> {
            String other = dictionary.find(run);
            if (other != null) {
                return other;
            }
            int equals = run.indexOf('=');
            String after = equals < 0 ? null : dictionary.find(run.substring(equals + 1));
            if (after != null) {
                return run.substring(0, equals + 1) + after;
            }
            return runs(run, NARROW, narrow -> {
                String found = dictionary.find(narrow);
                return found == null ? narrow : found;
            });
        });
    }

    private static String runs(String text, String others, UnaryOperator<String> change) {
        StringBuilder changed = null;
        int copied = 0;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i < text.length() && isOf(text.charAt(i), others)) {
                continue;
            }
            if (i - start >= OpaqueValue.MIN_LENGTH) {
                String run = text.substring(start, i);
                String other = change.apply(run);
                if (!other.equals(run)) {
                    changed = changed == null ? new StringBuilder(text.length() + 16) : changed;
                    changed.append(text, copied, start).append(other);
                    copied = i;
                }
            }
            start = i + 1;
        }
        return changed == null
                ? text
                : changed.append(text, copied, text.length()).toString();
    }

    /** Whether it is one of the characters that stand for themselves in a target. */
    static boolean isNarrow(char c) {
        return isOf(c, NARROW);
    }

    private static boolean isOf(char c, String others) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.indexOf(c) >= 0;
    }
}
