package dev.understudy.it.docs;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The agent's settings, by its own names and defaults; what a value may be is what it says of a wrong one. */
final class AgentSettings {
    private static final Pattern EXPECTED = Pattern.compile("\\(expected: (.*)\\)");
    private static final String WRONG = "=?!";

    private AgentSettings() {}

    static Part table() {
        return before -> {
            Table table = new Table("setting", "value", "default", "can change", "meaning");
            List<?> changeable = (List<?>) constant("CHANGEABLE");
            ((Map<?, ?>) constant("DEFAULTS"))
                    .forEach((name, otherwise) -> table.add(
                            "`" + name + "`",
                            Table.cell(kind(String.valueOf(name))),
                            otherwise.equals("") ? "–" : "`" + otherwise + "`",
                            changeable.contains(name) ? "yes" : "",
                            ""));
            return table.lines(before);
        };
    }

    /** What is wrong with the arguments of {@code -javaagent}, one problem a line; empty if nothing is. */
    static String problems(String arguments) {
        try {
            Method read = config().getDeclaredMethod("of", String.class, Map.class);
            read.setAccessible(true);
            read.invoke(null, arguments, Map.of());
            return "";
        } catch (InvocationTargetException refused) {
            Throwable why = refused.getCause();
            return String.valueOf(why == null ? refused : why.getMessage());
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException(changed);
        }
    }

    private static String kind(String name) {
        Matcher expected = EXPECTED.matcher(problems(name + WRONG));
        return expected.find() ? SettingWords.kind(expected.group(1)) : "text";
    }

    private static Object constant(String name) {
        try {
            Field field = config().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException(changed);
        }
    }

    private static Class<?> config() throws ClassNotFoundException {
        return AgentClasses.named("AgentConfig");
    }
}
