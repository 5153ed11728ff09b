package dev.understudy.session.target.survey;

import dev.understudy.session.target.JvmFacts;
import dev.understudy.session.target.proc.LauncherOptions;
import dev.understudy.session.target.proc.ProcFiles;
import dev.understudy.session.target.proc.TargetRoot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts of a JVM, from its command line, its environment, its threads' names and its {@code release} file. */
final class JvmReading {
    /** Variables whose options count before, between and after those of the command line, in that order. */
    private static final List<String> BEFORE = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

    private static final String AFTER = "_JAVA_OPTIONS";
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"([0-9A-Za-z._+-]{1,40})\"");
    private static final Pattern HEAP = Pattern.compile(
            "-Xmx\\d{1,18}[kKmMgGtT]?|-XX:(?:MaxHeapSize|MaxRAMPercentage|MaxRAM)=[0-9.]{1,20}[kKmMgGtT]?");
    private static final Pattern FLAG = Pattern.compile("-X[A-Za-z0-9:+=_./,%-]{1,200}");
    private static final Pattern AGENT =
            Pattern.compile("-(javaagent|agentlib|agentpath):([^=]{1,1024})(?:=.*)?", Pattern.DOTALL);
    private static final int MOST_RELEASE = 64 << 10;
    private static final int MOST_THREADS = 20_000;
    private static final int MOST_OPTIONS = 1000;

    /** By the flag that chooses it. */
    private static final Map<String, String> COLLECTORS = Map.of(
            "UseG1GC", "G1",
            "UseParallelGC", "Parallel",
            "UseSerialGC", "Serial",
            "UseZGC", "ZGC",
            "UseShenandoahGC", "Shenandoah",
            "UseEpsilonGC", "Epsilon");

    private JvmReading() {}

    /** Reads them all; {@code library} is the path of its libjvm.so. */
    static JvmFacts read(
            ProcFiles process, TargetRoot root, List<String> command, List<String> environment, String library)
            throws IOException {
        Path home = home(library);
        List<String> options = options(command, environment);
        List<String> flags =
                options.stream().filter(word -> FLAG.matcher(word).matches()).toList();
        return new JvmFacts(
                home,
                version(root, home),
                collector(process, flags),
                flags,
                flags.stream().filter(flag -> HEAP.matcher(flag).matches()).reduce("", (before, flag) -> flag),
                isAttachable(flags),
                agents(options));
    }

    /** Without the signal that {@code -Xrs} turns off, no JVM listens to whoever attaches. */
    private static boolean isAttachable(List<String> flags) {
        return !last(flags, "DisableAttachMechanism").equals("+")
                && !last(flags, "EnableDynamicAgentLoading").equals("-")
                && !flags.contains("-Xrs");
    }

    /** From {@code lib/server/libjvm.so}, or JDK 8's {@code lib/amd64/server/libjvm.so}. */
    private static Path home(String library) {
        Path folder = Path.of(library).getParent();
        while (folder != null && folder.getNameCount() > 1 && !folder.endsWith("lib")) {
            folder = folder.getParent();
        }
        Path home = folder == null ? null : folder.getParent();
        return home == null ? Path.of("/") : home;
    }

    private static String version(TargetRoot root, Path home) throws IOException {
        Optional<Path> release = root.file(home.resolve("release").toString())
                .or(() -> root.file(home.resolve("../release").toString()));
        if (release.isEmpty()) {
            return "unknown";
        }
        try (InputStream in = Files.newInputStream(release.get())) {
            Matcher version = VERSION.matcher(new String(in.readNBytes(MOST_RELEASE), StandardCharsets.UTF_8));
            return version.find() ? version.group(1) : "unknown";
        }
    }

    /** Those for the JVM, in the order in which they count. */
    private static List<String> options(List<String> command, List<String> environment) {
        List<String> options = new ArrayList<>();
        BEFORE.forEach(variable -> ofVariable(options, environment, variable));
        int end = LauncherOptions.count(command);
        for (int n = 1; n < end && options.size() < MOST_OPTIONS; n++) {
            String word = command.get(n);
            if (LauncherOptions.hasValue(word)) {
                n++;
            } else if (word.startsWith("-")) {
                options.add(word);
            }
        }
        ofVariable(options, environment, AFTER);
        return options;
    }

    private static void ofVariable(List<String> options, List<String> environment, String name) {
        environment.stream()
                .filter(variable -> variable.startsWith(name + "="))
                .flatMap(variable -> Pattern.compile("\\s+").splitAsStream(variable.substring(name.length() + 1)))
                .limit(MOST_OPTIONS)
                .forEach(options::add);
    }

    private static String collector(ProcFiles process, List<String> flags) throws IOException {
        Set<String> threads = new TreeSet<>();
        process.names("task", MOST_THREADS, thread -> {
            try {
                threads.add(process.text("task/" + thread + "/comm", 64).strip());
            } catch (IOException ended) {
                // it has no name any more
            }
        });
        if (threads.stream()
                .anyMatch(name ->
                        name.startsWith("ZDriver") || name.startsWith("XDriver") || name.startsWith("ZDirector"))) {
            return "ZGC";
        }
        if (threads.stream().anyMatch(name -> name.startsWith("Shenandoah"))) {
            return "Shenandoah";
        }
        if (threads.stream().anyMatch(name -> name.startsWith("G1 "))) {
            return "G1";
        }
        for (Map.Entry<String, String> flag : COLLECTORS.entrySet()) {
            if (last(flags, flag.getKey()).equals("+")) {
                return flag.getValue();
            }
        }
        if (threads.stream().anyMatch(name -> name.startsWith("GC Thread"))) {
            return "Parallel";
        }
        return threads.contains("VM Thread") ? "Serial" : "unknown";
    }

    /** The sign of the last flag of that name; "" without one. */
    private static String last(List<String> flags, String name) {
        return flags.stream()
                .filter(flag -> flag.matches("-XX:[+-]" + name))
                .reduce("", (before, flag) -> flag.substring(4, 5));
    }

    private static List<String> agents(List<String> options) {
        List<String> agents = new ArrayList<>();
        for (String option : options) {
            Matcher agent = AGENT.matcher(option);
            if (option.startsWith("-Xrunjdwp")) {
                agents.add("jdwp");
            } else if (agent.matches()) {
                agents.add(agent.group(2));
            }
        }
        return agents;
    }
}
