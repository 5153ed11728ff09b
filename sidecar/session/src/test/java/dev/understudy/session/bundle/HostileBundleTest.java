package dev.understudy.session.bundle;

import com.sun.management.ThreadMXBean;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.session.ledger.SessionProgram;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Bundles of somebody who means harm, or that were damaged: a line says where, and nothing else happens. */
final class HostileBundleTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int RECORDING_HEADER = 28;
    private static final long MOST_ALLOCATED = 64L << 20;
    private static final int ROUNDS = Math.max(1, 400 / Math.max(1, Integer.getInteger("understudy.fuzz", 1)));

    @TempDir
    Path folder;

    private BundleStage stage;
    private Path bundle;

    @BeforeEach
    void create() throws Exception {
        stage = new BundleStage(folder);
        bundle = stage.bundle;
        assertThat(stage.make()).as(stage.refused.toString()).isZero();
    }

    @Test
    void hostileBundles_areRefusedWithTheirPlace() throws Exception {
        String segment = "journal/prices/segment-1";
        assertRefused(
                stage.changed(all -> all.put("../../etc/cron", new byte[1])), "'../../etc/cron' is no entry's name");
        assertRefused(stage.changed(all -> all.put("journal/../segment-1", new byte[1])), "is no entry's name");
        assertRefused(stage.changed(all -> all.put("journal/prices/segment-9", new byte[1])), "doesn't list");
        assertRefused(stage.changed(all -> all.remove(segment)), segment + " is missing");
        assertRefused(
                stage.changed(all -> Objects.requireNonNull(all.get(segment))[30] ^= 1),
                segment + ": its sum is wrong");
        assertRefused(stage.changed(all -> all.put(segment, new byte[3])), segment + " has 3 bytes");
        assertRefused(stage.changed(all -> all.put(segment, new byte[64 << 20])), segment + " becomes 67108864 bytes");
        assertRefused(stage.changed(all -> all.remove(BundleLimits.MANIFEST)), "no manifest.json");
        assertRefused(stage.manifest("\"format\" : 1", "\"format\" : 2"), "format 2 (expected: 1");
        assertRefused(stage.manifest("\"bytes\" : ", "\"bytes\" : 9"), "has");
        assertRefused(stage.manifest("recording.understudy", "../recording"), "is no entry's name");
        Path twice = stage.changed(all -> all.put("journal/prices/segment-9", new byte[1]));
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
            refusals += refusal(damaged).isEmpty() ? 0 : 1;
        }
        assertThat(refusals).isPositive();
    }

    @Test
    void everyCut_isRefused_andNoLengthTakesMemory() throws Exception {
        byte[] whole = Files.readAllBytes(bundle);
        Path odd = folder.resolve("odd");
        for (int length = 0; length < whole.length; length++) {
            Files.write(odd, Arrays.copyOf(whole, length));
            assertThat(refusal(odd)).as("of %d bytes", length).contains("cut off, or no bundle");
        }
        int list = new String(whole, StandardCharsets.ISO_8859_1).indexOf("PK\1\2");
        Random random = new Random(33);
        for (int at = list - ROUNDS; at <= whole.length - Integer.BYTES; at++) {
            byte[] bytes = whole.clone();
            int huge = random.nextBoolean() ? -1 : Integer.MAX_VALUE;
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at < list ? random.nextInt(list) : at, huge);
            Files.write(odd, bytes);
            refusal(odd);
        }
    }

    @Test
    void hostileContents_withTheRightSums_areRefusedWithTheirPlace() throws Exception {
        String deep = "[".repeat(100_000);
        String one = "{\"name\":\"%s\",\"protocol\":\"%s\",\"production\":{\"upstream\":\"%s\"}}";
        String good = one.formatted("a", "http", "a:80");
        for (String upstreams : List.of(
                "",
                "7",
                deep,
                "{\"upstreams\":" + deep,
                "{\"upstreams\":{}}",
                "{\"upstreams\":[{}]}",
                "{\"upstreams\":[" + good + "," + good + "]}",
                "{\"upstreams\":[" + one.formatted("a\\nb", "http", "a:80") + "]}",
                "{\"upstreams\":[" + one.formatted("../a", "http", "a:80").replace("../", "x".repeat(400)) + "]}",
                "{\"upstreams\":[" + one.formatted("..", "http", "a:80") + "]}",
                "{\"upstreams\":[" + one.formatted("a", "smtp", "a:80") + "]}")) {
            assertThat(refusal(stage.forged(BundleLimits.UPSTREAMS, upstreams)))
                    .as(shown(upstreams))
                    .contains("upstreams.json: ");
        }
        for (String noise : List.of(
                "rules: 7",
                "rules: " + deep,
                "a: &a [x]\nrules: *b",
                "rules: &a [*a]",
                "rules: [{path: a, value: sometimes}]",
                "rules: [{path: a, value: any, more: 1}]",
                "#".repeat(3 << 20))) {
            assertThat(refusal(stage.forged(BundleLimits.NOISE, noise)))
                    .as(shown(noise))
                    .contains("noise.yaml");
        }
        assertThat(refusal(stage.forged(BundleLimits.RECORDING, "nothing of the kind")))
                .contains("recording.understudy is no recording");
    }

    @Test
    void recordingOfMoreThanMemoryHolds_isRefused() throws Exception {
        String header = new String(stage.entry(BundleLimits.RECORDING), StandardCharsets.ISO_8859_1)
                .substring(0, RECORDING_HEADER);
        StringBuilder recording = new StringBuilder(header);
        for (int connection = 0; connection < 80_000; connection++) {
            ByteBuf block = BundleStage.block(connection, "a", StreamEvent.REQUEST);
            recording.append(block.toString(StandardCharsets.ISO_8859_1));
            block.release();
        }
        Path large = stage.forged(BundleLimits.RECORDING, recording.toString());
        try (SessionProgram inspecting = SessionProgram.start(
                List.of("env", "JDK_JAVA_OPTIONS=-Xmx16m -XX:+UseSerialGC"), BundleTest.class, large.toString())) {
            assertThat(inspecting.line())
                    .startsWith(large + ": recording.understudy has more connections and requests than memory holds")
                    .contains("JDK_JAVA_OPTIONS=-Xmx");
            assertThat(inspecting.await()).isZero();
        }
    }

    @Test
    void randomDamage_withTheRightSums_isNeverMoreThanALine() throws Exception {
        Random random = new Random(34);
        for (String name : List.of(BundleLimits.RECORDING, "journal/prices/segment-1", BundleLimits.UPSTREAMS)) {
            byte[] whole = stage.entry(name);
            for (int round = 0; round < ROUNDS / 4; round++) {
                byte[] bytes = Arrays.copyOf(whole, whole.length - random.nextInt(4));
                int at = random.nextInt(bytes.length - Integer.BYTES);
                ByteBuffer.wrap(bytes).putInt(at, random.nextBoolean() ? random.nextInt() : Integer.MAX_VALUE);
                refusal(stage.forged(name, new String(bytes, StandardCharsets.ISO_8859_1)));
            }
        }
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(80, text.length()));
    }

    /** The line that a bundle is refused with; "" if it isn't. It never takes much memory. */
    private static String refusal(Path file) throws IOException {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        String line = "";
        try {
            assertThat(BundleContents.read(file, new BundleTrust()).text()).isNotEmpty();
        } catch (BundleException refused) {
            line = String.valueOf(refused.getMessage());
            assertThat(line).startsWith(file + ": ").doesNotContain("\n");
        }
        assertThat(THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
                .as(line)
                .isLessThan(MOST_ALLOCATED);
        return line;
    }

    private void assertRefused(Path file, String why) {
        assertThatThrownBy(() -> BundleContents.read(file, new BundleTrust()))
                .isInstanceOf(BundleException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(why);
    }
}
