package dev.understudy.sidecar.command;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** {@code record} at work, until it is stopped. */
record RecordingProxy(int port, CountDownLatch stopped, CompletableFuture<Ran> running) {
    private static final Pattern READY = Pattern.compile("ready: 127\\.0\\.0\\.1:(\\d+) ");

    /** Returns once it accepts. */
    static RecordingProxy open(String to, Path file) {
        CountDownLatch stopped = new CountDownLatch(1);
        StringWriter out = new StringWriter();
        CompletableFuture<Ran> running = CompletableFuture.supplyAsync(() ->
                Ran.run(stopped, out, "record", "--listen", "127.0.0.1:0", "--to", to, "--file", file.toString()));
        await().until(() -> running.isDone() || READY.matcher(out.toString()).find());
        Matcher ready = READY.matcher(out.toString());
        assertThat(ready.find()).as(out.toString()).isTrue();
        return new RecordingProxy(Integer.parseInt(ready.group(1)), stopped, running);
    }

    Ran stop() throws Exception {
        stopped.countDown();
        return running.get();
    }
}
