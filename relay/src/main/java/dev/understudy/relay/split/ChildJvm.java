package dev.understudy.relay.split;

import dev.understudy.relay.config.TapConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a child's JVM is started with. */
final class ChildJvm {
    /** Variables of which JVMs take options. */
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC\\b");

    /** Options that open a port, which only one process of a machine can have, or may do so. */
    private static final Pattern PORT = Pattern.compile("(?<![^\\s\"'])[\"']?"
            + "(-agentlib:jdwp|-Xrunjdwp|-javaagent:|-Dcom\\.sun\\.management\\.jmxremote)[^\\s\"']*[\"']?");

    /** Programs that let another one have no more of the processors than is left over. */
    private static final List<String> NICE = List.of("/usr/bin/nice", "/bin/nice");

    private ChildJvm() {}

    /**
     * The child's process.
     *
     * @param arguments what its main method is given
     */
    static ProcessBuilder process(SplitProgram program, List<String> arguments) {
        TapConfig tap = program.tap();
        List<String> command = new ArrayList<>();
        NICE.stream()
                .filter(nice -> Files.isExecutable(Path.of(nice)))
                .findFirst()
                .ifPresent(nice -> command.addAll(List.of(nice, "-n", Integer.toString(tap.childNice()))));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options(program.collector(), tap.childOptions(), System.getenv()));
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), program.main().getName()));
        command.addAll(arguments);
        ProcessBuilder child = new ProcessBuilder(command);
        separate(child.environment());
        return child;
    }

    /**
     * Its options.
     *
     * @param collector the option that chooses a collector where nobody else does
     * @param chosen those of the settings, which come last
     * @param environment of this process, which the child has as well
     */
    static List<String> options(String collector, List<String> chosen, Map<String, String> environment) {
        List<String> options = new ArrayList<>();
        String given = String.join(" ", chosen)
                + VARIABLES.stream()
                        .map(variable -> ' ' + environment.getOrDefault(variable, ""))
                        .reduce("", String::concat);
        if (!COLLECTOR.matcher(given).find()) {
            options.add(collector);
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
