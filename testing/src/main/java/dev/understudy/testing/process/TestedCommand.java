package dev.understudy.testing.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a service is started, or where it runs already.
 *
 * <p>The words are options of the JVM, which begin with {@code -}; then a jar, the name of a class on the test's class
 * path, or {@code host:port} of a service that runs; then arguments. {@code ${name}} in a word is the {@code host:port}
 * at which the service reaches that upstream, {@code ${name.host}} and {@code ${name.port}} are its parts. Other names
 * are system properties.
 *
 * @param words at least one that is no option
 */
public record TestedCommand(List<String> words) {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:]+]|[A-Za-z0-9.-]+):(\\d{1,5})");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

    public TestedCommand {
        words = List.copyOf(words);
        if (words.stream().allMatch(word -> word.startsWith("-"))) {
            throw new IllegalArgumentException(
                    "service: " + words + " (expected: a jar, a class name or host:port, after options of the JVM)");
        }
        if (isAddress(words) && words.size() > 1) {
            throw new IllegalArgumentException("service: " + words + " (expected: nothing after an address)");
        }
    }

    /** Whether the service runs already, so that there is nothing to start. */
    public boolean isAddress() {
        return isAddress(words);
    }

    /** Its {@code host:port}, if it runs already. */
    public String address() {
        if (!isAddress()) {
            throw new IllegalStateException("service: " + words + " (expected: host:port)");
        }
        return words.get(0);
    }

    /**
     * The command line of the process.
     *
     * @param upstreams {@code host:port} by the upstream's name
     * @throws IllegalArgumentException if a placeholder names nothing that is known
     */
    public List<String> line(Map<String, String> upstreams) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        int next = 0;
        while (words.get(next).startsWith("-")) {
            line.add(words.get(next++));
        }
        String program = fill(words.get(next++), upstreams);
        if (program.endsWith(".jar")) {
            line.addAll(List.of("-jar", program));
        } else {
            line.addAll(List.of("-cp", System.getProperty("java.class.path"), program));
        }
        line.addAll(words.subList(next, words.size()));
        line.replaceAll(word -> fill(word, upstreams));
        return line;
    }

    private static boolean isAddress(List<String> words) {
        return ADDRESS.matcher(words.get(0)).matches();
    }

    private static String fill(String word, Map<String, String> upstreams) {
        return PLACEHOLDER
                .matcher(word)
                .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), upstreams)));
    }

    private static String value(String name, Map<String, String> upstreams) {
        String address = upstreams.get(name);
        if (address == null && (name.endsWith(".host") || name.endsWith(".port"))) {
            String whole = upstreams.get(name.substring(0, name.length() - ".host".length()));
            if (whole != null) {
                int colon = whole.lastIndexOf(':');
                return name.endsWith(".host") ? whole.substring(0, colon) : whole.substring(colon + 1);
            }
        }
        String value = address == null ? System.getProperty(name) : address;
        if (value == null) {
            throw new IllegalArgumentException(
                    "${" + name + "}: unknown (expected: one of " + upstreams.keySet() + ", or a system property)");
        }
        return value;
    }
}
