package dev.understudy.session.clone.restart;

import dev.understudy.session.target.proc.LauncherOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The command that starts a copy: production's own, without what would reach outside of the copy or wait for somebody.
 *
 * @param words program first; each character is a byte
 * @param environment each {@code NAME=VALUE}
 * @param leftOut names of options and variables of production's that it doesn't have
 */
public record CopyCommand(List<String> words, List<String> environment, List<String> leftOut) {
    private static final String OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final String OWN = "UNDERSTUDY_AGENT_";

    /** Variables with options, which may hold the same ones. */
    private static final Set<String> VARIABLES = Set.of(OPTIONS, "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    /** Of systemd: a copy would report itself as the service, or take sockets that it doesn't have. */
    private static final Set<String> OF_THE_STARTER = Set.of(
            "NOTIFY_SOCKET",
            "LISTEN_FDS",
            "LISTEN_PID",
            "LISTEN_FDNAMES",
            "WATCHDOG_PID",
            "WATCHDOG_USEC",
            "JOURNAL_STREAM");

    /** Debuggers wait or listen, JMX listens, and commands for a crash are for production's. */
    private static final String NAMES = "-agentlib:jdwp|-Xrunjdwp|-Xdebug|-Dcom\\.sun\\.management\\.|"
            + "-XX:\\+ManagementServer|-XX:OnOutOfMemoryError|-XX:OnError|-XX:\\+HeapDumpOnOutOfMemoryError|"
            + "-XX:HeapDumpPath|-javaagent:\\S*understudy-agent";

    private static final Pattern OPTION = Pattern.compile("(" + NAMES + ").*", Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile("(?<!\\S)(" + NAMES + ")(?:\"[^\"]*\"|'[^']*'|\\S)*\\s*");

    public CopyCommand {
        words = List.copyOf(words);
        environment = List.copyOf(environment);
        leftOut = List.copyOf(leftOut);
    }

    /** The one of a service, without an agent. */
    public static CopyCommand of(ServiceCommand service) {
        Set<String> leftOut = new TreeSet<>();
        List<String> words = new ArrayList<>(List.of(service.program()));
        int end = LauncherOptions.count(service.words());
        for (int n = 1; n < service.words().size(); n++) {
            String word = service.words().get(n);
            Matcher option = OPTION.matcher(word);
            if (n < end && LauncherOptions.hasValue(word)) {
                words.add(word);
                n++;
                if (n < service.words().size()) {
                    words.add(service.words().get(n));
                }
            } else if (n < end && option.matches()) {
                leftOut.add(option.group(1));
            } else {
                words.add(word);
            }
        }
        return new CopyCommand(words, environment(service.environment(), leftOut), List.copyOf(leftOut));
    }

    private static List<String> environment(List<String> all, Set<String> leftOut) {
        List<String> kept = new ArrayList<>();
        for (String variable : all) {
            int equals = variable.indexOf('=');
            String name = variable.substring(0, Math.max(equals, 0));
            if (equals <= 0 || name.startsWith(OWN)) {
                continue; // no variable, or what production tells an agent of its own
            }
            if (OF_THE_STARTER.contains(name)) {
                leftOut.add(name);
            } else if (VARIABLES.contains(name)) {
                Matcher options = QUOTED.matcher(variable.substring(equals + 1));
                options.results().forEach(option -> leftOut.add(option.group(1)));
                kept.add(name + "=" + options.replaceAll(""));
            } else {
                kept.add(variable);
            }
        }
        return kept;
    }

    /**
     * The same with an agent from its first moment on.
     *
     * @param jar where the copy finds it
     * @param settings the agent's own, which go by the environment: other users can't read that
     */
    public CopyCommand with(String jar, Map<String, String> settings) {
        CopyCommand agent = with("-javaagent:" + jar + "=debug=true");
        List<String> variables = new ArrayList<>(agent.environment);
        settings.forEach(
                (key, value) -> variables.add(OWN + key.toUpperCase(Locale.ROOT).replace('-', '_') + "=" + value));
        return new CopyCommand(agent.words, variables, leftOut);
    }

    /** The same with a port at which a debugger connects, from its first moment on; it waits for none. */
    public CopyCommand withDebugger(int port) {
        return with("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:" + port);
    }

    private CopyCommand with(String option) {
        Map<String, String> variables = new LinkedHashMap<>();
        environment.forEach(variable -> variables.put(
                variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1)));
        List<String> all = new ArrayList<>(words);
        if (words.get(0).endsWith("/java")) {
            all.add(1, option);
        } else {
            // another launcher: only the JVM in it knows this variable
            variables.merge(OPTIONS, option, (others, ours) -> ours + " " + others);
        }
        return new CopyCommand(
                all,
                variables.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList(),
                leftOut);
    }

    /** What runs it as its user, in its directory, by {@code start.sh}: each word ends with a NUL there. */
    public List<String> asUser(ServiceCommand service) {
        return Stream.of(
                        List.of(service.umask(), service.directory(), "setpriv", "--reuid=" + service.user()),
                        List.of("--regid=" + service.group(), groups(service), "env", "-i", "--"),
                        environment,
                        words)
                .flatMap(List::stream)
                .toList();
    }

    private static String groups(ServiceCommand service) {
        return service.groups().isEmpty() ? "--clear-groups" : "--groups=" + String.join(",", service.groups());
    }
}
