package dev.understudy.agent.value;

import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values as texts, bounded in depth, width and length; what refers back to itself is cut there.
 *
 * <p>{@code Cart{id=7, items=["tea", "milk", … of 40], password=[masked]}}. For any threads.
 */
public final class Rendering {
    static final int DEEPEST = 3;
    static final int MOST_ELEMENTS = 10;
    static final int LONGEST_TEXT = 200;
    /** Of one value, in characters. */
    static final int LONGEST = 2000;

    private final Fields fields;
    private final Secrets secrets;

    /**
     * Of values whose secrets aren't shown.
     *
     * @param fields of the application's objects
     */
    public Rendering(Fields fields, Secrets secrets) {
        this.fields = fields;
        this.secrets = secrets;
    }

    /** What it doesn't show. */
    public Secrets secrets() {
        return secrets;
    }

    /** The value's text; a text itself without quotes. */
    public String text(@Nullable Object value) {
        Object plain = Known.plain(value);
        if (plain instanceof String) {
            return secrets.within(shortened((String) plain, LONGEST));
        }
        if (plain != null && TextBuffers.isOne(plain)) {
            Object text = fields.beginning(plain, LONGEST + 1);
            return text instanceof String ? secrets.within(shortened((String) text, LONGEST)) : text.toString();
        }
        Writing writing = new Writing();
        writing.value(plain, 0);
        return shortened(writing.out.toString(), LONGEST);
    }

    private static String shortened(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }

    private final class Writing {
        private final StringBuilder out = new StringBuilder();
        private final List<Object> around = new ArrayList<>();

        void value(@Nullable Object value, int depth) {
            if (out.length() > LONGEST) {
                return;
            }
            if (value == null) {
                out.append("null");
            } else if (value instanceof String) {
                out.append('"')
                        .append(secrets.within(shortened((String) value, LONGEST_TEXT)))
                        .append('"');
            } else if (value instanceof ValueFault) {
                out.append(value);
            } else if (TextBuffers.isOne(value)) {
                value(fields.beginning(value, LONGEST_TEXT + 1), depth);
            } else {
                String text = Known.text(value);
                if (text == null) {
                    structure(value, depth);
                } else {
                    out.append(text);
                }
            }
        }

        private void structure(Object value, int depth) {
            String name = Known.shortName(value.getClass());
            if (around.stream().anyMatch(outer -> outer == value)) {
                out.append(name).append("{its own part}");
                return;
            }
            around.add(value);
            try {
                Iterable<?> elements = Known.elements(value);
                Iterable<? extends Map.Entry<?, ?>> entries = Known.entries(value);
                if (elements != null) {
                    elements(elements, value, depth);
                } else if (entries != null) {
                    entries(entries, value, depth);
                } else if (value.getClass().isArray()) {
                    out.append(name, 0, name.length() - 1)
                            .append(Known.size(value))
                            .append(']');
                } else if (Known.wraps(value)) {
                    wrapper(value, name, depth);
                } else {
                    object(value, name, depth);
                }
            } finally {
                around.remove(around.size() - 1);
            }
        }

        private void elements(Iterable<?> elements, Object value, int depth) {
            out.append('[');
            int count = 0;
            try {
                for (Object element : elements) {
                    if (!more(count++, depth, Known.size(value))) {
                        break;
                    }
                    value(Known.plain(element), depth + 1);
                }
            } catch (ConcurrentModificationException | IndexOutOfBoundsException changed) {
                out.append("… changes");
            }
            out.append(']');
        }

        private void entries(Iterable<? extends Map.Entry<?, ?>> entries, Object value, int depth) {
            out.append('{');
            int count = 0;
            try {
                for (Map.Entry<?, ?> entry : entries) {
                    if (!more(count++, depth, Known.size(value))) {
                        break;
                    }
                    Object key = Known.plain(entry.getKey());
                    value(key, depth + 1);
                    out.append('=');
                    named(key == null ? null : Known.text(key), entry.getValue(), depth + 1);
                }
            } catch (ConcurrentModificationException changed) {
                out.append("… changes");
            }
            out.append('}');
        }

        /** {@code AtomicReference{Cart{…}}}, and {@code Optional{}} if it is empty. */
        private void wrapper(Object value, String name, int depth) {
            out.append(name).append('{');
            Object held = Known.wrapped(value);
            if (depth >= DEEPEST) {
                out.append('…');
            } else if (held != null || !name.startsWith("Optional")) {
                value(Known.plain(held), depth + 1);
            }
            out.append('}');
        }

        private boolean more(int count, int depth, int size) {
            boolean more = depth < DEEPEST && count < MOST_ELEMENTS && out.length() <= LONGEST;
            if (count > 0) {
                out.append(", ");
            }
            if (!more) {
                out.append("… of ").append(size);
            }
            return more;
        }

        private void object(Object value, String name, int depth) {
            out.append(name).append('{');
            if (value instanceof Throwable) {
                value(Known.message((Throwable) value), depth + 1);
            } else if (depth >= DEEPEST || !Fields.isApplication(value.getClass())) {
                out.append('…');
            } else {
                String between = "";
                for (String field : fields.names(value)) {
                    out.append(between).append(field).append('=');
                    named(field, fields.held(value, field), depth + 1);
                    between = ", ";
                    if (out.length() > LONGEST) {
                        break;
                    }
                }
            }
            out.append('}');
        }

        private void named(@Nullable String name, @Nullable Object value, int depth) {
            if (value != null && name != null && secrets.isSecret(name)) {
                out.append(Secrets.MASK);
            } else {
                value(Known.plain(value), depth);
            }
        }
    }
}
