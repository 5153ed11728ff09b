package dev.understudy.aggregator.redis;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.redis.RedisSides.heard;
import static org.assertj.core.api.Assertions.assertThat;

/** Ids of clients within replies: whose they are for a debug connection, and which ones stay production's. */
class RedisClientListsTest {
    private static final long OWN = 1_000_000_000_001L;
    private static final long WORKER = OWN + 1;
    private static final String WORKERS = line(57, "worker", "blpop", -1);

    private final RedisSides sides = new RedisSides();
    private final EmbeddedChannel worker = sides.connect();

    @AfterEach
    void close() {
        sides.close();
        worker.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client|list", "client"})
    void list_showsTheOwnIdAndThoseOfClientsWithNames(String command) {
        nameWorker();
        production("CLIENT LIST\r\n", bulk(WORKERS + line(58, "", command, -1) + line(59, "", "exec", -1)));

        assertThat(sides.debug("CLIENT LIST\r\n"))
                .isEqualTo(bulk(
                        line(WORKER, "worker", "blpop", -1) + line(OWN, "", command, -1) + line(59, "", "exec", -1)));
    }

    @Test
    void listInVersion3_isRewritten_redirectionsIncluded() {
        nameWorker();
        String list = WORKERS + line(58, "", "client|list", -1) + "id=60 name=x redir=57 cmd=get\n";
        send(sides.production, "HELLO 3\r\nCLIENT LIST\r\n", "%1\r\n+proto\r\n:3\r\n" + verbatim(list));

        sides.debug("HELLO 3\r\n");
        assertThat(sides.debug("CLIENT LIST\r\n"))
                .isEqualTo(verbatim(line(WORKER, "worker", "blpop", -1)
                        + line(OWN, "", "client|list", -1)
                        + "id=60 name=x redir=%d cmd=get\n".formatted(WORKER)));
    }

    @Test
    void idsThatMayBeSeveralClients_stayProductions() {
        nameWorker();
        String list = WORKERS + line(61, "worker", "blpop", -1) + line(58, "", "client|list", -1);
        String unclear = WORKERS + line(58, "", "client|list", -1) + line(62, "", "client|list", -1);
        production("CLIENT LIST\r\nCLIENT LIST TYPE normal\r\n", bulk(list) + bulk(unclear));
        String expected = list.replace("id=58 ", "id=" + OWN + ' ');

        assertThat(sides.debug("CLIENT LIST\r\n")).isEqualTo(bulk(expected));
        heard(sides.debug, "CLIENT SETNAME worker\r\n");
        assertThat(sides.debug("CLIENT LIST TYPE normal\r\n")).isEqualTo(bulk(unclear));
    }

    @Test
    void nameOfTwoDebugConnections_isNobodys() {
        nameWorker();
        EmbeddedChannel second = sides.connect();
        heard(second, "CLIENT SETNAME worker\r\n");
        production("CLIENT LIST TYPE normal\r\nCLIENT LIST TYPE normal\r\n", bulk(WORKERS) + bulk(WORKERS));

        assertThat(sides.debug("CLIENT LIST TYPE normal\r\n")).isEqualTo(bulk(WORKERS));
        second.close();
        assertThat(sides.debug("CLIENT LIST TYPE normal\r\n")).contains("id=" + WORKER);
        second.finishAndReleaseAll();
    }

    @ParameterizedTest
    @CsvSource({"57, 1000000000002", "58, 1000000000001"})
    void listOfOneId_showsTheIdThatWasAskedFor(long recorded, long asked) {
        learnBoth();
        production("CLIENT LIST ID %d\r\n".formatted(recorded), bulk(line(recorded, "", "get", -1)));

        assertThat(sides.debug("CLIENT LIST ID %d\r\n".formatted(asked))).isEqualTo(bulk(line(asked, "", "get", -1)));
    }

    @Test
    void listOfSeveralIds_isFoundAndShowsThem() {
        nameWorker();
        learnBoth();
        production("CLIENT LIST ID 99 57 58\r\n", bulk(line(99, "", "get", -1) + WORKERS + line(58, "", "x", -1)));

        assertThat(sides.debug("CLIENT LIST ID 99 %d %d\r\n".formatted(WORKER, OWN)))
                .isEqualTo(
                        bulk(line(99, "", "get", -1) + line(WORKER, "worker", "blpop", -1) + line(OWN, "", "x", -1)));
    }

    @Test
    void idFromAList_isFoundInTheNextCommand() {
        nameWorker();
        production("CLIENT LIST\r\n", bulk(WORKERS + line(58, "", "client|list", -1)));
        production("CLIENT UNBLOCK 57\r\nCLIENT KILL ID 58\r\n", ":1\r\n:0\r\n");

        sides.debug("CLIENT LIST\r\n");
        assertThat(sides.debug("CLIENT UNBLOCK %d\r\nCLIENT KILL ID %d\r\n".formatted(WORKER, OWN)))
                .isEqualTo(":1\r\n:0\r\n");
    }

    @Test
    void transaction_saysWhoseIdsTheyAre() {
        nameWorker();
        String asked = "MULTI\r\nCLIENT ID\r\nCLIENT INFO\r\nCLIENT LIST\r\nGET a\r\nEXEC\r\n";
        String queued = "+OK\r\n" + "+QUEUED\r\n".repeat(4) + "*4\r\n";
        String own = line(58, "", "exec", 4);
        production(asked, queued + ":58\r\n" + bulk(own) + bulk(WORKERS + own) + bulk("58"));
        production("CLIENT KILL ID 58\r\n", ":0\r\n");

        String mine = line(OWN, "", "exec", 4);
        assertThat(sides.debug(asked))
                .isEqualTo(queued + ":" + OWN + "\r\n" + bulk(mine) + bulk(line(WORKER, "worker", "blpop", -1) + mine)
                        + bulk("58"));
        assertThat(sides.debug("CLIENT KILL ID %d\r\n".formatted(OWN))).isEqualTo(":0\r\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void idOfAConnectionThatEnded_isTheNextOnes(boolean closed) {
        nameWorker();
        EmbeddedChannel other = sides.connect();
        heard(other, "CLIENT SETNAME other\r\n");
        RedisRecorder first = sides.recorder();
        send(first, "CLIENT SETNAME other\r\nCLIENT ID\r\n", "+OK\r\n:57\r\n");
        if (closed) {
            first.closed(3);
        } else {
            first.lost(3);
        }
        production("CLIENT ID\r\nCLIENT LIST\r\nCLIENT KILL ID 57\r\n", ":58\r\n" + bulk(WORKERS) + ":1\r\n");

        assertThat(sides.debug("CLIENT KILL ID %d\r\n".formatted(WORKER))).isEqualTo(":1\r\n");
        worker.runPendingTasks();
        assertThat(worker.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
        other.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void idOfAConnectionThatIsOpen_staysItsOwn(boolean paired) {
        nameWorker();
        RedisRecorder first = sides.recorder();
        send(first, "CLIENT SETNAME worker\r\nCLIENT ID\r\n", "+OK\r\n:57\r\n");
        if (!paired) {
            send(first, "MONITOR\r\n", "+OK\r\n");
        }
        String nameless = line(57, "", "monitor", -1);
        production("CLIENT ID\r\nCLIENT LIST\r\nCLIENT KILL ID 57\r\n", ":58\r\n" + bulk(nameless) + ":1\r\n");

        assertThat(sides.debug("CLIENT KILL ID %d\r\n".formatted(WORKER))).isEqualTo(":1\r\n");
    }

    @ParameterizedTest
    @CsvSource({"KILL ID %d, 1, false", "KILL ID %d, 0, true", "KILL TYPE normal, 1, true", "UNBLOCK %d, 1, true"})
    void connectionThatWasKilled_endsForDebug(String command, int killed, boolean open) {
        nameWorker();
        learnBoth();
        production("CLIENT " + command.formatted(57) + "\r\n", ":%d\r\n".formatted(killed));

        assertThat(sides.debug("CLIENT " + command.formatted(WORKER) + "\r\n")).isEqualTo(":%d\r\n".formatted(killed));
        worker.runPendingTasks();
        assertThat(worker.isOpen()).isEqualTo(open);
        assertThat(sides.debug.isOpen()).isTrue();
    }

    @Test
    void connectionThatKillsItself_getsTheReplyAndEnds() {
        learnBoth();
        production("MULTI\r\nCLIENT KILL ID 58 SKIPME no\r\nEXEC\r\n", "+OK\r\n+QUEUED\r\n*1\r\n:1\r\n");

        assertThat(sides.debug("MULTI\r\nCLIENT KILL ID %d SKIPME no\r\nEXEC\r\n".formatted(OWN)))
                .endsWith("*1\r\n:1\r\n");
        assertThat(sides.debug.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "id=\n", "id=99999999999999999999 name=worker\n", "id=57 name=worker", "\n\nid= \r\n"})
    void textThatIsOdd_staysAsItIs(String text) {
        heard(worker, "CLIENT SETNAME other\r\n");
        production("CLIENT LIST\r\n", bulk(text));

        assertThat(sides.debug("CLIENT LIST\r\n")).isEqualTo(bulk(text));
    }

    private void nameWorker() {
        heard(worker, "CLIENT SETNAME worker\r\n");
    }

    /** The server's ids of the recorded connection and of the worker, 58 and 57. */
    private void learnBoth() {
        nameWorker();
        production("CLIENT ID\r\n", ":58\r\n");
        send(sides.recorder(), "CLIENT SETNAME worker\r\nCLIENT ID\r\n", "+OK\r\n:57\r\n");
    }

    private static String line(long id, String name, String command, int multi) {
        return "id=%d addr=10.0.0.1:4711 laddr=10.0.0.2:6379 fd=8 name=%s age=1 idle=0 flags=N db=0 multi=%d"
                        .formatted(id, name, multi)
                + " events=r cmd=%s user=default lib-name=worker redir=-1 resp=2\n".formatted(command);
    }

    private static String bulk(String text) {
        return "$%d\r\n%s\r\n".formatted(text.length(), text);
    }

    private static String verbatim(String text) {
        return "=%d\r\ntxt:%s\r\n".formatted(text.length() + 4, text);
    }

    private void production(String commands, String replies) {
        send(sides.production, commands, replies);
    }

    private static void send(RedisRecorder recorder, String commands, String replies) {
        recorder.request(ByteBuffer.wrap(commands.getBytes(StandardCharsets.UTF_8)), 1);
        recorder.reply(ByteBuffer.wrap(replies.getBytes(StandardCharsets.UTF_8)), 2);
    }
}
