package dev.understudy.agent.cache;

import dev.understudy.agent.Fuzz;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("any-jdk")
final class WovenCacheTest {
    private static final long BUILD = 7;
    private static final byte[] ONE = {1, 2, 3};
    private static final byte[] TWO = {1, 2, 4};
    private static final byte[] MADE = {9, 8, 7, 6};

    @TempDir
    private Path parent;

    private Path folder;

    @BeforeEach
    void chooseFolder() {
        folder = parent.resolve("cache");
    }

    @Test
    void whatWasKept_isFoundInTheNextRun_andOnlyForThatClassFile() throws IOException {
        run(ONE, MADE);

        WovenCache next = WovenCache.open(folder, BUILD);
        assertThat(next.find(ONE)).isEqualTo(MADE);
        assertThat(next.find(TWO)).isNull();
        assertThat(next.find(Arrays.copyOf(ONE, 2))).isNull();
    }

    @Test
    void nothingIsWritten_whileNewClassesCome() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        cache.keep(ONE, MADE);
        cache.tick();
        assertThat(folder).isEmptyDirectory();
        cache.tick();
        assertThat(folder).isDirectoryContaining("glob:**woven");
    }

    @Test
    void whatAnotherRunKept_staysThere() throws IOException {
        WovenCache first = WovenCache.open(folder, BUILD);
        WovenCache second = WovenCache.open(folder, BUILD);
        write(first, ONE, MADE);
        write(second, TWO, ONE);

        WovenCache next = WovenCache.open(folder, BUILD);
        assertThat(next.find(ONE)).isEqualTo(MADE);
        assertThat(next.find(TWO)).isEqualTo(ONE);
    }

    @Test
    void anotherBuildOfTheAgent_findsNothingAndStartsAnew() throws IOException {
        run(ONE, MADE);

        WovenCache other = WovenCache.open(folder, BUILD + 1);
        assertThat(other.find(ONE)).isNull();
        write(other, TWO, MADE);
        assertThat(WovenCache.open(folder, BUILD + 1).find(TWO)).isEqualTo(MADE);
        assertThat(WovenCache.open(folder, BUILD).find(ONE)).isNull();
    }

    @Test
    void anotherJarOfTheAgent_orOneThatTellsNothingOfLocks_isAnotherBuild() throws IOException {
        Path jar = Files.write(parent.resolve("agent.jar"), ONE);
        write(WovenCache.of(folder, jar), ONE, MADE);

        assertThat(WovenCache.of(folder, jar, true).find(ONE)).isEqualTo(MADE);
        assertThat(WovenCache.of(folder, jar, false).find(ONE)).isNull();
        Files.write(jar, TWO);
        assertThat(WovenCache.of(folder, jar).find(ONE)).isNull();
    }

    @Test
    void jarsWithADirectory_areToldApartByIt_soThatAnyOtherFileInThemIsAnotherBuild() throws IOException {
        Path jar = jar("one", ONE);
        write(WovenCache.of(folder, jar), ONE, MADE);
        write(WovenCache.ofJdk(folder, jar), TWO, MADE);

        assertThat(WovenCache.of(folder, jar("same", ONE)).find(ONE)).isEqualTo(MADE);
        assertThat(WovenCache.of(folder, jar("same", ONE)).find(TWO))
                .as("is the JDK's")
                .isNull();
        assertThat(WovenCache.ofJdk(folder, jar("same", ONE)).find(TWO)).isEqualTo(MADE);
        assertThat(WovenCache.of(folder, jar("other", TWO)).find(ONE)).isNull();
        assertThat(WovenCache.ofJdk(folder, jar("other", TWO)).find(TWO)).isNull();
    }

    private Path jar(String name, byte[] content) throws IOException {
        Path jar = parent.resolve(name + ".jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            ZipEntry entry = new ZipEntry("content");
            entry.setTime(0);
            out.putNextEntry(entry);
            out.write(content);
        }
        return jar;
    }

    @Test
    void byName_theLatestClassFileIsKept() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        cache.keep("One", ONE, MADE);
        cache.keep("One", TWO, ONE);
        cache.save();

        WovenCache next = WovenCache.open(folder, BUILD);
        assertThat(next.find("One", TWO)).isEqualTo(ONE);
        assertThat(next.find("One", ONE)).isNull();
        assertThat(next.find("Two", TWO)).isNull();
        assertThat(next.find(TWO)).as("not by its name").isNull();
    }

    @Test
    void aFileOfAnotherKind_orOneThatIsTooLarge_isAsGoodAsAbsent() throws IOException {
        run(ONE, MADE);
        Path file = folder.resolve("woven");
        try (RandomAccessFile kept = new RandomAccessFile(file.toFile(), "rw")) {
            int first = kept.read();
            kept.seek(0);
            kept.write(first + 1);
            assertThat(WovenCache.open(folder, BUILD).find(ONE)).isNull();
            kept.seek(0);
            kept.write(first);
            assertThat(WovenCache.open(folder, BUILD).find(ONE)).isEqualTo(MADE);
            kept.setLength(WovenCache.MOST_BYTES + 1);
        }
        assertThat(WovenCache.open(folder, BUILD).find(ONE)).isNull();
    }

    @Test
    void withoutAFolder_nothingIsKept() throws IOException {
        WovenCache none = WovenCache.none();
        write(none, ONE, MADE);

        assertThat(none.find(ONE)).isNull();
        assertThat(none.keeps()).isFalse();
    }

    @Test
    void whatCannotBeReplaced_leavesNothingBeside() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        Files.createDirectories(folder.resolve("woven/in the way"));
        cache.keep(ONE, MADE);

        assertThatThrownBy(cache::save).isInstanceOf(IOException.class);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("woven"));
        }
    }

    @Test
    void damage_isAsGoodAsAbsent() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        byte[][] classFiles = new byte[20][];
        Random random = new Random(3);
        for (int n = 0; n < classFiles.length; n++) {
            classFiles[n] = new byte[10 + n];
            random.nextBytes(classFiles[n]);
            cache.keep(classFiles[n], made(classFiles[n]));
        }
        cache.tick();
        cache.tick();
        byte[] whole = Files.readAllBytes(folder.resolve("woven"));
        for (int seed = 0; seed < Fuzz.rounds(1_000); seed++) {
            Files.write(folder.resolve("woven"), damaged(whole, new Random(seed)));
            WovenCache next = WovenCache.open(folder, BUILD);
            for (byte[] classFile : classFiles) {
                assertThat(next.find(classFile)).as("seed %d", seed).isIn(null, made(classFile));
            }
        }
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] damaged = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
        for (int flips = random.nextInt(4); flips > 0 && damaged.length > 0; flips--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        return damaged;
    }

    private static byte[] made(byte[] classFile) {
        byte[] made = Arrays.copyOf(classFile, classFile.length + 5);
        made[0]++;
        return made;
    }

    @Test
    void aFolderThatOthersCanWriteTo_isRefused() throws IOException {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));

        assertThatThrownBy(() -> WovenCache.open(folder, BUILD))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rwxrwxr-x (expected: a folder that only this user can write to)");
    }

    /** Only root can give a folder away. */
    @Test
    void aFolderOfAnotherUser_isRefused() throws IOException {
        Files.createDirectory(folder);
        assumeTrue(Files.getOwner(folder).getName().equals("root"));
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        assertThatThrownBy(() -> WovenCache.open(folder, BUILD))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nobody's");
    }

    @Test
    void whatHasNoRoom_isNotKept() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        cache.keep(ONE, new byte[WovenCache.MOST_BYTES]);
        assertThat(cache.find(ONE)).isNull();
        cache.keep(ONE, MADE);
        assertThat(cache.find(ONE)).isEqualTo(MADE);
    }

    @Test
    void whereTwoRunsHaveNoRoomTogether_whatTheLastOneUsedIsKept() throws IOException {
        byte[] large = new byte[WovenCache.MOST_BYTES / 5 * 3];
        WovenCache first = WovenCache.open(folder, BUILD);
        WovenCache second = WovenCache.open(folder, BUILD);
        write(first, ONE, large);
        write(second, TWO, large);

        assertThat(folder.resolve("woven").toFile().length()).isLessThan(WovenCache.MOST_BYTES);
        WovenCache next = WovenCache.open(folder, BUILD);
        assertThat(next.find(ONE)).isNull();
        assertThat(next.find(TWO)).hasSameSizeAs(large);
    }

    @Test
    void aMinuteAfterItsLastUse_nothingIsHeldInMemory() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        cache.keep(ONE, MADE);
        for (int tick = 0; tick < WovenCache.AWAKE_TICKS; tick++) {
            cache.tick();
        }
        assertThat(cache.find(ONE)).isEqualTo(MADE);
        for (int tick = 0; tick < WovenCache.AWAKE_TICKS + 3; tick++) {
            cache.tick();
        }
        assertThat(cache.find(ONE)).isNull();
        write(cache, TWO, MADE);
        assertThat(WovenCache.open(folder, BUILD).find(ONE)).isEqualTo(MADE);
    }

    @Test
    void aFolderThatIsGone_isTold_andNothingElseHappens() throws IOException {
        WovenCache cache = WovenCache.open(folder, BUILD);
        Files.delete(folder);
        cache.keep(ONE, MADE);
        cache.tick();
        assertThatThrownBy(cache::tick).isInstanceOf(IOException.class);
        cache.tick();
        assertThat(cache.find(ONE)).isEqualTo(MADE);
    }

    private void run(byte[] classFile, byte[] made) throws IOException {
        write(WovenCache.open(folder, BUILD), classFile, made);
    }

    private static void write(WovenCache cache, byte[] classFile, byte[] made) throws IOException {
        cache.keep(classFile, made);
        cache.tick();
        cache.tick();
    }
}
