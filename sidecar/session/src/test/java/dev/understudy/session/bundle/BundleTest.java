package dev.understudy.session.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.session.command.BundleCommand;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class BundleTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROUNDS = Math.max(1, 400 / Math.max(1, Integer.getInteger("understudy.fuzz", 1)));

    @TempDir
    Path folder;

    private Path bundle;
    private final StringWriter printed = new StringWriter();
    private final StringWriter refused = new StringWriter();

    @BeforeEach
    void create() throws Exception {
        bundle = folder.resolve("failure.bundle");
        record(folder.resolve("monday.understudy"));
        try (Spill spill = journal()) {
            CountDownLatch written = new CountDownLatch(3);
            for (int n = 0; n < 3; n++) {
                spill.write(block("a reply " + n, StreamEvent.REPLY), Runnable::run, place -> written.countDown());
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

    @Test
    void bundle_holdsTheTrafficAndTheRepliesOfItsUpstreams() throws Exception {
        assertThat(make()).as(refused.toString()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bundle)))
                .isEqualTo("rw-------");
        assertThat(run("inspect", bundle.toString())).isZero();
        assertThat(printed.toString())
                .contains("1 connections, 2 requests", "2  GET /orders/{n}", "not encrypted")
                .contains("upstream prices (http): 3 recorded replies", "upstream cache (redis): 0 recorded replies")
                .contains("all sums are right");
        assertThat(run("inspect", "--json", bundle.toString())).isZero();
        JsonNode read = JSON.readTree(printed.toString());
        assertThat(read.at("/upstreams/0/replies").asInt()).isEqualTo(3);
        assertThat(read.at("/routes").path("GET /orders/{n}").asInt()).isEqualTo(2);
        assertThat(new String(entry(BundleLimits.UPSTREAMS), StandardCharsets.UTF_8))
                .contains("ignore-query", "prices:80")
                .doesNotContain("hunter2", "connect-timeout");
    }

    @Test
    void sameContents_areTheSameEntriesInTheSameOrder() throws Exception {
        make();
        String first = sums();
        Files.delete(bundle);
        make();
        assertThat(sums()).isEqualTo(first);
        assertThat(make()).as("a bundle isn't replaced").isEqualTo(2);
        assertThat(refused.toString()).contains("is there already");
    }

    @Test
    void journalOfARunningAggregator_isRefused() throws Exception {
        try (Spill running = journal()) {
            assertThat(running.directory()).exists();
            assertThat(make()).isEqualTo(2);
        }
        assertThat(refused.toString()).contains("an aggregator that runs has it", "stop that aggregator first");
        assertThat(bundle).doesNotExist();
    }

    @Test
    void folderOfOthers_isRefused() throws Exception {
        Files.writeString(folder.resolve("journal/prices/Passwords.TXT"), "hunter2");
        assertThat(make()).isEqualTo(2);
        assertThat(refused.toString()).contains("Passwords.TXT", "expected: an aggregator's disk-directory");
    }

    @Test
    void hostileBundles_areRefusedWithTheirPlace() throws Exception {
        make();
        String segment = "journal/prices/segment-1";
        assertRefused(changed(all -> all.put("../../etc/cron", new byte[1])), "'../../etc/cron' is no entry's name");
        assertRefused(changed(all -> all.put("journal/../segment-1", new byte[1])), "is no entry's name");
        assertRefused(changed(all -> all.put("journal/prices/segment-9", new byte[1])), "doesn't list");
        assertRefused(changed(all -> all.remove(segment)), segment + " is missing");
        assertRefused(changed(all -> all.get(segment)[30] ^= 1), segment + ": its sum is wrong");
        assertRefused(changed(all -> all.put(segment, new byte[3])), segment + " has 3 bytes");
        assertRefused(changed(all -> all.put(segment, new byte[64 << 20])), segment + " becomes 67108864 bytes");
        assertRefused(changed(all -> all.remove(BundleLimits.MANIFEST)), "no manifest.json");
        assertRefused(manifest("\"format\" : 1", "\"format\" : 2"), "format 2 (expected: 1");
        assertRefused(manifest("\"bytes\" : ", "\"bytes\" : 9"), "has");
        assertRefused(manifest("recording.understudy", "../recording"), "is no entry's name");
        Path twice = changed(all -> all.put("journal/prices/segment-9", new byte[1]));
        byte[] bytes = Files.readAllBytes(twice);
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("prices/segment-9", "prices/segment-1");
        Files.write(twice, text.getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(twice, segment + " is there twice");
        byte[] whole = Files.readAllBytes(bundle);
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length - 5));
        assertRefused(cut, "cut off, or no bundle");
        assertRefused(Files.write(folder.resolve("empty"), new byte[0]), "cut off, or no bundle");
        assertRefused(folder.resolve("none"), "no such file");
    }

    @Test
    void randomDamage_isNeverMoreThanALine() throws Exception {
        make();
        byte[] whole = Files.readAllBytes(bundle);
        Random random = new Random(32);
        Path damaged = folder.resolve("damaged");
        int refusals = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = whole.clone();
            for (int n = random.nextInt(4); n >= 0; n--) {
                // most of what decides is at both ends
                int at = random.nextBoolean()
                        ? random.nextInt(bytes.length)
                        : bytes.length - 1 - random.nextInt(Math.min(600, bytes.length));
                bytes[at] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(8) == 0 ? random.nextInt(bytes.length) : bytes.length;
            Files.write(damaged, Arrays.copyOf(bytes, length));
            try {
                BundleContents.read(damaged).text();
            } catch (BundleException line) {
                refusals++;
                assertThat(line.getMessage()).startsWith(damaged + ": ").doesNotContain("\n");
            }
        }
        assertThat(refusals).isPositive();
    }

    private void assertRefused(Path file, String why) {
        assertThatThrownBy(() -> BundleContents.read(file))
                .isInstanceOf(BundleException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(why);
    }

    private Path manifest(String what, String by) throws IOException {
        return changed(all -> all.compute(
                BundleLimits.MANIFEST,
                (name, bytes) -> new String(bytes, StandardCharsets.UTF_8)
                        .replaceFirst(Pattern.quote(what), by)
                        .getBytes(StandardCharsets.UTF_8)));
    }

    /** The bundle with other entries. */
    private Path changed(Consumer<Map<String, byte[]>> change) throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                try (InputStream in = zip.getInputStream(entry)) {
                    all.put(entry.getName(), in.readAllBytes());
                }
            }
        }
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

    private byte[] entry(String name) throws IOException {
        try (BundleFile file = BundleFile.open(bundle)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (BundleManifest.Entry entry : file.manifest().entries()) {
                if (entry.name().equals(name)) {
                    file.copy(entry, bytes);
                }
            }
            return bytes.toByteArray();
        }
    }

    private String sums() throws IOException {
        try (BundleFile file = BundleFile.open(bundle)) {
            return file.manifest().entries().toString();
        }
    }

    private int make() {
        return run(
                "create",
                "--recording",
                folder.resolve("monday.understudy").toString(),
                "--journal",
                folder.resolve("journal").toString(),
                "--config",
                folder.resolve("aggregator.yaml").toString(),
                "-o",
                bundle.toString());
    }

    private int run(String... words) {
        printed.getBuffer().setLength(0);
        refused.getBuffer().setLength(0);
        CommandLine command = BundleCommand.commandLine();
        command.setOut(new PrintWriter(printed)).setErr(new PrintWriter(refused));
        return command.execute(words);
    }

    private Spill journal() throws IOException {
        return Spill.keep(folder.resolve("journal/prices"), "prices", UnpooledByteBufAllocator.DEFAULT, 16 << 20);
    }

    private static void record(Path file) throws Exception {
        try (RecordingWriter recording = RecordingWriter.create(file, 1 << 20)) {
            CountDownLatch done = new CountDownLatch(1);
            recording.append(
                    block(
                            "GET /orders/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /orders/22 HTTP/1.1\r\nHost: a\r\n\r\n",
                            StreamEvent.REQUEST),
                    Runnable::run,
                    done::countDown);
            done.await();
        }
    }

    private static ByteBuf block(String text, StreamEvent event) {
        BlockWriter block = new BlockWriter(UnpooledByteBufAllocator.DEFAULT, 7, 4096);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        block.add(event, System.nanoTime(), Unpooled.wrappedBuffer(bytes), bytes.length);
        return block.finish();
    }
}
