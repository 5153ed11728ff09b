package dev.understudy.session.command;

import dev.understudy.session.host.NetworkNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs this command once more, in another network: its control ports are reached from there only. */
final class Relaunch {
    private Relaunch() {}

    /**
     * Runs it to its end.
     *
     * @return its exit code
     */
    static int in(NetworkNamespace network) throws IOException, InterruptedException {
        ProcessHandle.Info self = ProcessHandle.current().info();
        List<String> words = new ArrayList<>();
        words.add(self.command().orElseThrow(() -> new IOException("this process's own command can't be read")));
        words.addAll(Arrays.asList(
                self.arguments().orElseThrow(() -> new IOException("this process's own command line can't be read"))));
        Process again = new ProcessBuilder(network.command(words)).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(again), "understudy-relaunch"));
        return again.waitFor();
    }

    private static void end(Process process) {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
