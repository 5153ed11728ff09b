package dev.understudy.session.bundle;

import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.session.command.Main;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine;

/** Traffic, journals and settings of two upstreams in a folder, and what can be made of them. */
final class BundleStage {
    final Path folder;
    final Path bundle;
    final StringWriter printed = new StringWriter();
    final StringWriter refused = new StringWriter();

    BundleStage(Path folder) throws Exception {
        this.folder = folder;
        bundle = folder.resolve("failure.bundle");
        record(folder.resolve("monday.understudy"));
        try (Spill spill = journal()) {
            CountDownLatch written = new CountDownLatch(3);
            for (int n = 0; n < 3; n++) {
                spill.write(block(7, "a reply " + n, StreamEvent.REPLY), Runnable::run, place -> written.countDown());
            }
            written.await();
        }
        Files.createDirectories(folder.resolve("journal/cache"));
        Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: prices
                    protocol: http
                    production: {listen: "127.0.0.1:1", upstream: "prices:80", connect-timeout: 1s}
                    debug: {listen: "127.0.0.1:2"}
                    form: {ignore-query: [now]}
                  - name: cache
                    protocol: redis
                    production: {listen: "127.0.0.1:3", upstream: "cache:6379"}
                    debug: {listen: "127.0.0.1:4"}
                control: {token: hunter2}
                """);
    }

    Path manifest(String what, String by) throws IOException {
        return changed(all -> all.compute(
                BundleLimits.MANIFEST,
                (name, bytes) -> new String(bytes, StandardCharsets.UTF_8)
                        .replaceFirst(Pattern.quote(what), by)
                        .getBytes(StandardCharsets.UTF_8)));
    }

    /** The bundle with other entries. */
    Path changed(Consumer<Map<String, byte[]>> change) throws IOException {
        Map<String, byte[]> all = entries();
        change.accept(all);
        Path file = Files.createTempFile(folder, "changed", ".bundle");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : all.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        return file;
    }

    Map<String, byte[]> entries() throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                try (InputStream in = zip.getInputStream(entry)) {
                    all.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return all;
    }

    byte[] entry(String name) throws IOException {
        try (BundleFile file = BundleFile.open(bundle, bundle, null)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (BundleManifest.Entry entry : file.manifest().entries()) {
                if (entry.name().equals(name)) {
                    file.copy(entry, bytes);
                }
            }
            return bytes.toByteArray();
        }
    }

    /** The bundle with another entry, whose size and sum are right. */
    Path forged(String name, String latin) throws IOException {
        Map<String, byte[]> all = entries();
        all.put(name, latin.getBytes(StandardCharsets.ISO_8859_1));
        all.remove(BundleLimits.MANIFEST);
        BundleWriter writer = new BundleWriter();
        all.forEach(writer::add);
        Path file = folder.resolve("forged");
        Files.deleteIfExists(file);
        writer.write(file, Instant.EPOCH, "1");
        return file;
    }

    int make(String... more) {
        List<String> words = new ArrayList<>(List.of(
                "create",
                "--recording",
                folder.resolve("monday.understudy").toString(),
                "--journal",
                folder.resolve("journal").toString(),
                "--config",
                folder.resolve("aggregator.yaml").toString(),
                "-o",
                bundle.toString()));
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    int run(String... words) {
        printed.getBuffer().setLength(0);
        refused.getBuffer().setLength(0);
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(printed)).setErr(new PrintWriter(refused));
        return command.execute(
                Stream.concat(Stream.of("bundle"), Stream.of(words)).toArray(String[]::new));
    }

    Spill journal() throws IOException {
        return Spill.keep(folder.resolve("journal/prices"), "prices", UnpooledByteBufAllocator.DEFAULT, 16 << 20);
    }

    private static void record(Path file) throws Exception {
        record(
                file,
                block(
                        7,
                        "GET /orders/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /orders/22 HTTP/1.1\r\nHost: a\r\n\r\n",
                        StreamEvent.REQUEST));
    }

    static void record(Path file, ByteBuf... blocks) throws Exception {
        try (RecordingWriter recording = RecordingWriter.create(file, 1 << 20)) {
            CountDownLatch done = new CountDownLatch(blocks.length);
            for (ByteBuf block : blocks) {
                recording.append(block, Runnable::run, done::countDown);
            }
            done.await();
        }
    }

    static ByteBuf block(long connection, String text, StreamEvent event) {
        BlockWriter block = new BlockWriter(UnpooledByteBufAllocator.DEFAULT, connection, 4096);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        block.add(event, System.nanoTime(), Unpooled.wrappedBuffer(bytes), bytes.length);
        return block.finish();
    }
}
