package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.result.Ok;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ServerFileTest {
    private static final ServerParameters PARAMETERS = new ServerParameters(Map.of("server_version", "17.2"));
    private static final List<ServerKey<?>> KEYS =
            List.of(ServerParameters.KEY, ServerKeys.GREETING, ServerKeys.LOGIN, ServerKeys.USUAL_LEVEL);

    @TempDir
    private Path folder;

    private final List<Runnable> left = new ArrayList<>();

    @Test
    void whatIsLearnedOfTheServer_isKnownToTheNextProcess() throws Exception {
        ServerGreeting greeting = new ServerGreeting("8.4.3", 0, new Capabilities(1L << 40 | 5), 45, 2, "native");
        Ok login = new Ok(0, 0, 2, 1, new byte[] {1, 2}, new byte[] {3});
        ServerFacts first = facts("shop");
        first.learnOfServer(ServerParameters.KEY, new ServerParameters(Map.of("server_version", "9")));
        first.learnOfServer(ServerParameters.KEY, PARAMETERS);
        first.learnOfServer(ServerKeys.GREETING, greeting);
        first.learnOfServer(ServerKeys.LOGIN, login);
        first.learnOfServer(ServerKeys.USUAL_LEVEL, "SERIALIZABLE");
        assertThat(left).as("waits for the writer once").hasSize(1);
        write();

        ServerFacts next = facts("shop");
        assertThat(next.known(ServerParameters.KEY, ServerParameters.class)).isEqualTo(PARAMETERS);
        assertThat(next.known(ServerKeys.GREETING, ServerGreeting.class)).isEqualTo(greeting);
        assertThat(next.known(ServerKeys.LOGIN, Ok.class))
                .usingRecursiveComparison()
                .isEqualTo(login);
        assertThat(next.known(ServerKeys.USUAL_LEVEL, String.class)).isEqualTo("SERIALIZABLE");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void whatIsKnownAlready_isntWrittenAgain_andWhatIsNewReplacesIt() throws Exception {
        ServerFacts facts = facts("shop");
        facts.learnOfServer(ServerParameters.KEY, PARAMETERS);
        write();
        Files.delete(file());
        facts.learnOfServer(ServerParameters.KEY, new ServerParameters(Map.copyOf(PARAMETERS.values())));
        write();
        assertThat(file()).doesNotExist();
        facts.learnOfServer(ServerKeys.USUAL_LEVEL, "SERIALIZABLE");
        write();
        assertThat(file()).content().contains("17.2", "SERIALIZABLE");
    }

    @Test
    void ofAnotherUpstream_nothingIsRead() throws Exception {
        facts("shop").learnOfServer(ServerParameters.KEY, PARAMETERS);
        write();
        assertThat(known(facts("other"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"format\":2,\"upstream\":\"shop\",\"server\":{\"parameters\":{\"values\":{\"a\":\"b\"}}}}",
                "{\"format\":1,\"upstream\":\"shop\",\"server\":{\"parameters\":{\"values\":null}}}",
                "{\"format\":1,\"upstream\":\"shop\",\"server\":{\"parameters\":{\"values\":{\"a\":null}}}}",
                "{\"format\":1,\"upstream\":\"shop\",\"server\":{\"parameters\":{}}}",
                "{\"format\":1,\"upstream\":\"shop\",\"server\":{\"parameters\":[]}}",
                "{\"format\":1,\"upstream\":\"shop\",\"server\":7}",
                "{\"format\":1,\"upstream\":\"shop\",\"server\":{\"parameters\":{\"values\":{\"a\":\"b\"}}}} {}"
            })
    void whatIsNoSuchFile_countsAsNone(String content) throws Exception {
        Files.writeString(file(), content);
        assertThat(known(facts("shop"))).isNull();
    }

    @Test
    void tooLargeAFile_countsAsNone_andIsntRead() throws Exception {
        Files.writeString(file(), " ".repeat(ServerFile.MOST_BYTES) + "{\"format\":1,\"upstream\":\"shop\"}");
        assertThat(known(facts("shop"))).isNull();
    }

    @Test
    void damagedFiles_areReadOrNot_andNothingIsThrown() throws Exception {
        ServerFacts facts = facts("shop");
        facts.learnOfServer(ServerParameters.KEY, PARAMETERS);
        facts.learnOfServer(ServerKeys.LOGIN, Ok.of(2));
        facts.learnOfServer(ServerKeys.GREETING, new ServerGreeting("8", 0, new Capabilities(1), 45, 2, "a"));
        write();
        byte[] whole = Files.readAllBytes(file());
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            damaged[random.nextInt(damaged.length)] = (byte) "{}[],:\"0".charAt(random.nextInt(8));
            Files.write(file(), damaged);
            ServerFacts read = facts("shop");
            ServerGreeting greeting = read.known(ServerKeys.GREETING, ServerGreeting.class);
            if (greeting != null) {
                assertThat(greeting.encode(new byte[ServerGreeting.CHALLENGE])).isNotEmpty();
            }
        }
    }

    @Test
    void fileThatCantBeWritten_leavesWhatIsKnown() throws Exception {
        Files.createDirectories(file().resolve("in the way"));
        ServerFacts facts = facts("shop");
        facts.learnOfServer(ServerParameters.KEY, PARAMETERS);
        write();
        assertThat(known(facts)).isEqualTo(PARAMETERS);
    }

    private static @Nullable ServerParameters known(ServerFacts facts) {
        return facts.known(ServerParameters.KEY, ServerParameters.class);
    }

    private ServerFacts facts(String upstream) {
        ServerFacts facts = new ServerFacts();
        facts.keepIn(new ServerFile(file(), upstream, left::add), KEYS);
        return facts;
    }

    private Path file() {
        return folder.resolve("server.json");
    }

    private void write() throws IOException {
        left.forEach(Runnable::run);
        left.clear();
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }
}
