package dev.understudy.agent.leak;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Live objects by class, as the JVM's diagnostic command {@code GC.class_histogram} counts them: after a full
 * collection, while the application stands still.
 */
final class LiveObjects {
    /** A class with fewer is left out: no leak that is worth a look. */
    static final int FEWEST = 100;

    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d{1,18})\\s+\\d+\\s+(\\S+).*");

    private LiveObjects() {}

    /**
     * Counts them.
     *
     * @throws JMException if this JVM has no such command
     * @throws LinkageError if it has no management at all
     */
    static Map<String, Long> count() throws JMException {
        Object text = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return parse(String.valueOf(text));
    }

    /** What a histogram says; lines that are none of its are passed over. */
    static Map<String, Long> parse(String histogram) {
        Map<String, Long> counts = new HashMap<>();
        for (String line : histogram.split("\n", -1)) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                long objects = Long.parseLong(matcher.group(1));
                if (objects >= FEWEST) {
                    // of several loaders there may be several of one name
                    counts.merge(spelled(matcher.group(2)), objects, Long::sum);
                }
            }
        }
        return counts;
    }

    private static String spelled(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0 || dimensions == name.length()) {
            return name;
        }
        String element = name.substring(dimensions);
        int kind = "BCDFIJSZ".indexOf(element.charAt(0));
        if (element.charAt(0) == 'L' && element.endsWith(";")) {
            element = element.substring(1, element.length() - 1);
        } else if (kind >= 0 && element.length() == 1) {
            element = new String[] {"byte", "char", "double", "float", "int", "long", "short", "boolean"}[kind];
        }
        return element + "[]".repeat(dimensions);
    }
}
