package dev.understudy.it.localisation;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A published bug: how its server starts, what clients ask for, and what its users notice.
 *
 * @param folder where it stands
 * @param buggy Maven coordinates, {@code group:artifact:version}
 * @param fixed the same of the first version without it
 * @param main the server's main class
 * @param arguments of the server; {@code {port}} stands for its port
 * @param options of its JVM
 * @param protocol the listener's
 * @param client what its clients speak, if the listener is told nothing of that
 * @param database which of its databases they ask for
 * @param clients how many ask at once
 * @param prepare what is asked once, before anything else
 * @param symptom the reply that shows it: a status, or how one of another protocol begins; {@link #SLOW} for one that
 *     takes as long as the rule says, {@link #GROWS} for what shows in no reply, but in what stays in memory
 * @param fails {@code suspects.also}, the operator's rule
 * @param slow {@code suspects.slow}; zero for never
 * @param guilty the methods that the fix changed; what a ranking is scored against, and never an input
 */
public record Bug(
        Path folder,
        String about,
        String issue,
        String category,
        List<String> buggy,
        List<String> fixed,
        String main,
        List<String> arguments,
        List<String> options,
        String protocol,
        String client,
        String database,
        int clients,
        List<Ask> prepare,
        List<Ask> traffic,
        String symptom,
        List<String> fails,
        Duration slow,
        List<String> guilty) {
    static final String SLOW = "slow";
    static final String GROWS = "grows";

    private static final int MOST_CLIENTS = 64;

    /** All bugs of a folder, by name. */
    public static List<Bug> all(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> Files.exists(each.resolve("bug.yaml")))
                    .sorted()
                    .map(Bug::read)
                    .toList();
        }
    }

    /**
     * Reads one.
     *
     * @throws dev.understudy.relay.config.ConfigException with all that is wrong
     */
    static Bug read(Path folder) {
        Problems problems = new Problems();
        Overrides none = new Overrides(Map.of(), List.of(), problems);
        return YamlFile.read(folder.resolve("bug.yaml"), none, problems, section -> read(folder, section));
    }

    private static Bug read(Path folder, Section section) {
        String protocol = section.optional("protocol", Value.text(), "http");
        return new Bug(
                folder,
                section.required("about", Value.text()),
                section.required("issue", Value.text()),
                section.required("category", Value.text()),
                section.list("buggy", Value.text()),
                section.list("fixed", Value.text()),
                section.required("main", Value.text()),
                section.listed("arguments", Value.text()),
                section.listed("options", Value.text()),
                protocol,
                section.optional("client", Value.text(), protocol),
                section.optional("database", Value.text(), ""),
                section.optional("clients", Value.integer(1, MOST_CLIENTS), 1),
                section.sections("prepare").stream().map(Ask::read).toList(),
                section.sections("traffic").stream().map(Ask::read).toList(),
                section.required("symptom", Value.text()),
                section.listed("fails", Value.text()),
                section.optional("slow", Value.duration(), Duration.ZERO),
                section.list("guilty", Value.text()));
    }

    /**
     * Whether that reply shows it to the one who asked.
     *
     * @param nanos how long it took, with all that the client did before it
     */
    boolean isShownBy(String reply, long nanos) {
        return symptom.equals(SLOW) ? nanos >= slow.toNanos() : reply.startsWith(symptom);
    }

    /** Whether it shows in memory alone. */
    boolean grows() {
        return symptom.equals(GROWS);
    }

    /** Its name. */
    public String id() {
        return String.valueOf(folder.getFileName());
    }
}
