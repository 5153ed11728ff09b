package dev.understudy.it.localisation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BugsTest {
    @Test
    void everyBug_canBeReadAndHasATriggerThatIsRare() throws Exception {
        List<Bug> bugs = Bug.all(Checkout.root().resolve("examples/bugs"));

        assertThat(bugs)
                .extracting(Bug::id)
                .hasSize(40)
                .contains("WM-2422", "TC-64265", "GSON-1832", "JM-121", "H2-3512", "ZK-4466");
        assertThat(bugs)
                .filteredOn(bug -> bug.client().equals("zookeeper"))
                .allMatch(bug -> bug.protocol().equals("tcp"));
        for (Bug bug : bugs) {
            int all = bug.traffic().stream().mapToInt(Ask::weight).sum();
            int triggers = bug.traffic().stream()
                    .filter(Ask::trigger)
                    .mapToInt(Ask::weight)
                    .sum();
            assertThat(triggers).as(bug.id()).isBetween(1, all / 7);
            assertThat(bug.buggy()).as(bug.id()).allMatch(artifact -> artifact.split(":", -1).length == 3);
            assertThat(bug.fixed()).as(bug.id()).hasSameSizeAs(bug.buggy()).isNotEqualTo(bug.buggy());
            assertThat(bug.guilty()).as(bug.id()).allMatch(method -> method.matches("[\\w.$]+#\\w+"));
            assertThat(bug.symptom().equals(Bug.SLOW))
                    .as(bug.id())
                    .isEqualTo(!bug.slow().isZero());
            assertThat(Files.exists(bug.folder().resolve("Server.java")))
                    .as(bug.id())
                    .isEqualTo(bug.main().equals("Server"));
        }
    }

    @Test
    void numbersAndRepetitions_areFilledIn() {
        assertThat(Asker.filled("a{5..5}b {x\r\n*3}{\"json\": 1}", new Random(1)))
                .isEqualTo("a5b x\r\nx\r\nx\r\n{\"json\": 1}");
        for (int i = 0; i < 100; i++) {
            assertThat(Integer.parseInt(Asker.filled("{3..7}", new Random(i)))).isBetween(3, 7);
        }
    }

    @Test
    void theFirstOfSeveralGuiltyMethods_isRankedAsAUserReadsThem() throws Exception {
        Bug bug = Bug.read(Checkout.root().resolve("examples/bugs/TC-69731"));
        JsonNode found = new ObjectMapper().readTree("""
                {"suspects": [
                  {"method": "a.A#a(int)", "alike": [{"method": "b.B#b"}, {"method": "a.A#a(String)"}]},
                  {"method": "org.apache.catalina.connector.Request#parseParts(boolean)", "alike": []}]}
                """);

        assertThat(Outcome.rank(bug, found)).isEqualTo(3);
        assertThat(Outcome.rank(bug, new ObjectMapper().createObjectNode())).isZero();
        JsonNode leaks = new ObjectMapper().readTree("""
                {"suspects": [{"method": "A#b", "alike": []}], "leaks": [
                 {"rank": 2, "method": "C#d"}, {"rank": 3, "method": \
                "org.apache.catalina.connector.Request#parseParts"}]}
                """);
        assertThat(Outcome.rank(bug, leaks))
                .as("leaks stand behind the suspects")
                .isEqualTo(3);
        JsonNode circle = new ObjectMapper().readTree("""
                {"suspects": [{"rank": 1, "method": "A#b", "alike": []}, {"rank": 3, "method": "B#c", "alike": []}],
                 "leaks": [{"rank": 4, "method": "C#d"}],
                 "lockCycles": [{"rank": 2, "steps": [
                  {"method": "A#b", "holdsSince": "org.apache.catalina.connector.Request#parseParts"}]}]}
                """);
        assertThat(Outcome.rank(bug, circle))
                .as("a circle stands where it is numbered")
                .isEqualTo(2);
    }

    @Test
    void aSymptom_isAReply_orHowLongItTakes_orNothingThatAReplyTells() throws Exception {
        Bug replies = Bug.read(Checkout.root().resolve("examples/bugs/H2-3512"));
        Bug slow = Bug.read(Checkout.root().resolve("examples/bugs/H2-3613"));
        Bug grows = Bug.read(Checkout.root().resolve("examples/bugs/ZK-2141"));

        assertThat(replies.isShownBy("ERROR 23502", 0)).isTrue();
        assertThat(replies.isShownBy("INSERT 0 1", Long.MAX_VALUE)).isFalse();
        assertThat(slow.isShownBy("INSERT 0 1", slow.slow().toNanos())).isTrue();
        assertThat(slow.isShownBy("INSERT 0 1", slow.slow().toNanos() - 1)).isFalse();
        assertThat(grows.isShownBy("ok", Long.MAX_VALUE)).isFalse();
        assertThat(grows.grows()).isTrue();
        assertThat(slow.grows()).isFalse();
    }

    @Test
    void debugShowsWhatItsRepliesTellByThemselves() throws Exception {
        assertThat(Outcome.shownByDebug(new ObjectMapper().readTree("""
                {"failingBy": {"STATUS": 3, "RULE": 20, "SLOW": 100, "DIFFERENT": 1000, "ESCAPED": 1000}}
                """))).isEqualTo(123);
    }

    @Test
    void whatStays_isTheLastLineOfAHistogram() throws Exception {
        assertThat(Live.total(" num  #instances  #bytes  class name\n   1:  9  216  A\nTotal    9     216\n"))
                .isEqualTo(216);
        assertThatThrownBy(() -> Live.total("5381: no such process\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no such process");
    }
}
