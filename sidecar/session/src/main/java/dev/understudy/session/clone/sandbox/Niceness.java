package dev.understudy.session.clone.sandbox;

import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.host.HostCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Puts a copy behind the other programs of the machine, where no control group can. */
final class Niceness {
    private static final String NICE = "10";

    private Niceness() {}

    /** Lowers the priority of all threads; those that they start inherit it. */
    static void lower(long pid) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", NICE, "-p"));
        for (Path thread : ProcFile.entries(ProcFile.of(pid, "task"))) {
            command.add(thread.getFileName().toString());
        }
        HostCommand.run(Duration.ofSeconds(10), command);
        Path group = ProcFile.of(pid, "autogroup");
        if (Files.exists(group)) {
            try {
                Files.writeString(group, NICE);
            } catch (IOException refused) {
                // then its session has its share of the processor, and the threads of it theirs
            }
        }
    }
}
