package dev.understudy.sidecar.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the lane process's JVM is started with. */
final class LaneJvm {
    /** Variables of which JVMs take options. */
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");

    /** Options that open a port, which only one process of a machine can have, or may do so. */
    private static final Pattern PORT = Pattern.compile("(?<![^\\s\"'])[\"']?"
            + "(-agentlib:jdwp|-Xrunjdwp|-javaagent:|-Dcom\\.sun\\.management\\.jmxremote)[^\\s\"']*[\"']?");

    private LaneJvm() {}

    /**
     * Its options.
     *
     * @param chosen those of the settings, which come last
     * @param environment of this process, which the lane process has as well
     */
    static List<String> options(List<String> chosen, Map<String, String> environment) {
        List<String> options = new ArrayList<>();
        String given = String.join(" ", chosen)
                + VARIABLES.stream()
                        .map(variable -> ' ' + environment.getOrDefault(variable, ""))
                        .reduce("", String::concat);
        if (!COLLECTOR.matcher(given).find()) {
            // collections stop nobody but this process
            options.add("-XX:+UseParallelGC");
        }
        // a heap that begins small, and a process that doesn't live on, half dead, without memory
        options.addAll(List.of("-Xms16m", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED"));
        sharing().forEach(options::add);
        options.addAll(chosen);
        return options;
    }

    /** The archive of classes that this process was started with. */
    private static Stream<String> sharing() {
        return Stream.of(ProcessHandle.current().info().arguments().orElse(new String[0]))
                .takeWhile(argument -> argument.startsWith("-") || argument.startsWith("@"))
                .filter(argument -> argument.startsWith("-XX:SharedArchiveFile=") || argument.startsWith("-Xlog:cds"));
    }

    /** Takes from a process's environment what can't hold for two processes of a machine. */
    static void separate(Map<String, String> environment) {
        for (String variable : VARIABLES) {
            environment.computeIfPresent(
                    variable, (name, value) -> PORT.matcher(value).replaceAll(""));
        }
    }
}
