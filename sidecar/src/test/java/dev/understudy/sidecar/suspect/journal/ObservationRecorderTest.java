package dev.understudy.sidecar.suspect.journal;

import dev.understudy.sidecar.suspect.ExchangeOutcome;
import dev.understudy.sidecar.suspect.LabelRule;
import dev.understudy.sidecar.suspect.Place;
import dev.understudy.sidecar.suspect.Suspects;
import dev.understudy.sidecar.suspect.SuspectsSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a ranking rested on, ranked again. */
final class ObservationRecorderTest {
    @TempDir
    Path folder;

    @Test
    void aRankingReadFromTheFile_isTheSame_atEachQuestion() throws Exception {
        Path file = folder.resolve("observations.gz");
        List<SuspectsSnapshot> live = new ArrayList<>();
        try (ObservationRecorder recorder = ObservationRecorder.create(file, 1 << 20)) {
            Suspects suspects = new Suspects(LabelRule.defaults(), new Random(1), recorder);
            serve(suspects, 300, live);
        }
        Suspects again = new Suspects(LabelRule.defaults(), new Random(1));
        List<SuspectsSnapshot> read = new ArrayList<>();
        ObservationReader.read(file, again, () -> read.add(again.standing()));

        assertThat(live.get(2).suspects().get(0).method()).isEqualTo("A#guilty");
        assertThat(read).isEqualTo(live);
    }

    @Test
    void aFileThatIsLargeEnough_getsNoMore_andTheRankingGoesOn() throws Exception {
        Path file = folder.resolve("observations.gz");
        List<SuspectsSnapshot> live = new ArrayList<>();
        try (ObservationRecorder recorder = ObservationRecorder.create(file, 500)) {
            Suspects suspects = new Suspects(LabelRule.defaults(), new Random(1), recorder);
            serve(suspects, 20_000, live);
        }

        assertThat(Files.size(file)).isLessThan(64 << 10);
        assertThat(live.get(live.size() - 1).failing()).isEqualTo(2_000);
    }

    @Test
    void aFileThatIsThere_isNotWrittenOver() throws Exception {
        Path file = Files.writeString(folder.resolve("observations.gz"), "mine");

        assertThatThrownBy(() -> ObservationRecorder.create(file, 1 << 20))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aDamagedFile_isReadAsFarAsItGoes_orRefused() throws Exception {
        Path file = folder.resolve("observations.gz");
        try (ObservationRecorder recorder = ObservationRecorder.create(file, 1 << 20)) {
            serve(new Suspects(LabelRule.defaults(), new Random(1), recorder), 50, new ArrayList<>());
        }
        byte[] whole = Files.readAllBytes(file);
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            Path bad = Files.write(folder.resolve("bad.gz"), damaged);
            Suspects suspects = new Suspects(LabelRule.defaults(), new Random(1));
            assertThatCode(() -> {
                        try {
                            ObservationReader.read(bad, suspects, suspects::standing);
                        } catch (IOException refused) {
                            assertThat(refused).hasMessage(refused.getMessage());
                        }
                    })
                    .as("seed %d", seed)
                    .doesNotThrowAnyException();
        }
    }

    /** One in ten fails, in which a method is called that isn't in the others; after each hundred somebody asks. */
    private static void serve(Suspects suspects, int count, List<SuspectsSnapshot> asked) {
        for (int i = 0; i < count; i++) {
            String span = String.format("%016x", i + 1);
            boolean fails = i % 10 == 0;
            suspects.ended(new ExchangeOutcome(
                    span, Place.UNKNOWN, i, "web", 1, "GET /", "", false, fails ? 500 : 200, 200, "", 1.0, false, ""));
            suspects.observed(
                    ("{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{\"1\":\"A#usual\",\"2\":\"A#guilty\"},"
                                    + "\"exchanges\":[{\"span\":\"" + span + "\",\"whole\":true,\"held\":"
                                    + (fails ? "[16,32]" : "[16]") + ",\"calls\":[]}]}")
                            .getBytes(StandardCharsets.UTF_8));
            if (i % 100 == 99) {
                asked.add(suspects.standing());
            }
        }
    }
}
